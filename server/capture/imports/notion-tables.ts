// Databases of a Notion export: tables beside a folder with a page for each row. A table whose rows have pages repeats them;
// any other becomes a note.
import { readFileText } from '#shared/capture/file-text.ts';
import { noteRefusal } from '../archive.ts';
import { markdownTable } from '../markdown-table.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { CUT_OFF, parseRecords } from './table.ts';
import type { UploadFile } from './upload.ts';

export const TABLE = /\s[\da-f]{32}(?:_all)?\.csv$/i;
const ALL_ROWS = /_all\.csv$/i;
const PAGE = /\s[\da-f]{32}\.md$/i;
const ID = /\s[\da-f]{32}$/i;
/** Notion shortens long titles in file names, and leaves out what is neither letter nor digit. */
const COMPARED = 20;

export interface NotionTable {
  /** The one with the most rows. */
  file: UploadFile;
  /** Also those that show a part of the rows. */
  files: readonly UploadFile[];
}

const comparable = (title: string) =>
  (title.trim() || 'Untitled')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
    .slice(0, COMPARED);

/** The tables that have a row without a page. */
export async function tablesWithoutPages(files: readonly UploadFile[]): Promise<NotionTable[]> {
  const databases = new Map<string, UploadFile[]>();
  const pages = new Map<string, Set<string>>();
  for (const file of files) {
    if (TABLE.test(file.path)) {
      const database = file.path.replace(/(?:_all)?\.csv$/i, '');
      databases.set(database, [...(databases.get(database) ?? []), file]);
    } else if (PAGE.test(file.path)) {
      const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')));
      const titles = pages.get(folder) ?? new Set();
      pages.set(folder, titles.add(comparable(file.path.slice(folder.length).replace(PAGE, ''))));
    }
  }
  const found: NotionTable[] = [];
  for (const [database, parts] of databases) {
    const file = parts.find(({ path }) => ALL_ROWS.test(path)) ?? parts[0];
    // The folder has the id only in older exports.
    const titles = [database, database.replace(ID, '')].flatMap((folder) => [...(pages.get(folder) ?? [])]);
    if (file && !(titles.length > 0 && (await haveAll(file, new Set(titles)))))
      found.push({ file, files: parts });
  }
  return found;
}

async function haveAll(file: UploadFile, titles: ReadonlySet<string>): Promise<boolean> {
  try {
    const [, ...rows] = await recordsOf(file);
    return rows.every(([title = '']) => titles.has(comparable(title)));
  } catch (error) {
    // The person is told when it is read in its turn.
    if (error instanceof UnreadableFile) return false;
    throw error;
  }
}

/** @throws UnreadableFile */
async function recordsOf(file: UploadFile): Promise<string[][]> {
  const refusal = noteRefusal(file);
  if (refusal !== null) throw new UnreadableFile(refusal);
  const read = readFileText(await file.unpack());
  if (read === undefined) throw new UnreadableFile('Its bytes are no text');
  const records = parseRecords(read.text.replace(/^\uFEFF/, ''), ',');
  if (records === undefined) throw new UnreadableFile(`It ${CUT_OFF}`);
  return records;
}

/** The table in Markdown. @throws UnreadableFile */
export async function readNotionTable({ file }: NotionTable): Promise<string> {
  return markdownTable(await recordsOf(file));
}
