/**
 * Undo histories: the changes that an editor can undo in a text, stored in this browser beside the draft of the text so that a
 * reload does not end it. They hold parts of texts, so they are deleted when their person signs out (wipeUndoHistories).
 */
import type { UndoHistory } from '#client/shell/undo-database.ts';

/** Texts whose history is stored; those that were not edited for longest are forgotten first. */
const MOST = 50;

/** Stores the history of a text under the hash of that text. Where the browser refuses, undo ends with the page. */
export async function saveUndoHistory(history: Omit<UndoHistory, 'at'>): Promise<void> {
  try {
    const table = (await import('#client/shell/undo-database.ts')).undoTable();
    await table.put({ ...history, at: Date.now() });
    const surplus = (await table.count()) - MOST;
    if (surplus > 0) await table.bulkDelete(await table.orderBy('at').limit(surplus).primaryKeys());
  } catch (failure) {
    console.info('undo: a history could not be stored', failure);
  }
}

export async function findUndoHistory(key: string): Promise<UndoHistory | undefined> {
  try {
    const { hasUndoTable, undoTable } = await import('#client/shell/undo-database.ts');
    return (await hasUndoTable()) ? await undoTable().get(key) : undefined;
  } catch (failure) {
    console.info('undo: a history could not be read', failure);
    return undefined;
  }
}
