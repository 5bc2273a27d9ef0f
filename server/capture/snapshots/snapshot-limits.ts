// Limits of a saved page. Content that exceeds them is replaced by a note.

const MB = 1024 * 1024;

export interface ResourceLimits {
  style: { count: number; bytes: number };
  image: { count: number; bytes: number };
  /** All of them together, as they are fetched. */
  bytes: number;
  atOnce: number;
  /** Milliseconds for each, and for all of them. */
  eachMs: number;
  allMs: number;
}

/** Limits of the resources fetched for one page beside its HTML. */
export const RESOURCES: Omit<ResourceLimits, 'eachMs' | 'allMs'> = {
  style: { count: 40, bytes: 1 * MB },
  image: { count: 150, bytes: 3 * MB },
  bytes: 12 * MB,
  atOnce: 6,
};

/** Limits of the finished file; a picture in ten places counts ten times. */
export const SNAPSHOT = {
  inlinedBytes: 16 * MB,
  /** Larger files are not stored. */
  bytes: 24 * MB,
  importDepth: 3,
} as const;
