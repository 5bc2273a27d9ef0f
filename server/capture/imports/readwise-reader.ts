// Readwise Reader: the CSV of its library, one row for each saved document.
import { itemPath, linkItem, timeOf, type ImportFormat } from './format.ts';
import { readTables, type TableRow } from './table.ts';

/** Lists of the person's own choice; all others say how far a document has been read. */
const LISTS: ReadonlySet<string> = new Set(['shortlist', 'feed']);
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g;

/** Tags are written like a list in Python: `['one', "two's"]`. */
function tagsOf(cell: string): string[] {
  if (!cell.trim().startsWith('[')) return cell.split(',');
  return [...cell.matchAll(QUOTED)].map(([, single, double]) =>
    (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}

function sourceOf(row: TableRow) {
  const url = row('url');
  const title = row('title').trim() || null;
  const location = row('location').trim().toLowerCase();
  return {
    path: itemPath(title ?? url),
    read: () =>
      linkItem(url, {
        keyed: [],
        title,
        text: null,
        tags: [...tagsOf(row('document tags')), ...(LISTS.has(location) ? [location] : [])],
        folders: [],
        created: timeOf(row('saved date')),
        archived: location === 'archive',
      }),
  };
}

export const readwiseReader: ImportFormat = {
  id: 'readwise-reader',
  sources: async (_upload, files) => (await readTables(files)).map(sourceOf),
};
