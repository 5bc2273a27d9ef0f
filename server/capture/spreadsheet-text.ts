// The text of Excel workbooks, also of Excel 97 to 2003, and of OpenDocument spreadsheets: one table for each sheet.
import { EncryptedFileError, HucreError, type CellValue, type Workbook } from 'hucre';
import { readOds } from 'hucre/ods';
import { readXls, readXlsx } from 'hucre/xlsx';
import { CAPTURE } from '#shared/capture/limits.ts';
import type { FileSource, FoundText } from './file-source.ts';
import { markdownTable } from './markdown-table.ts';
import { requirePart, unpackParts } from './packed-files.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** @throws UnreadableFile for an encrypted or damaged file, and for one of another kind */
export async function readSpreadsheet(source: FileSource): Promise<FoundText> {
  const { sheets, properties } = await readWorkbook(source);
  const texts: string[] = [];
  let characters = 0;
  for (const { name, rows } of sheets) {
    if (characters > CAPTURE.pageTextMax) break;
    const text = `## ${name}\n\n${markdownTable(rows.map((row) => row.map(cellText)))}`;
    characters += text.length;
    texts.push(text);
  }
  return {
    title: properties?.title ?? null,
    author: properties?.creator ?? null,
    text: texts.join('\n\n'),
    pages: sheets.length,
  };
}

async function readWorkbook({ kind, bytes }: FileSource): Promise<Workbook> {
  try {
    if (kind === 'xls') return await readXls(bytes);
    // Checks size and count of the parts before the library unpacks them.
    const parts = await unpackParts(bytes, (path) => path.endsWith('.xml'));
    requirePart(parts, kind === 'ods' ? 'content.xml' : 'xl/workbook.xml');
    return await (kind === 'ods' ? readOds(bytes) : readXlsx(bytes));
  } catch (error) {
    if (error instanceof EncryptedFileError)
      throw new UnreadableFile('This spreadsheet is protected with a password.');
    if (error instanceof HucreError) throw new UnreadableFile('This spreadsheet is damaged.');
    throw error;
  }
}

function cellText(value: CellValue): string {
  if (value instanceof Date) return dateText(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '');
}

/** Cells have no time zone; one of a time alone has the day 0 of the calendar of spreadsheets. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = date.toISOString().slice(0, 16).split('T');
  if (date.getUTCFullYear() < 1900) return time;
  return time === '00:00' ? day : `${day} ${time}`;
}
