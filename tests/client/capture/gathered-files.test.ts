/** Folders and several files become one archive that the import reads. */
import { describe, expect, it } from 'vitest';
import { IMPORT } from '#shared/capture/limits.ts';
import { archiveOf, chosenFiles, filesBelow } from '#client/capture/gathered-files.ts';
import { inMemory } from '#server/capture/archive-bytes.ts';
import { openArchive } from '#server/capture/archive.ts';

const SAVED = Date.parse('2024-03-04T10:20:30Z');
const file = (path: string, text = path) => {
  const made = new File([text], path.split('/').at(-1) ?? '', { lastModified: SAVED });
  return Object.assign(made, { webkitRelativePath: path.includes('/') ? path : '' });
};

const contentOf = async (archive: File) => {
  const entries = await openArchive(inMemory(Buffer.from(await archive.arrayBuffer())));
  const read = entries.map(
    async (entry) => [entry.path, String(await entry.unpack()), entry.modified] as const,
  );
  return Promise.all(read);
};

/** A folder as a browser gives it, a few entries at a time. */
function folder(path: string, children: readonly FileSystemEntry[]): FileSystemEntry {
  const left = [...children];
  const read = (done: (entries: FileSystemEntry[]) => void) => done(left.splice(0, 2));
  const entry = { isDirectory: true, isFile: false, name: path.split('/').at(-1), fullPath: `/${path}` };
  return Object.assign(entry, { createReader: () => ({ readEntries: read }) }) as unknown as FileSystemEntry;
}

function leaf(path: string): FileSystemEntry {
  const entry = { isDirectory: false, isFile: true, name: path.split('/').at(-1), fullPath: `/${path}` };
  const give = (done: (given: File) => void) => done(file(path));
  return Object.assign(entry, { file: give }) as unknown as FileSystemEntry;
}

describe('what is chosen for an import', () => {
  it('is taken as it is when it is one file', async () => {
    const only = file('notes.zip');
    expect(await archiveOf(chosenFiles([only]))).toBe(only);
  });

  it('keeps the places and dates of the files of a folder, whose name the archive has', async () => {
    const files = ['Vault/bread.md', 'Vault/.obsidian/app.json', 'Vault/a b/Öl #1.md', 'Vault/.git/HEAD'];
    const archive = await archiveOf(chosenFiles(files.map((path) => file(path))));
    expect(archive.name).toBe('Vault.zip');
    const content = await contentOf(archive);
    expect(content.map(([path, text]) => [path, text])).toEqual(
      files.slice(0, 3).map((path) => [path.replace('Vault/', ''), path]),
    );
    // A zip counts in steps of two seconds, and in the time of the place where it is made.
    const shift = Math.abs(Date.parse(content[0]?.[2] ?? '') - SAVED);
    expect(shift).toBeLessThanOrEqual(14 * 3_600_000);
  });

  it('is one archive of several files without a folder', async () => {
    const archive = await archiveOf(chosenFiles([file('a.md'), file('b.png')]));
    expect([archive.name, (await contentOf(archive)).map(([path]) => path)]).toEqual([
      'Files.zip',
      ['a.md', 'b.png'],
    ]);
  });

  it('has all that is below a dropped folder but what other programs keep there', async () => {
    const notes = Array.from({ length: 5 }, (_, n) => leaf(`Vault/deep/n${n}.md`));
    const dropped = folder('Vault', [
      folder('Vault/deep', notes),
      folder('Vault/node_modules', [leaf('Vault/node_modules/x.md')]),
      leaf('Vault/.DS_Store'),
      leaf('Vault/top.md'),
    ]);
    const files = await filesBelow([dropped]);
    expect(files.map(({ path }) => path).toSorted()).toEqual([
      ...notes.map(({ fullPath }) => fullPath.slice(1)),
      'Vault/top.md',
    ]);
    expect((await archiveOf(files)).name).toBe('Vault.zip');
  });

  it('says why it cannot be imported', async () => {
    await expect(archiveOf([])).rejects.toThrow('There are no files');
    const large = file('a/large.md');
    Object.defineProperty(large, 'size', { value: IMPORT.maxArchiveBytes });
    await expect(archiveOf(chosenFiles([large, file('a/b.md')]))).rejects.toThrow(
      '2,049 MB, and an import takes 2,048 MB',
    );
  });
});
