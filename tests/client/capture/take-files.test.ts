/** What becomes of files from outside: notes, an import, or a named refusal; never nothing. */
import { describe, expect, it } from 'vitest';
import { FILES } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import { refusedMessage, sortFiles } from '#client/capture/take-files.ts';

const file = (name: string, content: string | Uint8Array<ArrayBuffer>, type = '') =>
  new File([content], name, { type });

describe('files from outside', () => {
  it('become notes with the heading or the name as title', async () => {
    const { texts } = await sortFiles([
      file('bread.md', '# Sourdough\n\nWater and flour.'),
      file('list.txt', 'eggs\nmilk'),
      file('links.md', 'https://a.example/\nhttps://b.example/'),
    ]);
    expect(texts.map(({ captured }) => captured)).toEqual([
      { kind: 'note', title: 'Sourdough', notes: 'Water and flour.' },
      { kind: 'note', title: 'list', notes: 'eggs\nmilk' },
      { kind: 'note', title: 'links', notes: 'https://a.example/\nhttps://b.example/' },
    ]);
  });

  it('go to the import as a zip, one at a time', async () => {
    const { zip, refused } = await sortFiles([file('a.zip', 'x'), file('b.ZIP', 'x')]);
    expect(zip?.name).toBe('a.zip');
    expect(refused).toEqual([{ name: 'b.ZIP', reason: 'one export is imported at a time' }]);
  });

  it('go to the import when their content is an export of another product', async () => {
    const page = file('bookmarks.html', '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p></DL>', 'text/html');
    expect((await sortFiles([page])).zip?.name).toBe('bookmarks.html');
    const { zip, uploads } = await sortFiles([file('page.html', '<!doctype html><p>Hello', 'text/html')]);
    expect(zip).toBeUndefined();
    expect(uploads.map(({ file: { name } }) => name)).toEqual(['page.html']);
  });

  it('are refused by name and reason, and not cut', async () => {
    const { texts, refused } = await sortFiles([
      file('photo.jpg', new Uint8Array([255, 216]), 'image/jpeg'),
      file('empty.md', ''),
      file('blank.md', ' \n'),
      file('picture.txt', new Uint8Array([0xff, 0xd8, 0x00, 0x10])),
      file('binary.txt', new Uint8Array([0x67, 0, 0x6e])),
      file('long.log', 'x'.repeat(LIMITS.notes + 1), 'text/plain'),
      file('longer.log', 'x'.repeat(4 * LIMITS.notes + 1), 'text/plain'),
    ]);
    expect(texts).toEqual([]);
    expect(refused.map(({ name }) => name)).toEqual([
      'photo.jpg',
      'empty.md',
      'blank.md',
      'picture.txt',
      'binary.txt',
      'long.log',
      'longer.log',
    ]);
    expect(refused.map(({ reason }) => reason)).not.toContain('');
    expect(refusedMessage(refused)).toContain('And 2 more.');
  });

  it('are uploaded when they are of a kind that the server takes', async () => {
    const { uploads, texts, refused } = await sortFiles([
      file('Harbour plan.pdf', '%PDF-1.7 and so on'),
      file('photo.JPG', new Uint8Array([255, 216, 255, 224])),
      file('page.html', '<p>Hello'),
      file('long.md', 'x'.repeat(LIMITS.notes + 1)),
      file('longer.txt', 'x'.repeat(4 * LIMITS.notes + 1)),
    ]);
    expect(refused).toEqual([]);
    expect(texts).toEqual([]);
    expect(uploads.map(({ title }) => title)).toEqual(['Harbour plan', 'photo', 'page', 'long', 'longer']);
  });

  it('that lie about their kind, are empty, too large or run scripts stay outside', async () => {
    const large = new File([new Uint8Array(FILES.maxBytes + 1)], 'large.pdf');
    const { uploads, refused } = await sortFiles([
      file('page.png', '<html><script>alert(1)</script>', 'image/png'),
      file('empty.pdf', ''),
      large,
      file(
        'drawing.svg',
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        'image/svg+xml',
      ),
      file('letter.RTF', '{\\rtf1'),
      file('binary.html', new Uint8Array([60, 0, 62])),
      file('program.exe', 'MZ'),
    ]);
    expect(uploads).toEqual([]);
    expect(refused).toEqual([
      { name: 'page.png', reason: 'its content is not what its name says (PNG image)' },
      { name: 'empty.pdf', reason: 'it is empty' },
      { name: 'large.pdf', reason: 'it is larger than 25 MB' },
      { name: 'drawing.svg', reason: 'files of this kind cannot be saved; save it as JPEG or PNG instead' },
      { name: 'letter.RTF', reason: 'files of this kind cannot be saved; save it as DOCX or PDF instead' },
      { name: 'binary.html', reason: 'its content is not what its name says (Web page)' },
      { name: 'program.exe', reason: 'files of this kind cannot be saved' },
    ]);
  });

  it('of older editors are read and listed for review', async () => {
    const { texts, refused } = await sortFiles([file('latin.txt', new Uint8Array([0x67, 0x72, 0xfc, 0x6e]))]);
    expect(refused).toEqual([]);
    expect(texts[0]?.captured).toEqual({ kind: 'note', title: 'latin', notes: 'grün' });
    expect(texts[0]?.remark).toContain('Windows-1252');
  });

  it('of exactly the longest text are saved whole', async () => {
    const { texts } = await sortFiles([file('long.md', 'é'.repeat(LIMITS.notes))]);
    expect(texts[0]?.captured).toEqual({ kind: 'note', title: 'long', notes: 'é'.repeat(LIMITS.notes) });
  });
});
