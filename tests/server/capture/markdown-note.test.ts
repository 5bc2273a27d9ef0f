// What becomes of a Markdown file: title, dates, tags, text; and that no input loses words or throws.
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { readMarkdownNote, splitLongNotes } from '#server/capture/markdown-note.ts';
import { LIMITS } from '#shared/constants.ts';
import { isStorableText } from '#shared/define/fields.ts';

const MODIFIED = '2026-08-22T14:04:00.000Z';
const read = (text: string, path = 'garden/grow-tomatoes.md') =>
  readMarkdownNote({ path, text, modified: MODIFIED }, true);

describe('a Markdown file', () => {
  test('gives its first heading as title and keeps the rest as text', () => {
    const note = read('# Grow tomatoes\n\nWater them **daily**.\n');
    expect(note).toMatchObject({
      title: 'Grow tomatoes',
      notes: 'Water them **daily**.\n',
      tags: ['garden'],
      created: MODIFIED,
      updated: MODIFIED,
      warnings: [],
    });
  });

  test('takes title, dates, tags and address from its front matter', () => {
    const note = read(
      '---\ntitle: Tomatoes\ndate: 2020-05-04\nupdated: 2021-06-07T08:09:10Z\ntags: [Garden, "#Summer", food]\nurl: https://example.com/t\n---\n# Grow tomatoes\nText',
    );
    expect(note).toMatchObject({
      title: 'Tomatoes',
      created: '2020-05-04T00:00:00.000Z',
      updated: '2021-06-07T08:09:10.000Z',
      tags: ['garden', 'summer', 'food'],
      url: 'https://example.com/t',
    });
    expect(note.notes).toContain('# Grow tomatoes');
  });

  test('without heading is named after its file', () => {
    expect(read('just text').title).toBe('grow tomatoes');
    expect(read('', 'a/---.md').title).toBe('Untitled');
  });

  test.each([
    ['2024-03-04.md', '2024-03-04'],
    ['journal/2024-03-04 Words.md', '2024-03-04 Words'],
    ['2024-03-04-some-words.md', '2024-03-04 some words'],
    ['2024-03-04_words.md', '2024-03-04 words'],
  ])('named %s is of that day, which its title keeps', (path, title) => {
    const created = '2024-03-04T00:00:00.000Z';
    expect(read('text', path)).toMatchObject({ title, created, updated: created, warnings: [] });
    expect(read('# Heading', path)).toMatchObject({ title: 'Heading', created });
    expect(read('---\ndate: 2020-05-04\n---\n', path)).toMatchObject({
      title,
      created: '2020-05-04T00:00:00.000Z',
    });
    expect(read('---\ndate: last week\n---\n', path)).toMatchObject({ created });
  });

  test.each([
    ['2024-13-40.md', '2024 13 40'],
    ['2023-02-29.md', '2023 02 29'],
    ['0000-01-01.md', '0000 01 01'],
    ['2024-03-041.md', '2024 03 041'],
    ['v2024-03-04.md', 'v2024 03 04'],
  ])('named %s is of no day', (path, title) => {
    expect(read('text', path)).toMatchObject({ title, created: MODIFIED, warnings: [] });
  });

  test('with broken front matter keeps it as text and says so', () => {
    const note = read('---\ntitle: "unclosed\n tags: [a\n---\nBody');
    expect(note.notes).toContain('unclosed');
    expect(note.notes).toContain('Body');
    expect(note.warnings).toHaveLength(1);
  });

  test('with an alias bomb is read as text, quickly', () => {
    const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n---\nBody`;
    expect(read(bomb).warnings.length).toBeGreaterThan(0);
  });

  test('with a script address keeps the text and leaves the address out', () => {
    expect(read('---\nurl: "javascript:alert(1)"\n---\nx')).toMatchObject({ url: null });
  });

  test('with dates beyond reason falls back to the archive date', () => {
    expect(read('---\ndate: 9999999-01-01\n---\nx')).toMatchObject({ created: MODIFIED });
  });

  test('never throws and always gives storable text within the limits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.boolean(), (body, front) => {
        const note = read(front ? `---\n${body}\n---\n${body}` : body);
        expect(isStorableText(note.notes) && isStorableText(note.title)).toBe(true);
        expect(note.title.length).toBeGreaterThan(0);
        expect(note.title.length).toBeLessThanOrEqual(LIMITS.title);
        for (const tag of note.tags) expect(tag.length).toBeLessThanOrEqual(LIMITS.tag);
      }),
    );
  });
});

describe('a text longer than a note may be', () => {
  test('is split at headings and loses nothing', () => {
    const text = Array.from({ length: 400 }, (_, n) => `## Part ${n}\n\n${'word '.repeat(80)}\n\n`).join('');
    const parts = splitLongNotes(text, 10_000);
    expect(parts.join('')).toBe(text);
    expect(parts.every((part) => part.length <= 10_000)).toBe(true);
    expect(parts.slice(1).every((part) => part.startsWith('## Part'))).toBe(true);
  });

  test('is never cut inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
        fc.integer({ min: 4, max: 40 }),
        (text, max) => {
          const parts = splitLongNotes(text, max);
          expect(parts.join('')).toBe(text);
          expect(parts.every((part) => part.length <= max && part.isWellFormed())).toBe(true);
        },
      ),
    );
  });
});
