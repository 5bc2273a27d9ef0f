// The table of undo histories; loaded with the first editor and when the data of a person are removed.
import { singleTable } from '#client/shell/single-table.ts';

/** Undo history of one text, with the hash of the text it applies to. */
export interface UndoHistory {
  /** As of a draft: it names person and place. */
  key: string;
  hash: string;
  /** JSON of the editor. */
  steps: string;
  at: number;
}

const histories = singleTable<UndoHistory>('loci-undo', 'histories', 'key, at');

export const undoTable = histories.open;
/** Whether this browser stores any histories. */
export const hasUndoTable = histories.exists;

/** Deletes the histories of a person, and the database with the last one. */
export async function wipeUndoHistories(isPerson: (part: string) => boolean): Promise<void> {
  if (!(await hasUndoTable())) return;
  const keys = await undoTable().toCollection().primaryKeys();
  await undoTable().bulkDelete(keys.filter((key) => key.split('/').some(isPerson)));
  if ((await undoTable().count()) === 0) await histories.remove();
}
