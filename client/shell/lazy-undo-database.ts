// Loads the table of undo histories with the first use, so that no list waits for the library beneath it.

/** The table and what can be done with the database around it. */
export const loadUndoDatabase = () => import('#client/shell/undo-database.ts');
