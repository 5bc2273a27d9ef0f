// The table of undo histories and the library under it; loaded with the first editor and when the data of a person are removed.
import { Dexie, type Table } from 'dexie';

/** Undo history of one text, with the hash of the text it applies to. */
export interface UndoHistory {
  /** As of a draft: it names person and place. */
  key: string;
  hash: string;
  /** JSON of the editor. */
  steps: string;
  at: number;
}

const NAME = 'loci-undo';

class UndoDatabase extends Dexie {
  readonly histories: Table<UndoHistory, string>;

  constructor() {
    super(NAME);
    this.version(1).stores({ histories: 'key, at' });
    this.histories = this.table('histories');
  }
}

let database: UndoDatabase | undefined;

/** The table; made when it is not there. */
export function undoTable(): Table<UndoHistory, string> {
  database ??= new UndoDatabase();
  return database.histories;
}

/** Whether this browser stores any histories. */
export function hasUndoTable(): Promise<boolean> {
  return Dexie.exists(NAME);
}

async function removeUndoTable(): Promise<void> {
  database?.close();
  database = undefined;
  await Dexie.delete(NAME);
}

/** Deletes the histories of a person, and the database with the last one. */
export async function wipeUndoHistories(isPerson: (part: string) => boolean): Promise<void> {
  if (!(await hasUndoTable())) return;
  const keys = await undoTable().toCollection().primaryKeys();
  await undoTable().bulkDelete(keys.filter((key) => key.split('/').some(isPerson)));
  if ((await undoTable().count()) === 0) await removeUndoTable();
}
