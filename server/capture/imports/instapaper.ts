// Instapaper: the CSV of its settings.
import { itemPath, linkItem, timeOf, type ImportFormat } from './format.ts';
import { readTables, type TableRow } from './table.ts';

/** The lists that every account has; all others are folders of the person. */
const ARCHIVE = 'Archive';
const OWN_LISTS: ReadonlySet<string> = new Set(['', 'Unread', ARCHIVE]);

/** Tags are a list in JSON; exports of before had none. */
function tagsOf(cell: string): string[] {
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) ? list.filter((tag) => typeof tag === 'string') : [];
  } catch {
    return cell.split(',');
  }
}

function sourceOf(row: TableRow) {
  const url = row('url');
  const title = row('title').trim() || null;
  const folder = OWN_LISTS.has(row('folder')) ? [] : [row('folder')];
  return {
    path: itemPath(...folder, title ?? url),
    read: () =>
      linkItem(url, {
        keyed: folder,
        title,
        text: null,
        highlights: [{ text: row('selection') }],
        tags: tagsOf(row('tags')),
        folders: [folder],
        created: timeOf(row('timestamp')),
        archived: row('folder') === ARCHIVE,
      }),
  };
}

export const instapaper: ImportFormat = {
  id: 'instapaper',
  sources: async (_upload, files) => (await readTables(files)).map(sourceOf),
};
