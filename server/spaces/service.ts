// What other features may use of spaces: the reads that obey who may see what, and grants, which threads have too.
export { announceOpened, replaceGrants, shownGrants, type Opened } from './grants.ts';
export { requireReadableSpaces, spacesFor } from './store.ts';
export { viewerReads } from './view-as.ts';
