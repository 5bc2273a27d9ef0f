/**
 * Text that somebody is typing and that is saved nowhere else yet, kept in this browser until it is saved or dropped.
 * Keys name person and place; a signed-out browser keeps nothing (wipeDrafts).
 */
import type { Draft } from '#client/shell/drafts-database.ts';
import { forgetLateDrafts, keepLateDrafts, lateDrafts } from '#client/shell/late-drafts.ts';
import { loadDraftsDatabase } from '#client/shell/lazy-drafts-database.ts';

/** The newest text of each key that is not written yet. */
const waiting = new Map<string, Draft>();
/** What is being written or was refused by the browser, for as long as this page lives. */
const unstored = new Map<string, Draft>();
let writing: Promise<boolean> | undefined;

/** Writes what an earlier page could not write before it was left, unless something newer is there. */
async function adoptLate(): Promise<void> {
  const late = lateDrafts();
  if (late.length === 0) return;
  for (const draft of late) unstored.set(draft.key, draft);
  try {
    const table = (await loadDraftsDatabase()).draftTable();
    for (const draft of late) {
      const isNewest = ((await table.get(draft.key))?.at ?? 0) < draft.at;
      if (isNewest && draft.text !== '') await table.put(draft);
      if (isNewest && draft.text === '') await table.delete(draft.key);
      if (unstored.get(draft.key) === draft) unstored.delete(draft.key);
    }
    forgetLateDrafts((draft) => late.some(({ key, at }) => key === draft.key && at >= draft.at));
  } catch {
    // It stays where it is and is shown from there until a later page can write it.
  }
}
const adopted = adoptLate();

// A database is too slow for a page that is left in the moment after a key.
globalThis.addEventListener?.('pagehide', () =>
  keepLateDrafts([...new Map([...unstored, ...waiting]).values()]),
);

/** Writes what waits until nothing does: one write at a time, so that fast typing costs one write per disk turn. */
async function writeAll(): Promise<boolean> {
  let isKept = true;
  await adopted;
  while (waiting.size > 0) {
    const batch = [...waiting.values()];
    waiting.clear();
    for (const draft of batch) unstored.set(draft.key, draft);
    try {
      const table = (await loadDraftsDatabase()).draftTable();
      await table.bulkDelete(batch.filter(({ text }) => text === '').map(({ key }) => key));
      await table.bulkPut(batch.filter(({ text }) => text !== ''));
      for (const draft of batch) if (unstored.get(draft.key) === draft) unstored.delete(draft.key);
    } catch {
      // Storage is full or forbidden: the text is still in this page, and leaving the page asks first.
      isKept = false;
    }
  }
  return isKept;
}

/**
 * Keeps a text; an empty one is forgotten. Begins to write at once, so call it with every key: a crash then costs a
 * letter or two. Resolves to false where the browser refuses storage.
 */
export function keepDraft(key: string, text: string, base: string | null = null): Promise<boolean> {
  waiting.set(key, { key, text, base, at: Date.now() });
  writing ??= writeAll().finally(() => {
    writing = undefined;
  });
  return writing;
}

/** The kept text, or undefined. */
export async function findDraft(key: string): Promise<Draft | undefined> {
  const unwritten = waiting.get(key) ?? unstored.get(key);
  if (unwritten) return unwritten.text === '' ? undefined : unwritten;
  try {
    return await (await loadDraftsDatabase()).draftTable().get(key);
  } catch {
    return undefined;
  }
}

/** Forgets a text. */
export async function dropDraft(key: string): Promise<void> {
  await keepDraft(key, '');
}

/** Whether any draft belongs to a person; keys name people in one of their parts. */
export async function hasDraftsOf(isPerson: (part: string) => boolean): Promise<boolean> {
  return (await keysOf(isPerson)).length > 0;
}

/** Forgets a person's texts, when they sign out of this browser; the last one takes the database with it. */
export async function wipeDrafts(isPerson: (part: string) => boolean = () => true): Promise<void> {
  await Promise.all([adopted, writing]);
  forgetLateDrafts(({ key }) => key.split('/').some(isPerson));
  for (const key of unstored.keys()) if (key.split('/').some(isPerson)) unstored.delete(key);
  const { draftTable, hasDraftTable, removeDraftTable } = await loadDraftsDatabase();
  if (!(await hasDraftTable())) return;
  await draftTable().bulkDelete(await keysOf(isPerson));
  if ((await draftTable().count()) === 0) await removeDraftTable();
}

async function keysOf(isPerson: (part: string) => boolean): Promise<string[]> {
  await adopted;
  const { draftTable, hasDraftTable } = await loadDraftsDatabase();
  if (!(await hasDraftTable())) return [];
  const keys = await draftTable().toCollection().primaryKeys();
  return keys.filter((key) => key.split('/').some(isPerson));
}
