// Evernote: ENEX, one XML file for each notebook. The parser resolves no entities of a document type.
import { Parser } from 'htmlparser2';
import { AppError } from '#shared/errors.ts';
import type { Resource } from './evernote-files.ts';
import { itemKey, itemPath, type ImportFormat, type ItemSource } from './format.ts';
import { textOf, type UploadFile } from './upload.ts';

interface EvernoteNote {
  title: string;
  content: string;
  created: string;
  updated: string;
  tags: string[];
  source: string;
  resources: Resource[];
}

/** Where the words of an element of a note go; all others are passed over. */
const FIELDS = {
  title: 'title',
  content: 'content',
  created: 'created',
  updated: 'updated',
  'source-url': 'source',
} as const;
/** The same for an attachment. */
const RESOURCE_FIELDS = { data: 'data', mime: 'mime', 'file-name': 'filename' } as const;
const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const NOTEBOOK_FILE = /\.enex$/i;

/** `20250310T101500Z` */
function evernoteTime(stamp: string): string | null {
  const match = STAMP.exec(stamp.trim());
  if (!match) return null;
  const [, year, month, day, hour, minute, second] = match;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The notes of a notebook. @throws invalid when the file was cut off */
function readEnex(path: string, xml: string): EvernoteNote[] {
  const notes: EvernoteNote[] = [];
  let note: EvernoteNote | undefined;
  const open: string[] = [];
  let isWhole = false;
  const parser = new Parser(
    {
      onopentag(name) {
        open.push(name);
        if (name === 'note') {
          note = { title: '', content: '', created: '', updated: '', tags: [], source: '', resources: [] };
        } else if (name === 'resource') note?.resources.push({ data: '', mime: '', filename: '' });
        else if (name === 'tag') note?.tags.push('');
      },
      ontext(text) {
        const name = open.at(-1) ?? '';
        if (!note) return;
        if (name === 'tag') note.tags.push((note.tags.pop() ?? '') + text);
        // Attachments and tasks have titles and addresses of their own.
        const parent = open.at(-2);
        const resource =
          parent === 'resource' || parent === 'resource-attributes' ? note.resources.at(-1) : undefined;
        if (resource && Object.hasOwn(RESOURCE_FIELDS, name))
          resource[RESOURCE_FIELDS[name as keyof typeof RESOURCE_FIELDS]] += text;
        const isOwn = parent === 'note' || parent === 'note-attributes';
        if (isOwn && Object.hasOwn(FIELDS, name)) note[FIELDS[name as keyof typeof FIELDS]] += text;
      },
      onclosetag(name, isImplied) {
        open.pop();
        if (name === 'en-export') isWhole = !isImplied;
        if (name !== 'note' || !note || isImplied) return;
        notes.push(note);
        note = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
  if (!isWhole) throw new AppError('invalid', `file: ${path} is damaged or was cut off: it does not end`);
  return notes;
}

interface Notebook {
  /** By key: the same file in several notes is one. */
  files: ReadonlyMap<string, ItemSource>;
  notes: ItemSource[];
}

async function notebookOf(file: UploadFile): Promise<Notebook> {
  // Loaded here, so that other imports start without it.
  const { evernoteFiles, textWithFiles } = await import('./evernote-files.ts');
  const { text } = await textOf(file);
  const notebook = file.path.slice(file.path.lastIndexOf('/') + 1).replace(NOTEBOOK_FILE, '');
  // Notes have no id in the export; those of the same second and title are distinguished by their order.
  const seen = new Map<string, number>();
  const files = new Map<string, ItemSource>();
  const notes = readEnex(file.path, text).map((note): ItemSource => {
    const title = note.title.trim() || 'Untitled';
    const same = itemKey('evernote', note.created, title);
    const count = (seen.get(same) ?? 0) + 1;
    seen.set(same, count);
    const path = itemPath(notebook, title);
    const [created, updated] = [evernoteTime(note.created), evernoteTime(note.updated)];
    const own = evernoteFiles(note.resources, { path, title, created: created ?? updated ?? file.modified });
    for (const { link, source } of own) if (!files.has(link.key)) files.set(link.key, source);
    return {
      path,
      read: () => ({
        key: count === 1 ? same : itemKey(same, `${count}`),
        title,
        url: note.source.trim() || null,
        ...textWithFiles(note.content, own),
        tags: note.tags,
        folders: [[notebook]],
        created,
        updated,
      }),
    };
  });
  return { files, notes };
}

export const evernote: ImportFormat = {
  id: 'evernote',
  async sources(_upload, files) {
    const notebooks = await Promise.all(files.map(notebookOf));
    const attached = new Map(notebooks.flatMap((notebook) => [...notebook.files]));
    return [...attached.values(), ...notebooks.flatMap(({ notes }) => notes)];
  },
};
