/**
 * Days of the reader's own calendar: stored moments are in UTC, and a late evening belongs to the day it was lived in.
 * Pure but for the time zone of the device.
 */
import { formatDate, formatDay, monthName } from '#shared/english.ts';

/** The day of a moment as `2026-11-21`. */
export function localDay(at: string | number | Date): string {
  const date = new Date(at);
  const part = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** The month of a moment as `2026-11`. */
export function localMonth(at: string | number | Date): string {
  return localDay(at).slice(0, 7);
}

/** Noon of a day as `2026-11-21` on the reader's calendar: a change of the clock does not move it to another day. */
export function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00`);
}

/** Words for a day: today, yesterday, else its date, with the year where it is another one. */
export function dayLabel(day: string, now: Date = new Date()): string {
  if (day === localDay(now)) return 'Today';
  const before = new Date(now);
  before.setDate(before.getDate() - 1);
  if (day === localDay(before)) return 'Yesterday';
  return (day.slice(0, 4) === localDay(now).slice(0, 4) ? formatDay : formatDate)(noonOf(day));
}

/** Words for a month, as `November 2026`. */
export function monthLabel(month: string): string {
  return `${monthName(noonOf(`${month}-01`))} ${month.slice(0, 4)}`;
}
