// Notion: a zip of Markdown and CSV, whose file and folder names end in the id of the page.
import { findAttachments } from './attachments.ts';
import { itemKey, timeOf, type ImportFormat } from './format.ts';
import { isNote, noteItem, readNoteWithFiles, requireNotesRoom } from './markdown.ts';
import type { UploadFile } from './upload.ts';

const ID = /\s([0-9a-f]{32})(?=(?:_all)?\.[a-z]+$|$)/i;
const PAGE = /\s[0-9a-f]{32}\.md$/i;
const TABLE = /\.csv$/i;
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

/** Links to pages of the export lead nowhere here: their words stay. */
const withoutFileLinks = (text: string) =>
  text.replace(LINK, (_, image: string, label: string) => (image === '' ? label : `*${label}*`));

const valueOf = (properties: ReadonlyMap<string, string>, names: ReadonlySet<string>) =>
  [...properties].find(([name]) => names.has(name))?.[1] ?? null;

export const notion: ImportFormat = {
  id: 'notion',
  recognises: ({ files }) => files.some(({ path }) => PAGE.test(path)),
  async sources({ files }) {
    requireNotesRoom(files);
    // The rows of a table are pages beside it.
    const rows = files.filter(({ path }) => !TABLE.test(path));
    const pathOf = (file: UploadFile) => notionPath(file.path);
    const attachments = await findAttachments(rows, { isNote, pathOf });
    const pages = rows.filter((file) => !attachments.has(file));
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
            text: withoutFileLinks(read.note.notes),
            tags: [...item.tags, ...(valueOf(properties, TAG_NAMES)?.split(',') ?? [])],
            created: timeOf(valueOf(properties, CREATED)) ?? item.created,
          };
        },
      };
    });
    return [...attachments.sources, ...notes];
  },
};
