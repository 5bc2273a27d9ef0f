/** What a card shows of a memory, and that its height follows from it. */
import { describe, expect, it } from 'vitest';
import { bodyFields } from '#shared/memories/body.ts';
import { cardFace, cardSize, sourceName } from '#client/memories/card-face.ts';
import { textWidth, wrappedLines } from '#client/memories/text-width.ts';
import { quickest } from '#tests/support/cpu-time.ts';
import { memoryRow } from '#tests/support/replica-rows.ts';

const note = (text: string, title: string | null = 'Title') => memoryRow({ title, ...bodyFields(text) });

describe('the face of a card', () => {
  it('is the code of a note that begins with some', () => {
    expect(cardFace(note('# Title\n\nRun this:\n\n```sh\nnpm ci\n\nnpm start\n```\nDone.'))).toEqual({
      kind: 'code',
      lead: 'Run this:',
      code: ['npm ci', '', 'npm start'],
    });
    const far = `${'A paragraph.\n\n'.repeat(9)}\`\`\`\ncode\n\`\`\``;
    expect(cardFace(note(far)).kind).toBe('text');
    expect(cardFace(note('```\n```')).kind).toBe('text');
  });

  it('is a list with what is done', () => {
    expect(cardFace(note('To pack\n- [x] **Tent**\n- [ ] Stove\n- Rope'))).toEqual({
      kind: 'list',
      lead: 'To pack',
      lines: [
        { text: 'Tent', done: true },
        { text: 'Stove', done: false },
        { text: 'Rope', done: undefined },
      ],
    });
    expect(cardFace(note('- one\n- two\nA longer text follows.\nAnd more.\nAnd more.')).kind).toBe('text');
  });

  it('is the picture of a file, only in the form that the server makes', () => {
    const picture = (thumbnail: string, size: object = { width: 400, height: 300 }) =>
      memoryRow({ type: 'file', filename: 'a.png', metadata: { thumbnail, ...size } });
    const small = 'data:image/webp;base64,UklGRg==';
    expect(cardFace(picture(small))).toMatchObject({
      kind: 'picture',
      width: 400,
      height: 300,
      isPage: false,
    });
    expect(cardFace(picture('https://example.com/a.png')).kind).toBe('text');
    expect(cardFace(picture(small, { width: 0, height: 300 })).kind).toBe('text');
    expect(cardFace(picture(small, {})).kind).toBe('text');
  });

  it('names the site or the file', () => {
    expect(sourceName(memoryRow({ url: 'https://www.a.example/x', metadata: { site: 'A' } }))).toBe('A');
    expect(sourceName(memoryRow({ url: 'https://www.a.example/x' }))).toBe('a.example');
    expect(sourceName(memoryRow({}))).toBeUndefined();
  });

  it('reads hostile text quickly', () => {
    const texts = [
      '- '.repeat(2_000),
      '`'.repeat(4_000),
      '[ '.repeat(2_000),
      '|'.repeat(4_000),
      '- [x'.repeat(1_000),
    ];
    for (const text of texts) expect(quickest(() => cardFace(note(text)), 20)).toBeLessThan(20);
  });
});

describe('the height of a card', () => {
  it('grows with its text up to a limit, and shrinks with room', () => {
    const heightOf = (text: string, width = 260) => cardSize(note(text), width).height;
    expect(heightOf('')).toBeLessThan(heightOf('A few words.'));
    expect(heightOf('word '.repeat(40))).toBeLessThan(heightOf('word '.repeat(80)));
    expect(heightOf('word '.repeat(300))).toBe(heightOf('word '.repeat(900)));
    expect(heightOf('word '.repeat(40), 500)).toBeLessThan(heightOf('word '.repeat(40)));
  });

  it('keeps the shape of a picture, within limits', () => {
    const part = (width: number, height: number, facts: object = {}) =>
      cardSize(
        memoryRow({
          type: 'file',
          metadata: { thumbnail: 'data:image/webp;base64,UklGRg==', width, height, ...facts },
        }),
        302,
      ).part;
    expect(part(600, 300)).toBe(150);
    expect(part(100, 100_000)).toBe(420);
    expect(part(100_000, 100)).toBe(96);
    // Of a page, which is high, the top is shown.
    expect(part(451, 640, { pages: 3 })).toBe(200);
  });
});

describe('the width of a text', () => {
  it('follows its characters', () => {
    expect(textWidth('iiii', 12)).toBeLessThan(textWidth('mmmm', 12));
    expect(textWidth('漢字', 12)).toBeGreaterThan(textWidth('ab', 12));
    expect(textWidth('', 12)).toBe(0);
  });

  it('gives lines, a paragraph at least one', () => {
    expect(wrappedLines([], 100, 5)).toBe(0);
    expect(wrappedLines([10, 100], 100, 5)).toBe(2);
    expect(wrappedLines([101], 100, 5)).toBe(2);
    expect(wrappedLines([10_000], 100, 5)).toBe(5);
  });
});
