// Raindrop.io: the CSV of a backup.
import { folderPath, itemPath, linkItem, timeOf, type Highlight, type ImportFormat } from './format.ts';
import { readTables, type TableRow } from './table.ts';

/** The collection of unfiled bookmarks in Raindrop. */
const UNSORTED = 'Unsorted';
const LABEL = /^(highlight|note):\s*/i;

/** One line for each passage, with its note in the line behind it. */
function raindropHighlights(cell: string): Highlight[] {
  const found: Highlight[] = [];
  for (const line of cell.split(/\r?\n/)) {
    const label = LABEL.exec(line)?.[1]?.toLowerCase();
    const text = line.replace(LABEL, '').trim();
    const last = found.at(-1);
    if (text === '') continue;
    if (label === 'note' && last) last.note = text;
    else found.push({ text });
  }
  return found;
}

function sourceOf(row: TableRow) {
  const url = row('url');
  const title = row('title').trim() || null;
  const folder = row('folder') === UNSORTED ? [] : folderPath(row('folder'));
  return {
    path: itemPath(...folder, title ?? url),
    read: () =>
      linkItem(url, {
        keyed: folder,
        title,
        description: row('excerpt').trim() || null,
        text: row('note').trim() || null,
        highlights: raindropHighlights(row('highlights')),
        tags: row('tags').split(','),
        folders: [folder],
        created: timeOf(row('created')),
      }),
  };
}

export const raindrop: ImportFormat = {
  id: 'raindrop',
  sources: async (_upload, files) => (await readTables(files)).map(sourceOf),
};
