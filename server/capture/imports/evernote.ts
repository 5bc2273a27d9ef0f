// Evernote: ENEX, one XML file for each notebook. The parser resolves no entities of a document type.
import { Parser } from 'htmlparser2';
import { AppError } from '#shared/errors.ts';
import { itemKey, itemPath, type ImportFormat } from './format.ts';
import { textOf, type UploadFile } from './upload.ts';

interface EvernoteNote {
  title: string;
  content: string;
  created: string;
  updated: string;
  tags: string[];
  source: string;
  attachments: number;
}

/** Where the words of an element go; all others are passed over, the bytes of attachments among them. */
const FIELDS = {
  title: 'title',
  content: 'content',
  created: 'created',
  updated: 'updated',
  'source-url': 'source',
} as const;
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
          note = { title: '', content: '', created: '', updated: '', tags: [], source: '', attachments: 0 };
        } else if (name === 'resource' && note) note.attachments += 1;
        else if (name === 'tag') note?.tags.push('');
      },
      ontext(text) {
        const name = open.at(-1) ?? '';
        if (!note) return;
        if (name === 'tag') note.tags.push((note.tags.pop() ?? '') + text);
        // Attachments and tasks have titles and addresses of their own.
        const isOwn = open.at(-2) === 'note' || open.at(-2) === 'note-attributes';
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

async function notebookOf(file: UploadFile) {
  // Loaded here, so that other imports start without it.
  const { markdownOf } = await import('./html-text.ts');
  const { text } = await textOf(file);
  const notebook = file.path.slice(file.path.lastIndexOf('/') + 1).replace(NOTEBOOK_FILE, '');
  // Notes have no id in the export; those of the same second and title are distinguished by their order.
  const seen = new Map<string, number>();
  return readEnex(file.path, text).map((note) => {
    const title = note.title.trim() || 'Untitled';
    const same = itemKey('evernote', note.created, title);
    const count = (seen.get(same) ?? 0) + 1;
    seen.set(same, count);
    return {
      path: itemPath(notebook, title),
      read: () => ({
        key: count === 1 ? same : itemKey(same, `${count}`),
        title,
        url: note.source.trim() || null,
        text: markdownOf(note.content),
        tags: note.tags,
        folders: [[notebook]],
        created: evernoteTime(note.created),
        updated: evernoteTime(note.updated),
        remarks:
          note.attachments === 0
            ? []
            : [
                `Its ${note.attachments === 1 ? 'attachment was' : `${note.attachments} attachments were`} left out`,
              ],
      }),
    };
  });
}

export const evernote: ImportFormat = {
  id: 'evernote',
  async sources(_upload, files) {
    return (await Promise.all(files.map(notebookOf))).flat();
  },
};
