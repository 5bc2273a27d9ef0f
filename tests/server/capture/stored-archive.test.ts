/** Archives are read where they arrived, piece by piece; a database that is lost meanwhile costs none of their files. */
import { beforeEach, expect, it } from 'vitest';
import type { Id } from '#shared/ids.ts';
import { openArchive } from '#server/capture/archive.ts';
import { inMemory, type ArchiveBytes } from '#server/capture/archive-bytes.ts';
import { readInProcess } from '#server/capture/import-reader.ts';
import { runImport } from '#server/capture/import-run.ts';
import { addPiece, beginUpload } from '#server/capture/partial-upload.ts';
import { startImport } from '#server/capture/service.ts';
import { storedArchive } from '#server/capture/stored-archive.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';
import { zipOf } from '#tests/support/zip.ts';

const MB = 1024 * 1024;
const READING = { name: 'notes.zip', folders: 'tags', skip: 0 } as const;
/** Does not compress. */
const noise = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, () => Math.floor(Math.random() * 256)));

let cast: Cast;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
});

/** Sent in pieces of these sizes, and the rest. */
async function importInPieces(archive: Buffer, sizes: readonly number[]): Promise<Id<'upload'>> {
  const { context } = world;
  const { workspaceId, alice } = cast;
  const by = { userId: alice.user.id, sender: 'session' };
  const given = { workspaceId, ...by, filename: 'notes.zip', mediaType: 'application/zip', isStored: false };
  const { upload } = await beginUpload(context, { ...given, bytes: archive.length });
  const address = { workspaceId, id: upload.id, ...by };
  let at = 0;
  for (const size of [...sizes, archive.length]) {
    const bytes = archive.subarray(at, at + size);
    if (bytes.length > 0) await addPiece(context, address, { at, bytes });
    at += bytes.length;
  }
  const order = { workspaceId, userId: alice.user.id, folders: 'tags', filename: 'notes.zip' } as const;
  return (await startImport(context, context.jobs, order, address)).id;
}

it('are the same bytes wherever a piece ends', async () => {
  const archive = await zipOf([
    { path: 'a.md', bytes: noise(1_000).toString('hex') },
    { path: 'b.md', bytes: 'tide' },
  ]);
  const id = await importInPieces(archive, [1, 7, 1_000, 3]);
  const stored = await storedArchive(world.context.db, { workspaceId: cast.workspaceId, id });
  if (stored === undefined) throw new Error('It is not stored');
  expect(stored.size).toBe(archive.length);
  for (const [start, end] of [
    [0, 1],
    [0, 4],
    [1, 8],
    [5, 9],
    [7, 1_009],
    [1_008, 1_012],
    [1_011, archive.length],
    [0, archive.length],
  ] as const)
    expect(await stored.read(start, end)).toEqual(archive.subarray(start, end));
  await expect(stored.read(archive.length, archive.length + 1)).resolves.toHaveLength(0);
  await runImport(world.context, id);
  const { result } = await cast.alice.api('import.get', { params: { workspaceId: cast.workspaceId, id } });
  expect(result).toMatchObject({ status: 'completed', imported: 2, total: 2 });
});

it('are never in memory as a whole', async () => {
  const files = Array.from({ length: 40 }, (_, n) => ({ path: `${n}.bin`, bytes: noise(MB / 2) }));
  const archive = await zipOf([...files, { path: 'a.md', bytes: '# Tide\n\nAt nine.' }]);
  let read = 0;
  const counted: ArchiveBytes = {
    size: archive.length,
    async read(start, end) {
      read += end - start;
      return archive.subarray(start, end);
    },
  };
  const chunks = await Array.fromAsync(readInProcess(counted, READING));
  expect(chunks.flatMap(({ notes }) => notes.map(({ title }) => title))).toEqual(['Tide']);
  expect(read).toBeLessThan(4 * MB);
});

it('lose no file when the database is gone in the middle', async () => {
  const archive = await zipOf([
    { path: 'a.md', bytes: 'tide' },
    { path: 'b.md', bytes: 'ebb' },
  ]);
  const lost = new Error('the database is gone');
  const failing: ArchiveBytes = { size: archive.length, read: () => Promise.reject(lost) };
  await expect(Array.fromAsync(readInProcess(failing, READING))).rejects.toBe(lost);
  expect(await openArchive(inMemory(archive))).toHaveLength(2);
});
