// Sizes and times of files that are sent in parts, and the words of the protocol (tus 1.0.0).
import { FILES, IMPORT } from './limits.ts';

export const PARTS = {
  /** Larger files are sent in parts by the app. */
  fromBytes: 5 * 1024 * 1024,
  /** How much the app sends at once, of a file of less than `partsMax` such parts. */
  partBytes: 1024 * 1024,
  /** Many small parts of a large archive would exceed the calls that a person may make in a minute. */
  partsMax: 300,
  /** All unfinished uploads of one person together, as they were announced. */
  unfinishedMaxBytes: IMPORT.maxArchiveBytes + 4 * FILES.maxBytes,
  /** An upload to which nothing was added for this long is removed. */
  expiresMs: 3 * 24 * 3_600_000,
} as const;

export const TUS_VERSION = '1.0.0';
export const PART_TYPE = 'application/offset+octet-stream';
