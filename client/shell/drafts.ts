/**
 * Text that somebody is typing and that is saved nowhere else yet, kept in this browser until it is saved or dropped.
 * Keys name person and place; a signed-out browser keeps nothing (wipeDrafts).
 */
import { Dexie, type Table } from 'dexie';

/** A text being written; `base` names the version it started from, where conflicts matter. */
export interface Draft {
  key: string;
  text: string;
  base: string | null;
  at: number;
}

const NAME = 'loci-drafts';

class DraftDatabase extends Dexie {
  readonly drafts: Table<Draft, string>;

  constructor() {
    super(NAME);
    this.version(1).stores({ drafts: 'key' });
    this.drafts = this.table('drafts');
  }
}

let database: DraftDatabase | undefined;

function drafts(): Table<Draft, string> {
  database ??= new DraftDatabase();
  return database.drafts;
}

/** The newest text of each key that is not written yet. */
const waiting = new Map<string, Draft>();
let writing: Promise<boolean> | undefined;

/** Writes what waits until nothing does: one write at a time, so that fast typing costs one write per disk turn. */
async function writeAll(): Promise<boolean> {
  let isKept = true;
  while (waiting.size > 0) {
    const batch = [...waiting.values()];
    waiting.clear();
    try {
      const empty = batch.filter(({ text }) => text === '').map(({ key }) => key);
      await drafts().bulkDelete(empty);
      await drafts().bulkPut(batch.filter(({ text }) => text !== ''));
    } catch {
      // Storage is full or forbidden: the text is still on screen, and leaving the page asks first.
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
  const unwritten = waiting.get(key);
  if (unwritten) return unwritten.text === '' ? undefined : unwritten;
  try {
    return await drafts().get(key);
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
  await writing;
  if (!(await Dexie.exists(NAME))) return;
  await drafts().bulkDelete(await keysOf(isPerson));
  if ((await drafts().count()) > 0) return;
  database?.close();
  database = undefined;
  await Dexie.delete(NAME);
}

async function keysOf(isPerson: (part: string) => boolean): Promise<string[]> {
  if (!(await Dexie.exists(NAME))) return [];
  const keys = await drafts().toCollection().primaryKeys();
  return keys.filter((key) => key.split('/').some(isPerson));
}
