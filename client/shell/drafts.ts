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

/** Keeps a text; an empty one is forgotten. Resolves to false where the browser refuses storage. */
export async function keepDraft(key: string, text: string, base: string | null = null): Promise<boolean> {
  try {
    if (text === '') await drafts().delete(key);
    else await drafts().put({ key, text, base, at: Date.now() });
    return true;
  } catch {
    // Storage is full or forbidden: the text is still on screen, and leaving the page asks first.
    return false;
  }
}

/** The kept text, or undefined. */
export async function findDraft(key: string): Promise<Draft | undefined> {
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

/** Forgets everything, when somebody signs out of this browser. */
export async function wipeDrafts(): Promise<void> {
  database?.close();
  database = undefined;
  await Dexie.delete(NAME);
}
