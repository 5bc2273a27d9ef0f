/** The small pure parts of the primitives: ages, initials, key caps, safe links, blocks of Markdown. */
import { describe, expect, it } from 'vitest';
import { initialsOf } from '#client/ui/avatar-face.ts';
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
