// The picture that a page names for itself: what is kept of it in a memory, who gets it, and when it goes.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturePage } from '#server/capture/capture-page.ts';
import { FILES } from '#shared/capture/limits.ts';
import type { Id } from '#shared/ids.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { page, serveSite, type LocalSite } from '#tests/support/local-site.ts';
import { openWorld } from '#tests/support/world.ts';

const PROSE =
  'Barnacles glue themselves to rock head first and then kick food into their mouths with their feet.';
const world = await openWorld({ env: { EGRESS: 'private' } });
const cast = await createCast(world);
const { alice, bob, eve, workspaceId } = cast;

const drawn = (width: number, height: number, background = '#2f6f5e') =>
  sharp({ create: { width, height, channels: 3, background } });
const png = { 'content-type': 'image/png' };

let site: LocalSite;
let image = '/shore.png';
const named = (address: string) =>
  `<title>The shore</title><meta property="og:image" content="${address}"><article><h1>The shore</h1><p>${PROSE}</p></article>`;

beforeAll(async () => {
  const shore = await drawn(1_200, 630).png().toBuffer();
  site = await serveSite({
    '/page': (request, response) => page(named(image))(request, response),
    '/shore.png': page(shore, png),
    '/photo': page(await drawn(800, 600, '#aa5533').jpeg().toBuffer(), { 'content-type': 'image/jpeg' }),
    '/mark.png': page(await drawn(32, 32).png().toBuffer(), png),
    '/words.png': page('no picture at all', png),
    '/half.png': page(shore.subarray(0, 200), png),
    '/named.png': page(shore, { 'content-type': 'text/html' }),
    '/error.png': page(shore, png, 500),
    '/drawing.svg': page('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>', {
      'content-type': 'image/svg+xml',
    }),
    '/huge.png': page(Buffer.alloc(4 * 1024 * 1024), png),
  });
});
afterAll(() => site.close());

async function captured(address: string, id?: Id<'memory'>) {
  image = address;
  const memoryId = id ?? (await createBuild(cast).memory({ title: null, url: `${site.url}/page` })).id;
  const params = { workspaceId, id: memoryId };
  if (id) await alice.api('memory.update', { params, body: { contentStatus: 'pending' } });
  await capturePage(world.context, { workspaceId, memoryId });
  return (await alice.api('memory.get', { params })).result;
}

const previewFor = ({ token }: { token: string }, id: Id<'memory'>) =>
  fetch(`${world.url}/v1/memories/${workspaceId}/${id}/preview`, {
    headers: { authorization: `Bearer ${token}` },
  });

describe('the picture of a page', () => {
  it('is in the memory in small, and larger for those who can read the memory', async () => {
    const { id, metadata, contentStatus } = await captured('/shore.png');
    expect(contentStatus).toBe('completed');
    expect(metadata).toMatchObject({
      width: 1_200,
      height: 630,
      preview: expect.stringMatching(/^[\da-f]{32}$/),
    });
    const [, small = ''] = String(metadata['thumbnail']).split('base64,');
    expect(small.length).toBeLessThanOrEqual((FILES.thumbnailBytesMax * 4) / 3);
    expect(await sharp(Buffer.from(small, 'base64')).metadata()).toMatchObject({
      format: 'webp',
      width: FILES.thumbnailPixels,
    });
    for (const person of [alice, bob]) {
      const response = await previewFor(person, id);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
      const { width } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect(width).toBe(640);
    }
    expect((await previewFor(eve, id)).status).toBe(403);
  });

  it('goes with the saved page that named it, and a new one takes its place', async () => {
    const { id, metadata } = await captured('/shore.png');
    const other = await captured('/photo', id);
    expect(other.metadata).toMatchObject({ width: 800, height: 600 });
    expect(other.metadata['preview']).not.toBe(metadata['preview']);
    expect((await previewFor(alice, id)).headers.get('etag')).toBe(`"${String(other.metadata['preview'])}"`);
    const without = await captured('/missing.png', id);
    for (const name of ['preview', 'thumbnail', 'width', 'height'])
      expect(without.metadata).not.toHaveProperty(name);
    expect(without.metadata).toHaveProperty('snapshot');
    expect((await previewFor(alice, id)).status).toBe(404);
  });

  it.each([
    '/missing.png',
    '/mark.png',
    '/words.png',
    '/half.png',
    '/named.png',
    '/error.png',
    '/drawing.svg',
    '/huge.png',
    'ftp://example.com/a.png',
    'data:image/png;base64,AAAA',
  ])('that is %s is left out, and the page is kept', async (address) => {
    const { metadata, contentStatus } = await captured(address);
    expect(contentStatus).toBe('completed');
    expect(metadata).toHaveProperty('snapshot');
    expect(metadata).not.toHaveProperty('thumbnail');
    expect(metadata).not.toHaveProperty('preview');
  });

  it('that cannot be stored does not take the page with it', async () => {
    image = '/shore.png';
    const { files, log } = world.context;
    const logged: unknown[] = [];
    const full = Object.assign(Object.create(files), {
      put: async (key: string, bytes: Uint8Array) => {
        if (/_[\da-f]{32}$/.test(key)) throw new Error('ENOSPC');
        await files.put(key, bytes);
      },
    });
    const quiet = Object.assign(Object.create(log), {
      error: (_facts: object, text: string) => logged.push(text),
    });
    const { id } = await createBuild(cast).memory({ title: null, url: `${site.url}/page?full` });
    await capturePage({ ...world.context, files: full, log: quiet }, { workspaceId, memoryId: id });
    const { metadata } = (await alice.api('memory.get', { params: { workspaceId, id } })).result;
    expect(metadata).toHaveProperty('snapshot');
    expect(metadata).not.toHaveProperty('preview');
    expect(logged).toEqual(['the picture of a page could not be stored']);
  });
});
