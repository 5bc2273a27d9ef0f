// Interface of spaces for other features: reads that respect permissions, and grants, which threads have too.
export { announceOpened, replaceGrants, shownGrants, type Opened } from './grants.ts';
export { requireReadableSpaces, spacesFor } from './store.ts';
export { readsAs } from './view-as.ts';
