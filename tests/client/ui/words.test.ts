/** The small pure parts of the primitives: ages, initials, key caps, safe links, blocks of Markdown. */
import { describe, expect, it } from 'vitest';
import { initialsOf } from '#client/ui/avatar-face.ts';
import {
  formatClock,
  formatCount,
  formatDate,
  formatDay,
  formatMoment,
  sortedByName,
  weekdayName,
} from '#shared/english.ts';
import { keyCaps, spokenKeys } from '#client/ui/key-names.ts';
import { safeLink } from '#shared/markdown/safe-link.ts';
import { relativeAge } from '#client/ui/relative-age.ts';

const MINUTE = 60_000;

describe('an age', () => {
  it.each([
    [0, 'now'],
    [59_000, 'now'],
    [MINUTE, '1 minute ago'],
    [59 * MINUTE, '59 minutes ago'],
    [60 * MINUTE, '1 hour ago'],
    [24 * 60 * MINUTE, 'yesterday'],
    [8 * 24 * 60 * MINUTE, 'last week'],
    [400 * 24 * 60 * MINUTE, 'last year'],
  ])('of %d ms is said as "%s"', (age, words) => {
    const now = Date.UTC(2026, 10, 20);
    expect(relativeAge(now - age, now)).toBe(words);
  });
});

describe('English without Intl', () => {
  const DAYS = Array.from({ length: 400 }, (_, day) => new Date(2025, 11, 1 + day, day % 24, (day * 7) % 60));

  it.each<[string, (date: Date) => string, Intl.DateTimeFormatOptions]>([
    ['a day', formatDay, { day: 'numeric', month: 'long' }],
    ['a date', formatDate, { dateStyle: 'long' }],
    ['a time of day', formatClock, { hour: '2-digit', minute: '2-digit' }],
    ['a moment', formatMoment, { dateStyle: 'long', timeStyle: 'short' }],
    ['a day of the week', weekdayName, { weekday: 'long' }],
  ])('writes %s as Intl does', (_name, format, options) => {
    const reference = new Intl.DateTimeFormat('en-GB', options);
    for (const date of DAYS) expect(format(date)).toBe(reference.format(date));
  });

  it.each([0, 7, 999, 1_000, 12_345, 1_234_567, 1_000_000_000])(
    'writes the count %d as Intl does',
    (count) => {
      expect(formatCount(count)).toBe(count.toLocaleString('en'));
    },
  );

  it('orders names as Intl does, with other letters than English ones too', () => {
    const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
    const plain = [
      'week 10',
      'Week 9',
      'week 09',
      'WEEK 9b',
      'a',
      'A',
      'a b',
      'ab',
      '',
      '10',
      '9',
      'a1b2',
      'a1b10',
      'z 1',
    ];
    const sets = [plain, [...plain, 'Zoë', 'zoe b', 'Ärger', '日本', 'a-b', `1${'0'.repeat(30)}`]];
    for (const names of sets)
      for (const given of [names, names.toReversed(), names.toSorted()])
        expect(sortedByName(given, (name) => name)).toEqual(given.toSorted(compare));
  });

  it.each([1, 2, 5, 13, 45, 200, 900])('says the distance of %d days as Intl does', (days) => {
    const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
    const units = [
      ['year', 365],
      ['month', 30],
      ['week', 7],
      ['day', 1],
    ] as const;
    const [unit, size] = units.find(([, length]) => days >= length) ?? ['day', 1];
    for (const way of [-1, 1])
      expect(relativeAge(way * days * 86_400_000, 0)).toBe(
        format.format(way * Math.trunc(days / size), unit),
      );
  });
});

describe('initials', () => {
  it.each([
    ['Ada Lovelace', 'AL'],
    ['ada', 'A'],
    ['jean-luc picard', 'JP'],
    ['  ', '?'],
    ['😀 smile', '😀S'],
    ['érable', 'É'],
  ])('of "%s" are "%s"', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe('key caps', () => {
  it.each([
    ['g h', [['G'], ['H']]],
    ['$mod+k', [['Ctrl', 'K']]],
    ['[Shift]+[Alt]+?', [['?']]],
    ['[Shift]+[Alt]+[', [['[']]],
    ['$mod+.', [['Ctrl', '.']]],
    ['$mod+Shift+l', [['Ctrl', 'Shift', 'L']]],
  ])('of %s', (keys, caps) => {
    expect(keyCaps(keys, false)).toEqual(caps);
  });

  it('are signs on Apple keyboards and words for the ear', () => {
    expect(keyCaps('$mod+Shift+l', true)).toEqual([['⌘', '⇧', 'L']]);
    expect(spokenKeys('$mod+Shift+l', true)).toBe('Command Shift L');
    expect(spokenKeys('g h', false)).toBe('G then H');
    expect(keyCaps('Alt+ArrowUp', false)).toEqual([['Alt', '↑']]);
    expect(spokenKeys('Alt+ArrowDown', true)).toBe('Option Down');
  });
});

describe('links of foreign text', () => {
  it.each(['https://example.com/a?b#c', 'http://example.com', 'mailto:ada@example.com', '#note'])(
    'keep %s',
    (link) => {
      expect(safeLink(link)).toBe(link);
    },
  );

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    '//evil.example',
    '/v1/auth/logout',
    'data:text/html,x',
    'ftp://example.com',
    'https://',
    'vbscript:x',
  ])('drop %j', (link) => {
    expect(safeLink(link)).toBeUndefined();
  });
});
