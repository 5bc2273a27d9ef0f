// Titles of files: the person's own, else that in the file's metadata, else its name.
import { LIMITS } from '../constants.ts';

/** The name without its extension. */
export function titleOfFilename(filename: string): string {
  const title = filename.replace(/\.[^.]+$/, '').trim();
  return (title === '' ? filename : title).slice(0, LIMITS.title).toWellFormed();
}

/** Default titles of programs, and file names in place of a title. */
const NO_TITLE =
  /^(?:untitled|title|unknown|(?:word |powerpoint )?(?:document|presentation|workbook|slide)|book)[ -]*\d*$|^microsoft \w+ - |\.[a-z]{3,4}$/i;

/**
 * The title of a memory whose page or file was read: the title in the content replaces a missing one, and the file name used as
 * a title.
 */
export function titleAfterReading(
  { title, filename }: { title: string | null; filename: string | null },
  own: string | null,
): string | null {
  if (title === null) return own;
  if (filename === null || title !== titleOfFilename(filename)) return title;
  return own === null || NO_TITLE.test(own) ? title : own;
}
