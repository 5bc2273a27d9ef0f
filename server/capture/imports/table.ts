// Tables as products export them: comma-separated values with a line of names.
import { parse, CsvError } from 'csv-parse/sync';
import { AppError } from '#shared/errors.ts';
import { textOf, type UploadFile } from './upload.ts';

/** One row; a column that is missing is empty. */
export type TableRow = (column: string) => string;

/** The rows of several tables in order. @throws invalid when one is damaged */
export async function readTables(files: readonly UploadFile[]): Promise<TableRow[]> {
  return (await Promise.all(files.map(readTable))).flat();
}

/** The rows below the names, which are compared without case. @throws invalid when the table is damaged */
export async function readTable(file: UploadFile): Promise<TableRow[]> {
  const { text } = await textOf(file);
  // Spreadsheets of some countries separate by semicolons.
  const separator = text.split('\n', 1)[0]?.includes(',') === false ? ';' : ',';
  const records = parseRecords(text, separator);
  if (records === undefined) throw new AppError('invalid', `file: ${file.path} ${CUT_OFF}`);
  const [names = [], ...rows] = records;
  const at = new Map(names.map((name, index) => [name.trim().toLowerCase(), index]));
  return rows.map((row) => (column) => row[at.get(column.toLowerCase()) ?? -1] ?? '');
}

export const CUT_OFF = 'is damaged or was cut off: a quoted cell does not end';

/** All lines of a table; undefined for a damaged one. */
export function parseRecords(text: string, separator: ',' | ';'): string[][] | undefined {
  try {
    return parse(text, {
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      delimiter: separator,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return undefined;
  }
}
