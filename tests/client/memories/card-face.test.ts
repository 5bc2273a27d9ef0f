/** What a card shows of a memory. */
import { describe, expect, it } from 'vitest';
import { bodyFields } from '#shared/memories/body.ts';
import { cardFace, sourceName } from '#client/memories/card-face.ts';
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

  it.each(['file', 'link'] as const)(
    'is the picture of a %s, only in the form that the server makes',
    (type) => {
      const picture = (thumbnail: string, size: object = { width: 400, height: 300 }) =>
        memoryRow({ type, metadata: { thumbnail, ...size } });
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
      expect(cardFace({ ...picture(small), type: 'note' }).kind).toBe('text');
    },
  );

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
