/** The text of uploaded files: every kind, from the upload to search, answers and assistants; and files that attack. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fileKindOf, type FileKind } from '#shared/capture/file-kinds.ts';
import { FILES } from '#shared/capture/limits.ts';
import type { Id } from '#shared/ids.ts';
import { abandonPage, capturePage } from '#server/capture/capture-page.ts';
import { readFileInProcess } from '#server/capture/file-reader.ts';
import { runInProcess } from '#server/jobs/run-in-process.ts';
import { answerMessage } from '#server/threads/answer-message.ts';
import { createCast } from '#tests/support/build.ts';
import { uploadFile } from '#tests/support/upload.ts';
import { openWorld } from '#tests/support/world.ts';
import { zipOf } from '#tests/support/zip.ts';
import { itLong } from '#tests/support/long-test.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/files');
const fixture = (name: string) => readFileSync(path.join(FOLDER, name));

const world = await openWorld();
const cast = await createCast(world);
// Starts the search worker, which on a busy machine takes longer than one search waits for it.
await cast.alice.api('memory.search', { body: { workspaceId: cast.workspaceId, query: 'start' } });

/** Uploads a file and does what its job would. */
async function saved(bytes: Uint8Array, name: string, title?: string) {
  const { workspaceId, alice } = cast;
  const { json } = await uploadFile(world, alice, { workspaceId, bytes, name, payload: { title } });
  const id: Id<'memory'> = json.result.id;
  await capturePage(world.context, { workspaceId, memoryId: id });
  const { result } = await alice.api('memory.get', { params: { workspaceId, id } });
  const page = await alice.raw('GET', `/v1/memories/${workspaceId}/${id}/page`);
  return { ...result, text: page.status === 200 ? page.text : null };
}

const LAUNCHES = '| Seagull | 1987-05-17 | 4 |\n| Old Margaret | 2003-11-02 13:30 | 11 |';

describe('a file', () => {
  it.each([
    [
      'lighthouse-log.pdf',
      'relit on the ninth of March after the glazier replaced eleven panes',
      { pages: 2 },
    ],
    ['harbour-rules.docx', 'Boats longer than **fourteen metres** moor', {}],
    ['beekeeping.pptx', '## Slide 2\n\nFeed fondant when the hive weighs less', { pages: 2 }],
    ['seeds.xlsx', '| Kohlrabi | 9 | TRUE |\n| Sea \\| kale | 14 | FALSE |', { pages: 2 }],
    ['launches.xlsx', LAUNCHES, { pages: 2 }],
    ['launches.xls', LAUNCHES, { pages: 2 }],
    ['launches.ods', LAUNCHES, { pages: 2 }],
    ['clock-repair.odt', '# Clock repair\n\nThe escapement wheel is oiled', {}],
    ['tides.epub', 'uncovers the sandbank called Old Margaret', { language: 'en' }],
    ['marmalade.html', 'Soak the peel overnight in two litres', {}],
    ['berths.csv', '````\nBerth;Boat\nNorth 7;Seagull', {}],
  ])('like %s gives its text', async (name, words, facts) => {
    const memory = await saved(fixture(name), name);
    expect(memory.text).toContain(words);
    expect(memory).toMatchObject({
      type: 'file',
      contentStatus: 'completed',
      filename: name,
      metadata: facts,
    });
    expect(memory.metadata).not.toHaveProperty('statusReason');
  });

  it.each([
    ['a title of its own', 'lighthouse-log.pdf', undefined, 'Lighthouse log'],
    ['no title', 'berths.csv', undefined, 'berths'],
    ['a title that a person gave', 'tides.epub', 'Ebb and flood', 'Ebb and flood'],
  ])('with %s keeps it', async (_what, name, title, expected) => {
    const memory = await saved(Buffer.concat([fixture(name), Buffer.from('\n')]), name, title);
    expect(memory).toMatchObject({ title: expected, filename: name });
  });

  it('is found by its text, quoted in answers, and not by others', async () => {
    const { workspaceId, alice, eve, evesWorkspaceId } = cast;
    const search = (query: string) => alice.api('memory.search', { body: { workspaceId, query } });
    const { result } = await search('"sandbank called Old Margaret"');
    expect(result).toMatchObject([{ filename: 'tides.epub', snippets: [{ field: 'page' }] }]);
    const foreign = await eve.api('memory.search', {
      body: { workspaceId: evesWorkspaceId, query: 'sandbank' },
    });
    expect(foreign.result).toEqual([]);
    const thread = await alice.api('thread.create', { body: { workspaceId, name: 'Light' } });
    const params = { workspaceId, threadId: thread.result.id };
    const asked = await alice.api('message.create', {
      params,
      body: { content: 'Who replaced the panes of glass in the lantern room?' },
    });
    await answerMessage(world.context, { workspaceId, messageId: asked.result.message.id });
    const { result: messages } = await alice.api('message.list', { params, query: { role: 'assistant' } });
    expect(messages[0]?.content).toContain('the glazier replaced eleven panes');
  });

  it('with a picture has its size and a small version without place and camera', async () => {
    for (const name of ['sun.png', 'sun.jpg', 'sun.webp', 'sun.gif', 'sun.avif']) {
      const { contentStatus, metadata, text } = await saved(fixture(name), name);
      const small = String(metadata['thumbnail']);
      expect([name, contentStatus, text]).toEqual([name, 'completed', null]);
      expect(metadata).toMatchObject(
        name === 'sun.avif' ? { width: 64, height: 36 } : { width: 640, height: 360 },
      );
      const picture = Buffer.from(small.replace('data:image/webp;base64,', ''), 'base64');
      expect(picture.length).toBeLessThanOrEqual(FILES.thumbnailBytesMax);
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp' });
      expect((await sharp(picture).metadata()).exif).toBeUndefined();
    }
  });

  it.each(['mp3', 'm4a', 'ogg', 'flac', 'wav'])(
    'of sound (%s) keeps its tags and length',
    async (extension) => {
      const memory = await saved(fixture(`foghorn.${extension}`), `foghorn.${extension}`);
      expect(memory).toMatchObject({
        title: 'The foghorn of Skerry Point',
        contentStatus: 'completed',
        metadata: { author: 'Marta Quill', seconds: 3 },
      });
      expect(memory.text).toContain('- Artist: Marta Quill\n- Album: Coast radio');
      expect(memory.text).toContain('- Genre: Podcast\n- Released: 2019-05-04');
      expect(memory.text).toContain('while the compressor was being repaired.');
    },
  );

  it('of sound has its cover, chapters and lyrics', async () => {
    const mp3 = await saved(Buffer.concat([fixture('foghorn.mp3'), Buffer.from('\0')]), 'foghorn.mp3');
    const m4a = await saved(Buffer.concat([fixture('foghorn.m4a'), Buffer.from('\0')]), 'foghorn.m4a');
    for (const { metadata, text } of [mp3, m4a]) {
      const cover = Buffer.from(
        String(metadata['thumbnail']).replace('data:image/webp;base64,', ''),
        'base64',
      );
      expect(await sharp(cover).metadata()).toMatchObject({ format: 'webp', width: 96, height: 54 });
      expect(text).toContain('## Chapters\n\n- 0:00 A winter without signals\n- 0:01 The diaphragm is cast');
    }
    expect(mp3.text).toContain('## Lyrics\n\nLow water, long light  \nthe horn goes round');
  });

  it('of sound with a damaged cover is read without it', async () => {
    const bytes = fixture('foghorn.m4a');
    const cover = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
    bytes.fill(0, cover + 3, cover + 1_500);
    const { contentStatus, metadata } = await saved(bytes, 'foghorn.m4a');
    expect({ contentStatus, metadata }).toMatchObject({
      contentStatus: 'completed',
      metadata: { seconds: 3 },
    });
    expect(metadata).not.toHaveProperty('thumbnail');
  });

  it('that was read before is read again when its person asks, and keeps its text meanwhile', async () => {
    const { workspaceId, alice } = cast;
    const { result } = await alice.api('memory.search', { body: { workspaceId, query: 'fondant' } });
    const id = result[0]?.id;
    if (id === undefined) throw new Error('The presentation is missing');
    const params = { workspaceId, id };
    await alice.api('memory.update', { params, body: { contentStatus: 'pending' } });
    expect((await alice.raw('GET', `/v1/memories/${workspaceId}/${id}/page`)).text).toContain('fondant');
    await capturePage(world.context, { workspaceId, memoryId: id });
    expect((await alice.api('memory.get', { params })).result.contentStatus).toBe('completed');
  });

  it('whose job died is told as failed, and can be tried again', async () => {
    const { workspaceId, alice } = cast;
    const { json } = await uploadFile(world, alice, {
      workspaceId,
      bytes: '%PDF-1.4 dead',
      name: 'dead.pdf',
    });
    await abandonPage(world.context, { workspaceId, memoryId: json.result.id });
    const { result } = await alice.api('memory.get', { params: { workspaceId, id: json.result.id } });
    expect(result).toMatchObject({
      contentStatus: 'failed',
      metadata: { statusReason: 'The file could not be read.' },
    });
  });

  it('is queued with its upload', async () => {
    const { workspaceId, alice } = cast;
    const { json } = await uploadFile(world, alice, {
      workspaceId,
      bytes: '%PDF-1.4 queued',
      name: 'queued.pdf',
    });
    const { rows } = await sql`
      select 1 from pgboss.job where "name" = 'page.capture' and "data" ->> 'memoryId' = ${json.result.id}`.execute(
      world.context.db,
    );
    expect(rows).toHaveLength(1);
  });
});

const zipped = (parts: Readonly<Record<string, string>>) =>
  zipOf(Object.entries(parts).map(([name, bytes]) => ({ path: name, bytes })));

/** A PNG that says it is this large. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(fixture('sun.png'));
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const odtOf = (body: string) =>
  zipped({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:text>${body}</office:text></office:document>`,
  });

it('an OpenDocument text keeps its spaces, tabs, tables and each footnote once', async () => {
  const bytes =
    await odtOf(`<text:p>Two<text:s text:c="2"/>spaces,<text:tab/>a tab<text:note><text:note-citation>1</text:note-citation>
    <text:note-body><text:p>Greased twice.</text:p></text:note-body></text:note> and<text:line-break/>a line.</text:p>
    <text:list><text:list-item><text:p>Anchor</text:p></text:list-item></text:list>
    <table:table><table:table-row><table:table-cell><text:p>Part</text:p></table:table-cell>
    <table:table-cell><text:p>Weight</text:p></table:table-cell></table:table-row>
    <table:table-row><table:table-cell><text:p>Pallet</text:p></table:table-cell>
    <table:table-cell><text:p>3</text:p><text:p>ounces</text:p></table:table-cell></table:table-row></table:table>`);
  expect(await readFileInProcess({ kind: 'odt', filename: 'a.odt', bytes })).toMatchObject({
    read: {
      text: [
        'Two  spaces,\ta tab[^1] and\na line.',
        '- Anchor',
        '| Part | Weight |\n| --- | --- |\n| Pallet | 3 ounces |',
        '[^1]: Greased twice.',
      ].join('\n\n'),
    },
  });
});

const WORD =
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>';
const LAUGHS = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'ha'.repeat(1_000)}">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY a${index} "${`&a${index === 0 ? '' : index - 1};`.repeat(100)}">`,
).join(
  '',
)}]><office:document xmlns:office="o" xmlns:text="t"><office:text><text:p>&a8;</text:p></office:text></office:document>`;

/** A PDF whose one stream unpacks to far more than it is. */
function pdfBomb(): Buffer {
  const stream = deflateSync(Buffer.alloc(200 * 1024 * 1024, 'BT (x) Tj ET '));
  const head =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n' +
    `4 0 obj<</Filter/FlateDecode/Length ${stream.length}>>stream\n`;
  return Buffer.concat([
    Buffer.from(head),
    stream,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>'),
  ]);
}

/** A PDF whose pages all show the same words. */
function longPdf(pages: number): Buffer {
  const words = 'BT /F1 12 Tf 20 20 Td (Berth seven) Tj ET';
  const page =
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R>>';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${Array.from({ length: pages }, (_, at) => `${at + 5} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Length ${words.length}>>stream\n${words}\nendstream`,
    ...Array.from({ length: pages }, () => page),
  ];
  const body = objects.map((object, at) => `${at + 1} 0 obj${object} endobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${body}trailer<</Root 1 0 R>>`);
}

describe('a PDF of many pages', () => {
  it.each([
    [3, 3, undefined],
    [502, 500, 500],
  ])('of %i is read to page %i', async (pages, read, pagesRead) => {
    const reading = await readFileInProcess({ kind: 'pdf', filename: 'a.pdf', bytes: longPdf(pages) });
    const found = reading && 'read' in reading ? reading.read : undefined;
    expect(found?.text?.match(/Berth seven/g)).toHaveLength(read);
    expect([found?.pages, found?.pagesRead]).toEqual([pages, pagesRead]);
  });
});

describe('a hostile file', () => {
  const read = async (name: string, bytes: Uint8Array, memoryMb = 300) =>
    readFileInProcess(
      { kind: fileKindOf(name, bytes.subarray(0, 16)) ?? ('text' satisfies FileKind), filename: name, bytes },
      { memoryMb, limitMs: 8_000 },
    );

  it.each<[string, string, () => Promise<Uint8Array> | Uint8Array, string | RegExp | undefined]>([
    ['a PDF of noise', 'a.pdf', () => Buffer.from(`%PDF-1.7\n${'\u0007'.repeat(5_000)}`), /damaged/],
    ['a PDF with a password', 'a.pdf', () => fixture('locked.pdf'), 'This PDF is protected with a password.'],
    ['a PDF that ends early', 'a.pdf', () => fixture('lighthouse-log.pdf').subarray(0, 9_000), undefined],
    ['a picture that is cut off', 'a.png', () => fixture('sun.png').subarray(0, 400), /damaged/],
    ['a sound of noise', 'a.m4a', () => Buffer.from(`\0\0\0\u0020ftyp${'\u0007'.repeat(5_000)}`), /damaged/],
    ['a picture of four gigapixels', 'a.png', () => pngOf(65_000, 65_000), /too many pixels/],
    ['a zip of another kind', 'a.docx', () => zipped({ 'note.txt': 'x' }), /does not match its name/],
    [
      'a book without a package',
      'a.epub',
      () => zipped({ 'META-INF/container.xml': '<x/>' }),
      /does not match/,
    ],
    [
      'a zip bomb',
      'a.docx',
      () => zipped({ 'word/document.xml': WORD + 'x'.repeat(9_000_000) }),
      /unpacks to too much/,
    ],
    [
      'a workbook of noise',
      'a.xls',
      () => Buffer.from(`d0cf11e0a1b11ae1${'7'.repeat(4_000)}`, 'hex'),
      /damaged|password/,
    ],
    ['a spreadsheet of another kind', 'a.ods', () => zipped({ 'note.txt': 'x' }), /does not match its name/],
    ['text that is none', 'a.csv', () => Buffer.from([0x80, 0x81, 0xff, 0x01, 0x02]), /not readable as text/],
  ])('like %s is refused in words', async (_what, name, make, reason) => {
    const reading = await read(name, await make());
    if (reason === undefined) expect(reading).toBeDefined();
    else expect(reading).toEqual({ refused: expect.stringMatching(reason) });
  });

  it('of a billion laughs stays small', async () => {
    const bytes = await zipped({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': LAUGHS,
    });
    const reading = await read('a.odt', bytes);
    expect(JSON.stringify(reading ?? {}).length).toBeLessThan(100_000);
  });

  itLong('that unpacks without end ends its process, and the server goes on', async () => {
    const { workspaceId, alice } = cast;
    const { json } = await uploadFile(world, alice, { workspaceId, bytes: pdfBomb(), name: 'bomb.pdf' });
    await capturePage(world.context, { workspaceId, memoryId: json.result.id });
    const { result } = await alice.api('memory.get', { params: { workspaceId, id: json.result.id } });
    expect(['completed', 'failed', 'unavailable']).toContain(result.contentStatus);
    expect(process.memoryUsage().rss).toBeLessThan(3_000_000_000);
  });

  it('is given no more memory and time than its process may have', async () => {
    const bytes = fixture('lighthouse-log.pdf');
    const source = { kind: 'pdf' as const, filename: 'a.pdf', bytes };
    expect(await readFileInProcess(source, { memoryMb: 20, limitMs: 8_000 })).toBeUndefined();
    expect(await readFileInProcess(source, { memoryMb: 300, limitMs: 1 })).toBeUndefined();
  });
});

it('the process that reads files may not write, start programs, or read the disk', async () => {
  const module = new URL('../../support/nosy-process.ts', import.meta.url);
  const found = await runInProcess(module, {}, { memoryMb: 200, limitMs: 8_000 });
  expect(found).toEqual({
    passwd: 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    spawn: 'ERR_ACCESS_DENIED',
    env: ['NODE_COMPILE_CACHE'],
  });
  expect(existsSync('/tmp/loci-nosy')).toBe(false);
});
