/** Previews of files: what they show, what hostile files do, who may see them, and when they go. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { FileKind } from '#shared/capture/file-kinds.ts';
import { newId, type Id } from '#shared/ids.ts';
import { capturePage } from '#server/capture/capture-page.ts';
import { readFileInProcess } from '#server/capture/file-reader.ts';
import { drawInProcess, previewUpload, queuePreviews } from '#server/capture/preview-store.ts';
import { removeUnusedUploads } from '#server/capture/upload-store.ts';
import { purgeTrash } from '#server/sync/retention.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { uploadFile } from '#tests/support/upload.ts';
import { openWorld } from '#tests/support/world.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/files');
const fixture = (name: string) => readFileSync(path.join(FOLDER, name));

const world = await openWorld();
const cast = await createCast(world);

const RED = { r: 220, g: 30, b: 30 };
const BLUE = { r: 20, g: 40, b: 220 };

const plain = (width: number, height: number, background = RED) =>
  sharp({ create: { width, height, channels: 3, background } });

let pictures = 0;
/** A picture that no other test has. */
const anyPicture = () =>
  plain(900 + (pictures += 1), 300)
    .png()
    .toBuffer();

interface Saved {
  id: Id<'memory'>;
  uploadId: Id<'upload'>;
  metadata: Record<string, unknown>;
}

/** Uploads a file and does what its job would. */
async function saved(bytes: Uint8Array, name: string, payload: Record<string, unknown> = {}): Promise<Saved> {
  const { workspaceId, alice } = cast;
  const { json } = await uploadFile(world, alice, { workspaceId, bytes, name, payload });
  const id: Id<'memory'> = json.result.id;
  await capturePage(world.context, { workspaceId, memoryId: id });
  const { result } = await alice.api('memory.get', { params: { workspaceId, id } });
  if (result.uploadId === null) throw new Error('The memory has no file');
  return { id, uploadId: result.uploadId, metadata: result.metadata };
}

interface Asking {
  token?: string | undefined;
  workspaceId?: string;
  headers?: Record<string, string>;
}

const ask = (
  id: string,
  { token = cast.alice.token, workspaceId = cast.workspaceId, headers = {} }: Asking = {},
) =>
  fetch(`${world.url}/v1/memories/${workspaceId}/${id}/preview`, {
    headers: { ...(token !== '' && { authorization: `Bearer ${token}` }), ...headers },
  });

async function pictureOf(id: string): Promise<Buffer> {
  const response = await ask(id);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** The colour in the middle. */
async function middleOf(picture: Uint8Array) {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return { r: data[at] ?? 0, g: data[at + 1] ?? 0, b: data[at + 2] ?? 0 };
}

const isNear = (one: typeof RED, other: typeof RED) =>
  Math.abs(one.r - other.r) + Math.abs(one.g - other.g) + Math.abs(one.b - other.b) < 40;

/** So many frames: the first red, the others in two shades of blue, since equal ones would be stored once. */
async function animation(frames: number): Promise<Buffer> {
  const side = 8;
  const pixels = Buffer.alloc(side * side * frames * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const frame = Math.floor(at / (side * side * 3));
    const { r, g, b } = frame === 0 ? RED : BLUE;
    pixels.set([r, g, frame % 2 === 0 ? b : b - 60], at);
  }
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const;
  return sharp(pixels, { raw, limitInputPixels: false }).gif().toBuffer();
}

describe('the preview of a file', () => {
  it.each(['sun.png', 'sun.jpg', 'sun.webp', 'sun.gif', 'sun.avif'])(
    'like %s is a small WebP',
    async (name) => {
      const { id, metadata } = await saved(fixture(name), name);
      const picture = await sharp(await pictureOf(id)).metadata();
      const { width, height } = metadata;
      expect(picture).toMatchObject({ format: 'webp', width, height });
      expect(metadata['preview']).toMatch(/^[\da-f]{32}$/);
    },
  );

  it('of a large photo is turned as its camera was held, and says nothing of place and camera', async () => {
    const photo = await plain(1_600, 800)
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(photo).metadata()).orientation).toBe(6);
    const { id, metadata } = await saved(photo, 'photo.jpg');
    expect(metadata).toMatchObject({ width: 800, height: 1_600 });
    const small = await sharp(await pictureOf(id)).metadata();
    expect(small).toMatchObject({ format: 'webp', width: 320, height: 640 });
    expect([small.exif, small.icc, small.xmp, small.orientation]).toEqual(Array(4).fill(undefined));
  });

  it('of an animation of 5,000 frames is its first', async () => {
    const bytes = await animation(5_000);
    expect((await sharp(bytes).metadata()).pages).toBe(5_000);
    const { id } = await saved(bytes, 'endless.gif');
    const small = await pictureOf(id);
    expect((await sharp(small).metadata()).pages ?? 1).toBe(1);
    expect(isNear(await middleOf(small), RED)).toBe(true);
  });

  it('of a PDF is its first page, with a version for lists', async () => {
    const { id, metadata } = await saved(fixture('lighthouse-log.pdf'), 'lighthouse-log.pdf');
    expect(metadata).toMatchObject({
      pages: 2,
      height: 640,
      thumbnail: expect.stringMatching(/^data:image\/webp;base64,/),
    });
    const small = await pictureOf(id);
    const { channels } = await sharp(small).stats();
    // White paper with dark letters on it.
    expect(channels[0]?.max).toBeGreaterThan(240);
    expect(channels[0]?.min).toBeLessThan(80);
  });

  it('is none for a table, and for a PDF that is damaged', async () => {
    for (const [name, bytes] of [
      ['berths.csv', fixture('berths.csv')],
      ['broken.pdf', Buffer.from('%PDF-1.7 and nothing else')],
    ] as const) {
      const { id, metadata } = await saved(bytes, name);
      expect(metadata).not.toHaveProperty('preview');
      expect((await ask(id)).status).toBe(404);
    }
  });
});

/** A PNG that says it is this large. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(fixture('sun.png'));
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
);

/** A page that draws itself again and again. */
const ENDLESS_PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>>>endobj\n' +
    '4 0 obj<</Length 5>>stream\n/A Do\nendstream endobj\n' +
    `5 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</A 5 0 R>>>>/Length 12>>stream\n/A Do /A Do \nendstream endobj\ntrailer<</Root 1 0 R>>`,
);

describe('a hostile picture', () => {
  const LIMITS = { memoryMb: 400, limitMs: 8_000 };

  it.each<[string, FileKind, () => Uint8Array]>([
    ['of four gigapixels', 'png', () => pngOf(65_000, 65_000)],
    ['that is cut off', 'png', () => fixture('sun.png').subarray(0, 400)],
    ['of another kind', 'jpeg', () => fixture('sun.png')],
    ['that is a drawing with a name of a picture', 'png', () => SVG],
    ['of nothing', 'gif', () => new Uint8Array()],
    ['of noise', 'webp', () => Buffer.from(`RIFF0000WEBPVP8 ${'\u0007'.repeat(500)}`)],
    ['that is a page without an end', 'pdf', () => ENDLESS_PDF],
  ])('%s has no preview and does no harm', async (_what, kind, make) => {
    const drawn = await drawInProcess({ kind, filename: 'a', bytes: make() }, LIMITS);
    if (kind === 'pdf') expect(drawn?.bytes.length ?? 0).toBeLessThan(100_000);
    else expect(drawn).toBeNull();
  });

  it('of another kind is refused in words by its reader as well', async () => {
    const refused = { refused: 'This picture is not what its name says.' };
    const read = (kind: FileKind, bytes: Uint8Array) => readFileInProcess({ kind, filename: 'a', bytes });
    // Its decoder is not even tried.
    expect(await read('png', SVG)).toEqual({ refused: 'This picture is damaged.' });
    expect(await read('jpeg', fixture('sun.png'))).toEqual(refused);
  });

  it('is given no more memory and time than its process may have', async () => {
    const source = { kind: 'png' as const, filename: 'a.png', bytes: fixture('sun.png') };
    expect(await drawInProcess(source, { memoryMb: 20, limitMs: 8_000 })).toBeNull();
    expect(await drawInProcess(source, { memoryMb: 300, limitMs: 1 })).toBeNull();
  });
});

describe('the address of a preview', () => {
  it('is read by those who read the memory, with safe headers, and not sent twice', async () => {
    const { id, metadata } = await saved(await anyPicture(), 'a.png');
    for (const { token } of [cast.alice, cast.bob, cast.rita])
      expect((await ask(id, { token })).status).toBe(200);
    const { headers } = await ask(id);
    const etag = `"${String(metadata['preview'])}"`;
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline; filename="preview.webp"',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag,
    });
    const again = await ask(id, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is refused to strangers, to other workspaces and in private spaces', async () => {
    const { id } = await saved(await anyPicture(), 'a.png');
    const { eve, evesWorkspaceId, bob } = cast;
    expect((await ask(id, { token: eve.token })).status).toBe(403);
    expect((await ask(id, { token: eve.token, workspaceId: evesWorkspaceId })).status).toBe(404);
    expect((await ask(id, { token: '' })).status).toBe(401);
    const hidden = await createBuild(cast).space({ name: 'Hidden', visibility: 'private' });
    const secret = await saved(await anyPicture(), 'b.png', { spaceId: hidden.id });
    expect([(await ask(secret.id)).status, (await ask(secret.id, { token: bob.token })).status]).toEqual([
      200, 404,
    ]);
  });

  it('ends with the memory, and has nothing for a note', async () => {
    const { workspaceId, alice } = cast;
    const { id } = await saved(await anyPicture(), 'a.png');
    await alice.api('memory.remove', { params: { workspaceId, id } });
    expect((await ask(id)).status).toBe(404);
    expect((await ask((await createBuild(cast).memory()).id)).status).toBe(404);
    expect((await ask(newId('memory'))).status).toBe(404);
  });
});

describe('the preview in the store', () => {
  it('is made for older files by a job, once, and told to every memory that has the file', async () => {
    const { workspaceId, alice } = cast;
    const { db } = world.context;
    const bytes = await anyPicture();
    const first = await saved(bytes, 'old.png');
    const second = await saved(bytes, 'old.png', { id: newId('memory'), separate: true });
    // As files were before there were previews.
    await db
      .updateTable('upload')
      .set({ preview: null, previewed: null })
      .where('id', '=', first.uploadId)
      .execute();
    await world.context.files.remove(`${workspaceId}/${first.uploadId}_${String(first.metadata['preview'])}`);
    await sql`delete from pgboss.job where "name" = 'file.preview'`.execute(db);
    world.clock.advance(2 * 3_600_000);
    await queuePreviews(db, world.context.jobs, world.clock.now());
    const { rows } = await sql`
      select 1 from pgboss.job where "name" = 'file.preview' and "data" ->> 'uploadId' = ${first.uploadId}`.execute(
      db,
    );
    expect(rows).toHaveLength(1);
    await previewUpload(world.context, { workspaceId, id: first.uploadId });
    for (const { id } of [first, second]) {
      const { result } = await alice.api('memory.get', { params: { workspaceId, id } });
      expect(result.metadata['preview']).toBe(first.metadata['preview']);
      expect((await ask(id)).status).toBe(200);
    }
    await sql`delete from pgboss.job where "name" = 'file.preview'`.execute(db);
    await queuePreviews(db, world.context.jobs, world.clock.now());
    const again = await sql`
      select 1 from pgboss.job where "name" = 'file.preview' and "data" ->> 'uploadId' = ${first.uploadId}`.execute(
      db,
    );
    expect(again.rows).toEqual([]);
  });

  it('that never came into the store is drawn by the next try', async () => {
    const { workspaceId, alice } = cast;
    const { files } = world.context;
    const { put } = files;
    const { json } = await uploadFile(world, alice, {
      workspaceId,
      bytes: await anyPicture(),
      name: 'a.png',
    });
    const id: Id<'memory'> = json.result.id;
    const capture = () => capturePage(world.context, { workspaceId, memoryId: id }, 'one job');
    files.put = () => Promise.reject(new Error('away'));
    await expect(capture()).rejects.toThrow('away');
    files.put = put;
    await capture();
    expect((await ask(id)).status).toBe(200);
  });

  it('is removed with its file', async () => {
    const { workspaceId, alice } = cast;
    const { id, uploadId, metadata } = await saved(await anyPicture(), 'a.png');
    const key = `${workspaceId}/${uploadId}_${String(metadata['preview'])}`;
    const isStored = async () => (await world.context.files.get(key)) !== undefined;
    expect(await isStored()).toBe(true);
    await alice.api('memory.remove', { params: { workspaceId, id } });
    world.clock.advance(31 * 86_400_000);
    await purgeTrash(world.context, world.clock.now());
    await removeUnusedUploads(world.context, world.clock.now());
    expect(await isStored()).toBe(false);
  });
});
