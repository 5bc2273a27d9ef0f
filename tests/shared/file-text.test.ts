// What becomes of the bytes of a file: every encoding that notes come in, and bytes that are none.
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { readFileText } from '#shared/capture/file-text.ts';

const WORDS = 'Größe, naïve façade — “quoted” €5';
/** Windows-1252, byte for byte. */
const WESTERN = Uint8Array.from(
  [...'Gr\xf6\xdfe, na\xefve fa\xe7ade \x97 \x93quoted\x94 \x805'].map((char) => char.charCodeAt(0)),
);
const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, { big }: { big: boolean }): Uint8Array {
  const marked = `\uFEFF${text}`;
  const view = new DataView(new ArrayBuffer(marked.length * 2));
  for (let at = 0; at < marked.length; at += 1) view.setUint16(at * 2, marked.charCodeAt(at), !big);
  return new Uint8Array(view.buffer);
}

describe('the text of a file', () => {
  test('in UTF-8 is read without a remark, with and without a mark', () => {
    expect(readFileText(utf8(WORDS))).toEqual({ text: WORDS });
    expect(readFileText(utf8(`\uFEFF${WORDS}`))).toEqual({ text: WORDS });
    expect(readFileText(new Uint8Array())).toEqual({ text: '' });
  });

  test('in UTF-16 is read where a mark says so, either way round', () => {
    expect(readFileText(utf16(WORDS, { big: false }))).toEqual({ text: WORDS });
    expect(readFileText(utf16(WORDS, { big: true }))).toEqual({ text: WORDS });
  });

  test('in Windows-1252 is read, and the remark says so', () => {
    const read = readFileText(WESTERN);
    expect(read?.text).toBe(WORDS);
    expect(read?.remark).toContain('Windows-1252');
  });

  test('in UTF-8 with a broken place keeps all its other letters', () => {
    const bytes = utf8(`${WORDS} 🍐`).slice(0, -1);
    const read = readFileText(bytes);
    expect(read?.text).toBe(`${WORDS} \uFFFD`);
    expect(read?.remark).toContain('1 place');
  });

  test.each([
    ['a picture', [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00]],
    ['an odd half of UTF-16', [0xff, 0xfe, 0x41, 0x00, 0x42]],
    ['UTF-32', [0xff, 0xfe, 0x00, 0x00, 0x41, 0x00, 0x00, 0x00]],
    ['a lone surrogate in UTF-16', [0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]],
    ['places that Windows-1252 leaves empty', [0x41, 0x81, 0x42]],
    ['bytes with an end in the middle', [0x41, 0xe9, 0x00, 0x42]],
  ])('is none in %s', (_what, bytes) => {
    expect(readFileText(Uint8Array.from(bytes))).toBeUndefined();
  });

  test('comes back whole from UTF-8, and no bytes at all make it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(readFileText(utf8(text))?.text).toBe(text.replace(/^\uFEFF/, ''));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const read = readFileText(bytes);
        if (read === undefined || read.remark !== undefined) return;
        expect(read.text.isWellFormed()).toBe(true);
      }),
    );
  });
});
