// Loads the table of texts being typed when the first one is looked for: no list waits for the library under it.

/** The table and what can be done with the database around it. */
export const loadDraftsDatabase = () => import('#client/shell/drafts-database.ts');
