/** Days are those of the reader's calendar, not of the stored UTC moments. */
import { afterEach, expect, it } from 'vitest';
import { dayLabel, localDay, localMonth, monthLabel } from '#client/ui/local-day.ts';

const before = process.env['TZ'];

afterEach(() => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
});

it('puts a late evening on the day it was lived in', () => {
  process.env['TZ'] = 'Pacific/Auckland';
  expect(localDay('2026-11-20T23:30:00.000Z')).toBe('2026-11-21');
  expect(localMonth('2026-10-31T23:30:00.000Z')).toBe('2026-11');
  process.env['TZ'] = 'America/Los_Angeles';
  expect(localDay('2026-11-21T03:00:00.000Z')).toBe('2026-11-20');
  expect(localMonth('2026-12-01T03:00:00.000Z')).toBe('2026-11');
});

it('calls days today, yesterday or by their date, also around a change of clocks', () => {
  process.env['TZ'] = 'Europe/Berlin';
  const now = new Date('2026-10-25T23:30:00.000Z');
  expect(dayLabel('2026-10-26', now)).toBe('Today');
  expect(dayLabel('2026-10-25', now)).toBe('Yesterday');
  expect(dayLabel('2026-10-24', now)).toBe('24 October');
  expect(dayLabel('2025-10-24', now)).toBe('24 October 2025');
  expect(monthLabel('2026-03')).toBe('March 2026');
});
