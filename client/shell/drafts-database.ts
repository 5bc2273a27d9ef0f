// The table of texts being typed; loaded by drafts.ts with the first text, because it brings a library along.
import { singleTable } from '#client/shell/single-table.ts';

/** A text being written; `base` names the version it started from, where conflicts matter. */
export interface Draft {
  key: string;
  text: string;
  base: string | null;
  at: number;
}

const drafts = singleTable<Draft>('loci-drafts', 'drafts', 'key');

export const draftTable = drafts.open;
/** Whether this browser stores any drafts. */
export const hasDraftTable = drafts.exists;
export const removeDraftTable = drafts.remove;
