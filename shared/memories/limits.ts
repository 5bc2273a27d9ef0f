// Numbers of memories.

export const RANDOM_LIMIT = 20;
export const RANDOM_LIMIT_MAX = 100;

/** Days within which deleted memories, spaces and threads can be restored. */
export const TRASH_DAYS = 30;

/** Capsule leaves out items younger than this, unless fewer than RANDOM_LIMIT remain. */
export const CAPSULE_MIN_AGE_DAYS = 7;

/** Days for which a memory kept in the capsule does not appear in it again. */
export const CAPSULE_REST_DAYS = 30;

/** Number of memories in a capsule that share a space or a tag with recently saved ones. */
export const CAPSULE_TIED = 5;

/** What a language model writes about new memories. */
export const DESCRIPTIONS = {
  /** Characters of a text that are read, and fewer that need no description. */
  textMax: 12_000,
  textMin: 400,
  /** Characters of what is written. */
  title: 120,
  summary: 700,
  /** Tags of one memory; of the workspace, those that the model chooses from, and fewer that are too few to choose from. */
  tags: 3,
  tagsGiven: 100,
  tagsFew: 10,
  /** Older memories stay as they are. */
  daysBack: 2,
  /** After the last change, since a note may still be written. */
  settledMs: 90_000,
  perTurn: 50,
  turnMs: 50_000,
} as const;
