/** Rows by their titles, for lists that narrow while a title is typed. Pure. */
import { foldText } from '#shared/memories/text-analysis.ts';

/** A row with its title as titles are compared; made once per list of rows. */
export interface Titled<T> {
  folded: string;
  row: T;
}

/** Rows whose title begins with what is typed, then those with a word that does, then those that hold it. */
export function rankTitles<T>(rows: readonly Titled<T>[], typed: string, most: number): T[] {
  const wanted = foldText(typed.trim());
  const [first, second, third]: [T[], T[], T[]] = [[], [], []];
  for (const { folded, row } of rows) {
    const at = folded.indexOf(wanted);
    if (at < 0) continue;
    if (at === 0) first.push(row);
    else if (folded.includes(` ${wanted}`)) second.push(row);
    else third.push(row);
    if (first.length >= most) break;
  }
  return [...first, ...second, ...third].slice(0, most);
}
