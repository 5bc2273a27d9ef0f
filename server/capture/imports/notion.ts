// Notion: a zip of Markdown and CSV, whose file and folder names end in the id of the page.
import { noteRefusal, requireUnpackable } from '../archive.ts';
import { findAttachments } from './attachments.ts';
import { itemKey, timeOf, type ImportFormat, type ItemSource } from './format.ts';
import { isNote, noteItem, noteTitle, readNoteWithFiles } from './markdown.ts';
import { createNoteLinks } from './note-links.ts';
import { readNotionTable, TABLE, tablesWithoutPages, type NotionTable } from './notion-tables.ts';
import type { UploadFile } from './upload.ts';

const ID = /\s([0-9a-f]{32})(?=(?:_all)?\.[a-z]+$|$)/i;
const PAGE = /\s[0-9a-f]{32}\.md$/i;
/** A page as Notion shows it itself. */
const ADDRESS_OF_PAGE = /^https?:\/\/(?:[\w-]+\.)*notion\.(?:so|site|com)\/\S*?([\da-f]{32})(?:[?#]\S*)?$/i;
/** The outer folder of older and newer exports. */
const WRAPPING = /^(?:Export-[0-9a-f-]+|Private & Shared)$/i;
const LINK = /(!?)\[([^\]\n]{0,500})\]\((?!https?:|mailto:|import-file:)([^()\n]{1,1000})\)/g;
const PROPERTY = /^([^:\n]{1,60}): (.*)$/;
const TAG_NAMES: ReadonlySet<string> = new Set(['tags', 'tag']);
const CREATED: ReadonlySet<string> = new Set(['created', 'created time', 'date created']);
const ADDRESS: ReadonlySet<string> = new Set(['url', 'link', 'website']);

const withoutId = (name: string) => name.replace(ID, '');

/** The page’s path by its names alone. */
function notionPath(path: string): string {
  const [first = '', ...rest] = path.split('/');
  const parts = WRAPPING.test(first) && rest.length > 0 ? rest : [first, ...rest];
  return parts.map(withoutId).join('/');
}

/** Properties of a row of a table, as lines below the heading. They stay in the text as well. */
function propertiesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.trimStart().split('\n')) {
    const [, name, value] = PROPERTY.exec(line.trimEnd()) ?? [];
    if (name === undefined || value === undefined) break;
    found.set(name.trim().toLowerCase(), value.trim());
  }
  return found;
}

/** Links to pages that are not in the export lead nowhere here: their words stay. */
const withoutFileLinks = (text: string) =>
  text.replace(LINK, (_, image: string, label: string) => (image === '' ? label : `*${label}*`));

const valueOf = (properties: ReadonlyMap<string, string>, names: ReadonlySet<string>) =>
  [...properties].find(([name]) => names.has(name))?.[1] ?? null;

const tableTitle = ({ file }: NotionTable) =>
  withoutId(file.path.slice(file.path.lastIndexOf('/') + 1)).replace(/(?:_all)?\.csv$/i, '');

function tableSource(table: NotionTable): ItemSource {
  const { file } = table;
  const path = notionPath(file.path).replace(/_all(?=\.csv$)/i, '');
  const folders = path.split('/').slice(0, -1);
  return {
    path,
    read: async () => ({
      key: itemKey('notion', 'table', ID.exec(file.path)?.[1] ?? file.path),
      title: tableTitle(table),
      url: null,
      text: await readNotionTable(table),
      tags: [],
      folders: folders.length === 0 ? [] : [folders],
      created: file.modified,
    }),
  };
}

/** Links to pages and tables, by their paths and by their addresses at Notion. */
function createPageLinks(pages: readonly UploadFile[], tables: readonly NotionTable[]) {
  const tableOf = new Map(tables.flatMap((table) => table.files.map((file) => [file, table] as const)));
  const all = [...pages, ...tableOf.keys()];
  const byId = new Map(all.map((file) => [ID.exec(file.path)?.[1]?.toLowerCase(), file]));
  return createNoteLinks(all, {
    async titleOf(file) {
      const table = tableOf.get(file);
      const title = table ? tableTitle(table) : await noteTitle(file);
      return title && (withoutId(title) || title);
    },
    fileAt: (address) => byId.get(ADDRESS_OF_PAGE.exec(address)?.[1]?.toLowerCase() ?? ''),
  });
}

export const notion: ImportFormat = {
  id: 'notion',
  recognises: ({ files }) => files.some(({ path }) => PAGE.test(path) || TABLE.test(path)),
  async sources({ files }) {
    const isRead = (file: UploadFile) => isNote(file.path) || TABLE.test(file.path);
    requireUnpackable(files.filter((file) => noteRefusal(file) === null && isRead(file)));
    const tables = await tablesWithoutPages(files);
    const rows = files.filter(({ path }) => !TABLE.test(path));
    const pathOf = (file: UploadFile) => notionPath(file.path);
    const attachments = await findAttachments(rows, { isNote, pathOf });
    const pages = rows.filter((file) => !attachments.has(file));
    const linked = createPageLinks(pages, tables);
    const notes = pages.map((file) => {
      const path = notionPath(file.path);
      return {
        path,
        read: async () => {
          const read = await readNoteWithFiles(file, attachments);
          const item = noteItem(path, read);
          const properties = propertiesOf(read.note.notes);
          const id = ID.exec(file.path)?.[1];
          const address = valueOf(properties, ADDRESS);
          return {
            ...item,
            ...(id !== undefined && { key: itemKey('notion', id) }),
            title: withoutId(read.note.title) || item.title,
            url: item.url ?? (address !== null && URL.canParse(address) ? address : null),
            text: withoutFileLinks(await linked(file.path, read.note.notes)),
            tags: [...item.tags, ...(valueOf(properties, TAG_NAMES)?.split(',') ?? [])],
            created: timeOf(valueOf(properties, CREATED)) ?? item.created,
          };
        },
      };
    });
    return [...attachments.sources, ...notes, ...tables.map(tableSource)];
  },
};
