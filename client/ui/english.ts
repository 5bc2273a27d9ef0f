/**
 * Numbers and dates in English, without Intl: the first formatter or `toLocaleString` of a page loads the language data of the
 * browser, which takes 30 ms and four times that on a phone, at the moment when the first rows are to be drawn.
 */

/** `12,345`; for whole numbers. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

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
