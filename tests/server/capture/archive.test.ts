// Zip archives as people and attackers make them: read within limits, refused per file where possible.
import { describe, expect, test } from 'vitest';
import { zipOf } from '#tests/support/zip.ts';
import { inMemory } from '#server/capture/archive-bytes.ts';
import { readArchive, type ArchiveFile, type ArchiveRefusal } from '#server/capture/archive.ts';

async function readAll(archive: Buffer): Promise<(ArchiveFile | ArchiveRefusal)[]> {
  const found = [];
  for await (const file of readArchive(inMemory(archive), (path) => path.endsWith('.md'))) found.push(file);
  return found;
}

describe('an archive', () => {
  test('gives its Markdown files with path and date, and names what it leaves out', async () => {
    const found = await readAll(
      await zipOf([
        { path: 'a/one.md', bytes: Buffer.from('# One') },
        { path: 'a/photo.png', bytes: Buffer.from([1, 2, 3]) },
      ]),
    );
    expect(found).toEqual([
      { path: 'a/one.md', modified: '2020-01-02T03:04:06.000Z', bytes: Buffer.from('# One') },
      { path: 'a/photo.png', reason: expect.stringContaining('Not a Markdown') },
    ]);
  });

  test('made on a Mac has no files but those that a person put there', async () => {
    const found = await readAll(
      await zipOf(
        ['a/one.md', '__MACOSX/a/._one.md', 'a/._two.md', 'a/__MACOSX.md', 'a/.hidden.md'].map((path) => ({
          path,
          bytes: Buffer.from('words'),
        })),
      ),
    );
    expect(found.map((file) => file.path).toSorted()).toEqual(['a/.hidden.md', 'a/__MACOSX.md', 'a/one.md']);
  });

  test('that holds a link leaves the link out', async () => {
    const found = await readAll(
      await zipOf([{ path: 'link.md', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 }]),
    );
    expect(found).toEqual([{ path: 'link.md', reason: 'Links are not imported' }]);
  });

  test('that unfolds a thousandfold leaves that file out', async () => {
    const found = await readAll(await zipOf([{ path: 'bomb.md', bytes: Buffer.alloc(9_000_000, 'a') }]));
    expect(found).toEqual([{ path: 'bomb.md', reason: expect.stringContaining('Compressed more') }]);
  });

  test.each(['../evil.md', '/aaevil.md', 'C:/evil.md', String.raw`..\evil.md`])(
    'with a file at %s gives the others',
    async (name) => {
      const good = await zipOf(['aa/evil.md', 'good.md'].map((path) => ({ path, bytes: 'x' })));
      const evil = Buffer.from(good.toString('latin1').replaceAll('aa/evil.md', name), 'latin1');
      expect(await readAll(evil)).toEqual([
        { path: name.replace('\\', '/'), reason: 'Its path leads out of the archive' },
        expect.objectContaining({ path: 'good.md', bytes: Buffer.from('x') }),
      ]);
    },
  );

  test('with a damaged file gives the others', async () => {
    const zip = await zipOf([
      { path: 'bad.md', bytes: Buffer.from('word '.repeat(500)) },
      { path: 'good.md', bytes: Buffer.from('# Good') },
    ]);
    const at = zip.indexOf('bad.md') + 'bad.md'.length + 8;
    zip.fill(0xff, at, at + 12);
    const found = await readAll(zip);
    expect(found.map((file) => file.path)).toEqual(['bad.md', 'good.md']);
    expect(found[0]).toHaveProperty('reason');
    expect(found[1]).toHaveProperty('bytes');
  });

  test.each([
    Buffer.alloc(0),
    Buffer.from('not a zip'),
    Buffer.from('PK\u0003\u0004'),
    Buffer.alloc(100_000, 7),
  ])('that is no archive is refused with a clear error', async (bytes) => {
    await expect(readAll(bytes)).rejects.toMatchObject({
      code: 'invalid',
      detail: expect.stringContaining('zip'),
    });
  });

  test('cut off in the middle is refused', async () => {
    const zip = await zipOf([{ path: 'one.md', bytes: Buffer.from('# One') }]);
    await expect(readAll(zip.subarray(0, zip.length - 30))).rejects.toMatchObject({ code: 'invalid' });
  });
});
