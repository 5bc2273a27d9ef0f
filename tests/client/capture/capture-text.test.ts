/** What the capture field makes of a text. */
import { expect, it } from 'vitest';
import { LIMITS } from '#shared/constants.ts';
import { asUrl, readCapture } from '#client/capture/capture-text.ts';

it('takes blank text for nothing', () => {
  expect(readCapture(' \n\t ')).toEqual({ kind: 'empty' });
});

it('takes plain text for a note without title', () => {
  expect(readCapture('milk\neggs')).toEqual({ kind: 'note', title: null, notes: 'milk\neggs' });
});

it('makes a heading in the first line the title', () => {
  expect(readCapture('# Shopping\n\nmilk')).toEqual({ kind: 'note', title: 'Shopping', notes: 'milk' });
  expect(readCapture('# Alone')).toEqual({ kind: 'note', title: 'Alone', notes: null });
});

it('leaves a heading that is too long for a title in the text', () => {
  const text = `# ${'x'.repeat(LIMITS.title + 1)}`;
  expect(readCapture(text)).toEqual({ kind: 'note', title: null, notes: text });
});

it('takes one address for a link, with the lines below as its notes', () => {
  expect(readCapture(' https://a.example/x ')).toEqual({
    kind: 'link',
    url: 'https://a.example/x',
    notes: null,
  });
  expect(readCapture('https://a.example/x\nread later')).toEqual({
    kind: 'link',
    url: 'https://a.example/x',
    notes: 'read later',
  });
});

it('takes several addresses, on one line or many, for a list without doubles', () => {
  expect(readCapture('https://a.example\r\nwww.b.example/1 https://a.example')).toEqual({
    kind: 'links',
    urls: ['https://a.example', 'https://www.b.example/1'],
  });
  expect(readCapture('https://a.example https://a.example')).toMatchObject({ kind: 'link' });
});

it('takes the points of a list for addresses, when they are nothing else', () => {
  expect(readCapture('- https://a.example\n2. https://b.example')).toEqual({
    kind: 'links',
    urls: ['https://a.example', 'https://b.example'],
  });
  expect(readCapture('- https://a.example\n- milk')).toMatchObject({ kind: 'note' });
});

it('treats an address inside a sentence as text', () => {
  expect(readCapture('see https://a.example for more')).toMatchObject({ kind: 'note' });
});

it('takes no file name, other scheme or overlong address for a link', () => {
  expect(asUrl('readme.md')).toBeUndefined();
  expect(asUrl('javascript:alert(1)')).toBeUndefined();
  expect(asUrl(`https://a.example/${'x'.repeat(LIMITS.url)}`)).toBeUndefined();
});

it('reports by how much a text is too long instead of cutting it', () => {
  expect(readCapture('x'.repeat(LIMITS.notes + 3))).toEqual({ kind: 'too_long', over: 3 });
});
