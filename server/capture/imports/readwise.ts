// Readwise: the CSV of highlights, one row each, which become one memory for each book or article.
import { itemKey, itemPath, quoteBlocks, timeOf, type Highlight, type ImportFormat } from './format.ts';
import { readTables, type TableRow } from './table.ts';

function placeOf(row: TableRow): string | null {
  const place = row('location').trim();
  if (place === '') return null;
  const kind = row('location type').trim().toLowerCase();
  // Articles count their highlights instead.
  return kind === 'page' || kind === 'location' ? `${kind} ${place}` : null;
}

const highlightOf = (row: TableRow): Highlight => ({
  text: row('highlight'),
  note: row('note'),
  place: placeOf(row),
});

function groupByBook(rows: readonly TableRow[]): Map<string, TableRow[]> {
  const books = new Map<string, TableRow[]>();
  for (const row of rows) {
    const key = itemKey(row('book author').trim(), row('book title').trim());
    const book = books.get(key);
    if (book) book.push(row);
    else books.set(key, [row]);
  }
  return books;
}

export const readwise: ImportFormat = {
  id: 'readwise',
  async sources(_upload, files) {
    return [...groupByBook(await readTables(files))].map(([key, book]) => {
      const title = book[0]?.('book title').trim() || 'Highlights';
      const author = book[0]?.('book author').trim() ?? '';
      return {
        path: itemPath(title),
        read: () => {
          const times = book.flatMap((row) => timeOf(row('highlighted at')) ?? []).toSorted();
          return {
            key,
            title,
            url: null,
            description: author === '' ? null : `By ${author}`,
            text: quoteBlocks(book.map(highlightOf)),
            tags: book.flatMap((row) => [row('tags'), row('document tags')].join(',').split(',')),
            folders: [],
            created: times[0] ?? null,
            updated: times.at(-1) ?? null,
          };
        },
      };
    });
  },
};
