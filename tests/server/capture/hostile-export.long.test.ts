// Exports made to hold up the server, damaged ones, and files that lie about what they are: a bad item costs itself, a bad
// file has a clear error, and the main thread stays free.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inMemory } from '#server/capture/archive-bytes.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { readInProcess } from '#server/capture/import-reader.ts';
import type { ImportChunk } from '#server/capture/import-reading.ts';
import { heldUpMs } from '#tests/support/cpu-time.ts';
import { zipOf } from '#tests/support/zip.ts';

/** Everything of an upload, read in its thread. */
async function readAll(name: string, upload: Buffer | string, skip = 0): Promise<ImportChunk> {
  const whole: ImportChunk = { total: 0, files: 0, notes: [], attached: [], items: [], problems: [] };
  for await (const chunk of readInProcess(inMemory(Buffer.from(upload)), { name, folders: 'tags', skip })) {
    whole.total = chunk.total;
    whole.files += chunk.files;
    whole.notes.push(...chunk.notes);
    whole.attached.push(...chunk.attached);
    whole.problems.push(...chunk.problems);
  }
  return whole;
}

const titles = ({ notes }: ImportChunk) => notes.map(({ title }) => title);
const reasons = ({ problems }: ImportChunk) => problems.map(({ path, reason }) => [path, reason]);

const NETSCAPE = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n';
const POCKET = 'title,url,time_added,tags,status\n';
const ENEX = '<?xml version="1.0"?>\n<!DOCTYPE en-export SYSTEM "x.dtd">\n';
const note = (title: string, content: string) =>
  `<note><title>${title}</title><content><![CDATA[${content}]]></content><created>20250310T101500Z</created></note>`;

describe('a damaged export has a clear error', () => {
  const chat = JSON.stringify([{ title: 'A', create_time: 1, mapping: {} }]);
  test.each([
    ['conversations.json', chat.slice(0, -2), /damaged or was cut off: it is not complete JSON/],
    ['chat.json', `{"mapping":{},"create_time":1}`, /not laid out as expected/],
    ['k.json', '{"bookmarks":{"createdAt":1,"content":1}}', /not laid out as expected at “bookmarks”/],
    ['notes.enex', `${ENEX}<en-export>${note('A', '<en-note>a</en-note>')}<note><title>B`, /does not end/],
    [
      'pocket.csv',
      `${POCKET}"never closed,https://a.example/,1,,unread\nb,https://b.example/,1,,unread`,
      /a quoted cell does not end/,
    ],
    ['data.json', '{"something":"else"}', /cannot be imported\. Exports of these can: .*Pocket/],
    ['notes.zip', 'PK\u0003\u0004 and then nothing', /not a zip archive that can be read/],
  ])('%s', async (name, upload, error) => {
    await expect(readAll(name, upload)).rejects.toMatchObject({
      code: 'invalid',
      detail: expect.stringMatching(error),
    });
  });
});

test('the content decides what a file is, not its name', async () => {
  const page = `${NETSCAPE}<DL><p><DT><A HREF="https://a.example/">A</A></DL>`;
  for (const name of ['bookmarks.html', 'bookmarks.csv', 'notes.md', 'archive.zip'])
    expect([name, titles(await readAll(name, page))]).toEqual([name, ['A']]);
  const zip = await zipOf([{ path: 'a.md', bytes: '# Zipped' }]);
  expect(titles(await readAll('bookmarks.html', zip))).toEqual(['Zipped']);
  const inside = await zipOf([
    { path: 'export/part_000000.csv', bytes: `${POCKET}P,https://p.example/,1,,unread` },
  ]);
  expect(titles(await readAll('pocket.zip', inside))).toEqual(['P']);
});

test('an export of wallabag is known by its first article, however long, and no conversation is taken for one', async () => {
  const article = (content: string) => ({
    id: 1,
    title: 'W',
    url: 'https://w.example/',
    content,
    annotations: [{ quote: ['x'] }, null, { text: 'kept' }],
    is_archived: '0',
    tags: ['a', { label: 7 }].slice(0, 1),
  });
  for (const content of [
    '<p>short</p>',
    `<p>${'long \\"content\\" '.repeat(10_000)}</p>`,
    '<div>'.repeat(3_000),
  ]) {
    const found = await readAll(
      'All articles.json',
      JSON.stringify([article(content), { tags: [{ label: 7 }] }]),
    );
    expect(titles(found)).toEqual(['W']);
    expect(found.notes[0]).toMatchObject({ archived: false, tags: ['a'], body: { notes: 'kept' } });
    expect(reasons(found)).toEqual([['Article 2', 'It is not laid out as expected']]);
  }
  const message = { author: { role: 'user' }, content: { content_type: 'text', parts: ['Hello'] }, url: 'x' };
  const chat = {
    title: 'C',
    create_time: 1,
    mapping: { a: { message } },
    is_archived: false,
    is_starred: null,
  };
  const talk = await readAll('conversations.json', JSON.stringify([chat]));
  expect(talk.notes.map(({ url, body }) => [url, body.notes])).toEqual([[null, '**You**\n\nHello']]);
});

test('a huge cell, NUL, halves of characters and other encodings cost no item', async () => {
  const rows = [
    `huge,https://a.example/,1,${'t'.repeat(1_000_000)}|short,unread`,
    `${'x'.repeat(1_000_000)},https://b.example/,1,,unread`,
    'a\u0000b,https://c.example/,99999999999999999,"n\u0000l",unread',
    '=cmd|calc,https://d.example/,-5,__proto__|constructor,archive',
    `long,https://e.example/${'p'.repeat(20_000)},1,,unread`,
    'short row',
  ];
  const found = await readAll('pocket.csv', POCKET + rows.join('\n'));
  expect(found.notes.map(({ title }) => title?.length)).toEqual([4, 300, 3, 9]);
  expect(found.notes[0]?.tags).toEqual(['t'.repeat(64), 'short']);
  expect(found.notes[2]).toMatchObject({ title: 'a\uFFFDb', tags: ['n\uFFFDl'], created: null });
  expect(found.notes[3]).toMatchObject({ archived: true, tags: ['__proto__', 'constructor'] });
  expect(found.problems.filter(({ imported }) => !imported).map(({ reason }) => reason)).toEqual([
    'Its address is no web address',
    'It has no web address',
  ]);
  const wide = Buffer.from(`\uFEFF${POCKET}Früh,https://f.example/,1,,unread`, 'utf16le');
  expect(titles(await readAll('pocket.csv', wide))).toEqual(['Früh']);
  const western = Buffer.from(`${POCKET}Gr\xfc\xdfe,https://g.example/,1,,unread`, 'latin1');
  expect(titles(await readAll('pocket.csv', western))).toEqual(['Grüße']);
});

test('folders nested ten thousand deep end at a depth, in bookmarks and in JSON', async () => {
  const depth = 10_000;
  const page = `${NETSCAPE}<DL><p>${Array.from({ length: depth }, (_, n) => `<DT><H3>f${n}</H3><DL><p>`).join('')}<DT><A HREF="https://deep.example/">Deep</A>${'</DL><p>'.repeat(depth)}<DT><A HREF="https://last.example/">Last</A></DL>`;
  const found = await readAll('bookmarks.html', page);
  expect(titles(found)).toEqual(['Deep', 'Last']);
  expect(found.notes[0]?.folders[0]).toHaveLength(50);
  expect(found.notes[0]?.tags).toHaveLength(50);
  expect(found.notes[1]?.folders).toEqual([[]]);
  const collections = Array.from({ length: depth }, (_, id) => ({
    id,
    name: `f${id}`,
    parentId: id === 0 ? depth - 1 : id - 1,
    links:
      id === depth - 1
        ? [
            {
              name: 'In a circle',
              url: 'https://circle.example/',
            },
          ]
        : [],
  }));
  expect(titles(await readAll('linkwarden.json', JSON.stringify({ collections })))).toEqual(['In a circle']);
  expect(
    await readAll('k.json', `{"bookmarks":[],"createdAt":1,"content":${'['.repeat(200_000)}`).catch(String),
  ).toContain('not complete JSON');
});

test('entities of a notebook are never resolved, and a hostile note costs itself', async () => {
  const bomb = `<?xml version="1.0"?>\n<!DOCTYPE en-export [<!ENTITY a "${'x'.repeat(1_000)}">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`).join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]>\n`;
  const inner = '<!DOCTYPE en-note [<!ENTITY b "boom"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
  const xml = `${bomb}<en-export>
    <note><title>&a8; &file;</title><content><![CDATA[<en-note>kept</en-note>]]></content></note>
    ${note('Inner', `${inner}<en-note>&b; &c; <script>alert(1)</script>words</en-note>`)}
    ${note('Deep', `<en-note>${'<div>'.repeat(5_000)}x${'</div>'.repeat(5_000)}</en-note>`)}
    ${note('Huge', `<en-note>${'word '.repeat(500_000)}</en-note>`)}
    ${note('Last', '<en-note>still here</en-note>')}
  </en-export>`;
  const found = await readAll('notes.enex', xml);
  const texts = Object.fromEntries(found.notes.map(({ title, body }) => [title, body.notes]));
  expect(Object.keys(texts)).toEqual(['&a8; &file;', 'Inner', 'Last']);
  expect(texts['Inner']).toContain('words');
  expect(texts['Inner']).not.toMatch(/boom|root:|alert/);
  expect(reasons(found)).toEqual([
    ['notes/Deep', 'Its text is nested too deeply'],
    ['notes/Huge', 'Its text is too large'],
  ]);
});

describe('attachments of a notebook', () => {
  const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex');
  const resource = (bytes: Buffer | string, name = '', mime = 'application/pdf', data = base64(bytes)) =>
    `<resource><data encoding="base64">${data}</data><mime>${mime}</mime><resource-attributes><file-name>${name}</file-name></resource-attributes></resource>`;
  const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');
  const media = (hash: string) => `<en-media type="application/pdf" hash="${hash}"/>`;
  const noteWith = (title: string, content: string, ...resources: readonly string[]) =>
    note(title, `<en-note>${content}</en-note>`).replace('</note>', `${resources.join('')}</note>`);
  const notebook = (...notes: readonly string[]) => `${ENEX}<en-export>${notes.join('')}</en-export>`;
  /** With the names of files in place of positions. */
  const textsOf = ({ notes }: ImportChunk) =>
    notes.map(({ body }) => body.notes?.replaceAll(/\(import-file:[\da-f]{64}\)/g, '(file)'));
  const [one, two] = ['%PDF-1', '%PDF-2'];
  const png = Buffer.from('\u0089PNG\r\n\u001a\n picture', 'latin1');

  test('are named by their faults, and each costs itself', async () => {
    const found = await readAll(
      'n.enex',
      notebook(
        noteWith('Wrong', `a ${media(md5('other'))} ${media('x')}`, resource(one, 'one.pdf')),
        noteWith(
          'Faulty',
          '<div>words</div>',
          resource('', 'bad.pdf', 'application/pdf', 'JVBE*!&a8;'),
          resource('', 'cut.pdf', 'application/pdf', 'JVBE=JVBE'),
          resource('', 'empty.pdf'),
          resource('<script>', 'lie.png', 'image/png'),
          resource('RIFF', 'film.mp4', 'video/mp4'),
          resource('{\\rtf1', 'letter.rtf', 'application/rtf'),
          resource(Buffer.concat([Buffer.from(one), Buffer.alloc(25 * 1024 * 1024)]), 'large.pdf'),
        ),
      ),
    );
    expect(reasons(found)).toEqual([
      ['n/Faulty/bad.pdf', 'Damaged in the export'],
      ['n/Faulty/cut.pdf', 'Damaged in the export'],
      ['n/Faulty/empty.pdf', 'The file is empty'],
      ['n/Faulty/lie.png', 'Its content does not match its name'],
      ['n/Faulty/film.mp4', 'This kind of file is not supported'],
      ['n/Faulty/letter.rtf', 'This kind of file is not supported; save it as DOCX or PDF instead'],
      ['n/Faulty/large.pdf', 'Larger than 25 MB'],
      ['n/Wrong', '2 files that it shows are not in the export'],
    ]);
    expect(found.attached.map(({ filename }) => filename)).toEqual(['one.pdf']);
    expect(textsOf(found)[0]).toBe('a\n\n[one.pdf](file)');
    expect(textsOf(found)[1]?.split('\n\n')).toEqual([
      'words',
      ...['bad.pdf', 'cut.pdf', 'empty.pdf'].map((name) => `[${name}](file)`),
      '![lie.png](file)',
      ...['film.mp4', 'letter.rtf', 'large.pdf'].map((name) => `[${name}](file)`),
    ]);
  });

  test('get a name and an ending, and the same one twice is one file', async () => {
    const named = [
      resource(one, '../../etc/pass|wd [1]'),
      resource(two),
      resource(one, 'again.pdf'),
      resource(png, 'photo.jpg', 'image/png'),
    ];
    const found = await readAll(
      'n.enex',
      notebook(
        noteWith('A/B', `${media(md5(one))}${media(md5(one).toUpperCase())}`, ...named),
        noteWith('C', media(md5(one)), resource(one, 'third.pdf')),
      ),
    );
    expect(reasons(found)).toEqual([]);
    expect(found.attached.map(({ filename, kind }) => [filename, kind])).toEqual([
      ['pass|wd [1].pdf', 'pdf'],
      ['B.pdf', 'pdf'],
      ['photo.png', 'png'],
    ]);
    const first = String.raw`[pass wd \[1\].pdf](file)`;
    expect(textsOf(found)).toEqual([
      `${first}${first}\n\n[B.pdf](file)\n\n![photo.png](file)`,
      '[third.pdf](file)',
    ]);
    expect(new Set(found.notes.flatMap(({ files }) => files.map(({ key }) => key))).size).toBe(3);
  });

  test('in their thousands are read beside the main thread, each part of the note with its own', async () => {
    const count = 10_000;
    const files = Array.from({ length: count }, (_, n) => `%PDF-${n}`);
    const shown = files.slice(count / 2).map((bytes) => `<div>${media(md5(bytes))}</div>`);
    const upload = notebook(
      noteWith('Many', shown.join(''), ...files.map((bytes, n) => resource(bytes, `${n}.pdf`))),
    );
    const read = Promise.withResolvers<ImportChunk>();
    const heldUp = await heldUpMs(async () => read.resolve(await readAll('n.enex', upload)));
    expect(heldUp).toBeLessThan(250);
    const { attached, notes } = await read.promise;
    expect(attached).toHaveLength(count);
    expect(notes.flatMap(({ files: own }) => own)).toHaveLength(count);
    expect(Math.max(...notes.map(({ files: own }) => own.length))).toBeLessThan(1_500);
  });
});

test('archives that explode, wrap each other or hold damaged parts are refused in words', async () => {
  const bomb = await zipOf([{ path: 'conversations.json', bytes: Buffer.alloc(20_000_000, ' ') }]);
  const left = await readAll('chat.zip', bomb);
  expect(reasons(left)).toEqual([['conversations.json', 'Compressed more than a text can be']]);
  const wrapped = await zipOf([{ path: 'a.zip', bytes: await zipOf([{ path: 'b.zip', bytes: bomb }]) }]);
  expect(reasons(await readAll('outer.zip', wrapped))).toEqual([['b.zip', 'Not a Markdown or text file']]);
  const omnivore = await zipOf([
    {
      path: 'metadata_0_to_20.json',
      bytes:
        '[{"slug":"../../etc/passwd","title":"T","url":"https://o.example/","labels":[],"savedAt":"x"}, 7]',
    },
  ]);
  const found = await readAll('omnivore.zip', omnivore);
  expect(found.notes).toMatchObject([{ title: 'T', page: 'fetch', created: null }]);
  expect(reasons(found)).toEqual([['Article 2', 'It is not laid out as expected']]);
});

test('conversations that go in circles or hold nonsense lose at most themselves', async () => {
  const said = (text: unknown) => ({
    author: { role: 'user' },
    content: { content_type: 'text', parts: [text] },
  });
  const conversations = [
    {
      title: 'Circle',
      create_time: 1,
      current_node: 'a',
      mapping: { a: { parent: 'b', message: said('one') }, b: { parent: 'a', message: said('two') } },
    },
    {
      title: 'Nonsense',
      create_time: 1,
      mapping: { a: { parent: null, message: 'x' }, b: { parent: 'a', message: said({ x: 1 }) } },
    },
    { title: 42, mapping: [] },
    null,
    {
      title: '__proto__',
      create_time: 1e300,
      current_node: '__proto__',
      mapping: { x: { parent: null, message: said('words') } },
    },
  ];
  const found = await readAll('conversations.json', JSON.stringify(conversations));
  expect(found.notes.map(({ title, body }) => [title, body.notes])).toEqual([
    ['Circle', '**You**\n\ntwo\n\none'],
  ]);
  expect(reasons(found).map(([path]) => path)).toEqual([
    'Nonsense',
    'Conversation 3',
    'Conversation 4',
    '__proto__',
  ]);
});

test('fifty thousand bookmarks are read beside the main thread, and in the middle when continued', async () => {
  const links = Array.from(
    { length: 50_000 },
    (_, n) => `<DT><A HREF="https://many.example/${n}" ADD_DATE="1700000000">Number ${n}</A>`,
  );
  const page = `${NETSCAPE}<DL><p>${links.join('\n')}</DL>`;
  const upload = Buffer.from(page);
  const read = Promise.withResolvers<Awaited<ReturnType<typeof readAll>>>();
  const heldUp = await heldUpMs(async () => read.resolve(await readAll('bookmarks.html', upload)));
  expect(heldUp).toBeLessThan(250);
  const found = await read.promise;
  expect([found.total, found.files, found.notes.length]).toEqual([50_000, 50_000, 50_000]);
  const rest = await readAll('bookmarks.html', upload, 49_990);
  expect(rest.notes.map(({ title }) => title)).toEqual(found.notes.slice(49_990).map(({ title }) => title));
  const tooMany = `${NETSCAPE}<DL>${'<DT><A HREF="https://a.example/">A</A>'.repeat(IMPORT.maxItems + 1)}</DL>`;
  await expect(readAll('bookmarks.html', tooMany)).rejects.toMatchObject({ code: 'too_large' });
});
