// Loads the table of drafts with the first use, so that no list waits for the library beneath it.

/** The table and what can be done with the database around it. */
export const loadDraftsDatabase = () => import('#client/shell/drafts-database.ts');
