// How the search over docs and posts is built and read: the same options on both ends, or the stored index does not fit.
import type { SearchSection } from './content.ts';

/** Fields of the index; weights favour titles over text. */
export const DOCS_SEARCH = {
  idField: 'id',
  fields: ['title', 'section', 'text'],
  storeFields: ['path', 'title', 'section', 'text'],
  searchOptions: { boost: { title: 4, section: 2 } },
} as const satisfies {
  idField: keyof SearchSection;
  fields: (keyof SearchSection)[];
  storeFields: (keyof SearchSection)[];
  searchOptions: object;
};
