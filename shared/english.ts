/**
 * Numbers, dates and orders in English, without Intl: the first formatter, collator or `toLocaleString` of a page loads
 * language data of the browser, which takes 15 to 30 ms and four times that on a phone, at the moment when the first rows
 * are to be drawn.
 */

/** `12,345`; for whole numbers. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 page`, `1,200 pages`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `1 memory`, `12 memories`. */
export const countMemories = (count: number): string => countOf(count, 'memory', 'memories');

const MONTHS = [
  ...(['January', 'February', 'March', 'April', 'May', 'June', 'July'] as const),
  ...(['August', 'September', 'October', 'November', 'December'] as const),
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `November` */
export const monthName = (date: Date): string => MONTHS[date.getMonth()] ?? '';

/** `Friday` */
export const weekdayName = (date: Date): string => WEEKDAYS[date.getDay()] ?? '';

/** `27 November` */
export const formatDay = (date: Date): string => `${date.getDate()} ${monthName(date)}`;

/** `27 November 2026` */
export const formatDate = (date: Date): string => `${formatDay(date)} ${date.getFullYear()}`;

/** `18:30` */
export const formatClock = (date: Date): string =>
  `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;

/** `27 November 2026 at 18:30` */
export const formatMoment = (date: Date): string => `${formatDate(date)} at ${formatClock(date)}`;

/** Letters, digits and spaces, which every language orders alike; other names need the browser's collator. */
const PLAIN = /^(?:\d{1,15}(?!\d)|[a-z ])*$/i;
const orderOf = (name: string): string =>
  name.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(15, '0'));

function comparePlain(name: string, other: string): number {
  const [before, after] = [orderOf(name), orderOf(other)];
  return before < after ? -1 : Number(before > after);
}

/** Rows by name, whatever its case, and numbers in names by their value: `Week 9` before `Week 10`. */
export function sortedByName<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
  const isPlain = rows.every((row) => PLAIN.test(nameOf(row)));
  const { compare } = isPlain
    ? { compare: comparePlain }
    : new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  return rows.toSorted((a, b) => compare(nameOf(a), nameOf(b)));
}
