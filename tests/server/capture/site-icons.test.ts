// Icons of sites: which one of a page is taken, what is drawn of it, who gets it, and how often the site is asked.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturePage } from '#server/capture/capture-page.ts';
import { findSiteIcon } from '#server/capture/site-icons.ts';
import { createEgress } from '#server/providers/egress.ts';
import type { Id } from '#shared/ids.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { page, serveSite, type LocalSite } from '#tests/support/local-site.ts';
import { openWorld } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;
const world = await openWorld({ env: { EGRESS: 'private' } });
const cast = await createCast(world);
const { alice, bob, eve, workspaceId } = cast;

const png = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#2f6f5e' } })
    .png()
    .toBuffer();

/** A file of icons with one of this side in it. */
function ico(side: number, picture: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(side, 6);
  head.writeUInt8(side, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, picture]);
}

/** A red bitmap as icons have it: twice as high as it is, with the mask below the picture. */
function bitmap(side: number): Buffer {
  const head = Buffer.alloc(40);
  head.writeUInt32LE(40, 0);
  head.writeInt32LE(side, 4);
  head.writeInt32LE(side * 2, 8);
  head.writeUInt16LE(1, 12);
  head.writeUInt16LE(32, 14);
  const pixels = Buffer.from(Array.from({ length: side * side }, () => [0, 0, 255, 255]).flat());
  return Buffer.concat([head, pixels, Buffer.alloc((side * Math.ceil(side / 32) * 32) / 8)]);
}

let site: LocalSite;
let links = '';
let saved = 0;
let isDown = false;
beforeAll(async () => {
  const small = await png(32);
  const octets = { 'content-type': 'application/octet-stream' };
  site = await serveSite({
    '/page': (request, response) =>
      page(`<title>The shore</title>${links}<article><p>Barnacles glue themselves to rock.</p></article>`)(
        request,
        response,
      ),
    '/favicon.ico': page(ico(32, bitmap(32)), octets),
    '/within.ico': page(ico(32, small), octets),
    '/32.png': page(small, octets),
    '/64.png': (request, response) => page(small, octets, isDown ? 503 : 200)(request, response),
    '/180.png': page(await png(180), octets),
    '/dot.png': page(await png(1), octets),
    '/words.png': page('no picture at all', octets),
    '/half.ico': page(ico(32, bitmap(32)).subarray(0, 60), octets),
    '/wide.ico': page(ico(32, Buffer.concat([bitmap(32).fill(127, 4, 8)])), octets),
    '/drawing.png': page('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>', {
      'content-type': 'image/svg+xml',
    }),
    '/huge.png': page(Buffer.alloc(1024 * 1024), octets),
  });
});
afterAll(() => site.close());

async function captured(markup: string): Promise<Id<'memory'>> {
  links = markup;
  const { id } = await createBuild(cast).memory({ title: null, url: `${site.url}/page?${(saved += 1)}` });
  await capturePage(world.context, { workspaceId, memoryId: id });
  site.asked.length = 0;
  return id;
}

const iconFor = ({ token }: { token: string }, id: Id<'memory'>) =>
  fetch(`${world.url}/v1/memories/${workspaceId}/${id}/icon`, {
    headers: { authorization: `Bearer ${token}` },
  });

const iconAt = (path: string) => findSiteIcon(world.context, `${site.url}${path}`, alice.user.id);

describe('the icon of a site', () => {
  it('is drawn once for everyone who can read a link to it', async () => {
    const id = await captured('<link rel="icon" href="/180.png" sizes="180x180">');
    const answers = await Promise.all([iconFor(alice, id), iconFor(bob, id)]);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
      const drawn = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect([drawn.format, drawn.width, drawn.height]).toEqual(['webp', 64, 64]);
    }
    expect(site.asked).toEqual(['/180.png']);
    expect((await iconFor(eve, id)).status).toBe(403);
    const note = await createBuild(cast).memory({ title: 'A note' });
    expect((await iconFor(alice, note.id)).status).toBe(204);
  });

  it.each([
    [
      'the one that is just large enough',
      '<link rel="icon" sizes="32x32" href="/32.png"><link rel="icon" sizes="64x64" href="/64.png"><link rel="apple-touch-icon" href="/180.png">',
      '/64.png',
    ],
    [
      'the largest of small ones',
      '<link rel="icon" href="/dot.png"><link rel="Shortcut Icon" sizes="32x32" href="/32.png">',
      '/32.png',
    ],
    [
      'one that can be drawn',
      '<link rel="icon" href="/mark.svg"><link rel="icon" type="image/svg+xml" href="/mark"><link rel="apple-touch-icon" href="/180.png">',
      '/180.png',
    ],
    ['the one where browsers look', '<link rel="icon" href="data:image/png;base64,AAAA">', '/favicon.ico'],
  ])('is %s', async (_name, markup, path) => {
    const { result } = await alice.api('memory.get', { params: { workspaceId, id: await captured(markup) } });
    expect(result.metadata['favicon']).toBe(`${site.url}${path}`);
  });

  it.each(['/favicon.ico', '/within.ico'])('may be in a file of icons: %s', async (path) => {
    const { width, height } = await sharp((await iconAt(path)) ?? undefined).metadata();
    expect([width, height]).toEqual([32, 32]);
  });

  it.each(['/missing.png', '/dot.png', '/words.png', '/half.ico', '/wide.ico', '/drawing.png', '/huge.png'])(
    'that is %s is none, and is not asked for again on that day',
    async (path) => {
      site.asked.length = 0;
      expect(await iconAt(path)).toBeNull();
      expect(await iconAt(path)).toBeNull();
      expect(site.asked).toEqual([path]);
      world.clock.advance(DAY_MS);
      await iconAt(path);
      expect(site.asked).toEqual([path, path]);
    },
  );

  it('is looked for again after a month, and stays when the site is gone', async () => {
    const first = await iconAt('/64.png');
    expect(first).toBeInstanceOf(Buffer);
    site.asked.length = 0;
    isDown = true;
    world.clock.advance(30 * DAY_MS);
    expect(await Promise.all([iconAt('/64.png'), iconAt('/64.png')])).toEqual([first, first]);
    expect(site.asked).toEqual(['/64.png']);
  });

  it('is asked of no site where the server fetches nothing, and then too when it fetches again', async () => {
    const egress = createEgress('none');
    const silent = { ...world.context, egress };
    expect(await findSiteIcon(silent, `${site.url}/32.png`, alice.user.id)).toBeNull();
    await egress.close();
    expect(await iconAt('/32.png')).toBeInstanceOf(Buffer);
  });
});
