// A table with text keys in a database of its own, which is opened at the first use.
import { Dexie, type Table } from 'dexie';

/** `keys` names the primary key and the indexes, as Dexie writes them. */
export function singleTable<Row>(database: string, name: string, keys: string) {
  let opened: Dexie | undefined;
  return {
    /** Creates the table when it does not exist. */
    open: (): Table<Row, string> => {
      if (opened === undefined) {
        opened = new Dexie(database);
        opened.version(1).stores({ [name]: keys });
      }
      return opened.table<Row, string>(name);
    },
    exists: (): Promise<boolean> => Dexie.exists(database),
    /** Deletes the database. */
    remove: async (): Promise<void> => {
      opened?.close();
      opened = undefined;
      await Dexie.delete(database);
    },
  };
}
