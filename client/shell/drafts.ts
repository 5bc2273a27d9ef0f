/**
 * Drafts: text that is being typed and not saved yet, stored in this browser until it is saved or discarded. Keys name
 * person and place; signing out deletes them (wipeDrafts). The tables are loaded with the first use, so that no list waits
 * for the library beneath them.
 */
import type { Draft } from '#client/shell/drafts-database.ts';
import { removeUnloadDrafts, saveUnloadDrafts, readUnloadDrafts } from '#client/shell/unload-drafts.ts';

/** The newest text of each key that is not written yet. */
const waiting = new Map<string, Draft>();
/** Drafts not written yet, or rejected by the browser, for the lifetime of this page. */
const unstored = new Map<string, Draft>();
let writing: Promise<boolean> | undefined;

/** Writes what an earlier page could not write before it was left, unless something newer is there. */
async function adoptUnloadDrafts(): Promise<void> {
  const late = readUnloadDrafts();
  if (late.length === 0) return;
  for (const draft of late) unstored.set(draft.key, draft);
  try {
    const table = (await import('#client/shell/drafts-database.ts')).draftTable();
    for (const draft of late) {
      const isNewest = ((await table.get(draft.key))?.at ?? 0) < draft.at;
      if (isNewest && draft.text !== '') await table.put(draft);
      if (isNewest && draft.text === '') await table.delete(draft.key);
      if (unstored.get(draft.key) === draft) unstored.delete(draft.key);
    }
    removeUnloadDrafts((draft) => late.some(({ key, at }) => key === draft.key && at >= draft.at));
  } catch {
    // It stays where it is and is shown from there until a later page can write it.
  }
}
const adopted = adoptUnloadDrafts();

// A database is too slow for a page that is left in the moment after a key.
globalThis.addEventListener?.('pagehide', () =>
  saveUnloadDrafts([...new Map([...unstored, ...waiting]).values()]),
);

/** Writes what waits until nothing does: one write at a time, so that fast typing costs one write at a time. */
async function writeAll(): Promise<boolean> {
  let isKept = true;
  await adopted;
  while (waiting.size > 0) {
    const batch = [...waiting.values()];
    waiting.clear();
    for (const draft of batch) unstored.set(draft.key, draft);
    try {
      const table = (await import('#client/shell/drafts-database.ts')).draftTable();
      await table.bulkDelete(batch.filter(({ text }) => text === '').map(({ key }) => key));
      await table.bulkPut(batch.filter(({ text }) => text !== ''));
      for (const draft of batch) if (unstored.get(draft.key) === draft) unstored.delete(draft.key);
    } catch {
      // Storage is full or forbidden: the text is still in this page, which asks for confirmation before it is left.
      isKept = false;
    }
  }
  return isKept;
}

/**
 * Stores a draft; an empty text deletes it. Starts to write at once, so call it with every key: a crash then loses a
 * letter or two. Resolves to false where the browser refuses storage.
 */
export function saveDraft(key: string, text: string, base: string | null = null): Promise<boolean> {
  waiting.set(key, { key, text, base, at: Date.now() });
  writing ??= writeAll().finally(() => {
    writing = undefined;
  });
  return writing;
}

export async function findDraft(key: string): Promise<Draft | undefined> {
  const unwritten = waiting.get(key) ?? unstored.get(key);
  if (unwritten) return unwritten.text === '' ? undefined : unwritten;
  try {
    return await (await import('#client/shell/drafts-database.ts')).draftTable().get(key);
  } catch {
    return undefined;
  }
}

/** Forgets a text. */
export async function dropDraft(key: string): Promise<void> {
  await saveDraft(key, '');
}

/** The texts of all drafts of a person, including those of other tabs, oldest first. */
export async function textsOf(isPerson: (part: string) => boolean): Promise<string[]> {
  const keys = new Set([...(await keysOf(isPerson)), ...waiting.keys(), ...unstored.keys()]);
  const own = [...keys].filter((key) => key.split('/').some(isPerson));
  const drafts = await Promise.all(own.map((key) => findDraft(key)));
  return drafts
    .filter((draft) => draft !== undefined)
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text);
}

/** Whether any draft belongs to a person; keys name people in one of their parts. */
export async function hasDraftsOf(isPerson: (part: string) => boolean): Promise<boolean> {
  return (await keysOf(isPerson)).length > 0;
}

/**
 * Deletes a person's drafts and undo histories when they sign out of this browser; with the last draft the database is
 * deleted too.
 */
export async function wipeDrafts(isPerson: (part: string) => boolean = () => true): Promise<void> {
  const { wipeUndoHistories } = await import('#client/shell/undo-database.ts');
  await Promise.all([adopted, writing, wipeUndoHistories(isPerson)]);
  removeUnloadDrafts(({ key }) => key.split('/').some(isPerson));
  for (const key of unstored.keys()) if (key.split('/').some(isPerson)) unstored.delete(key);
  const { draftTable, hasDraftTable, removeDraftTable } = await import('#client/shell/drafts-database.ts');
  if (!(await hasDraftTable())) return;
  await draftTable().bulkDelete(await keysOf(isPerson));
  if ((await draftTable().count()) === 0) await removeDraftTable();
}

async function keysOf(isPerson: (part: string) => boolean): Promise<string[]> {
  await adopted;
  const { draftTable, hasDraftTable } = await import('#client/shell/drafts-database.ts');
  if (!(await hasDraftTable())) return [];
  const keys = await draftTable().toCollection().primaryKeys();
  return keys.filter((key) => key.split('/').some(isPerson));
}
