// The table of texts being typed and the library under it; loaded by drafts.ts with the first text.
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

/** The table; made when it is not there. */
export function draftTable(): Table<Draft, string> {
  database ??= new DraftDatabase();
  return database.drafts;
}

/** Whether this browser stores any drafts. */
export function hasDraftTable(): Promise<boolean> {
  return Dexie.exists(NAME);
}

/** Removes the table with the database around it. */
export async function removeDraftTable(): Promise<void> {
  database?.close();
  database = undefined;
  await Dexie.delete(NAME);
}
