// The saved page of a link through HTTP: what is stored of it, who reads it, what replaces it, and when it is gone.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { capturePage } from '#server/capture/capture-page.ts';
import { removeUnusedUploads } from '#server/capture/upload-store.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { purgeTrash } from '#server/sync/retention.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import { purgeWorkspace } from '#server/workspaces/purge.ts';
import { FILES } from '#shared/capture/limits.ts';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import type { Id } from '#shared/ids.ts';
import { snapshotOf } from '#shared/memories/memory-kinds.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { page, serveSite, type LocalSite } from '#tests/support/local-site.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;
const PROSE =
  'Barnacles glue themselves to rock head first and then kick food into their mouths with their feet.';

const PIXEL = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');

let world: World;
let site: LocalSite;
let cast: Cast;
let release: (() => void) | undefined;
let words = PROSE;
let status = 200;

beforeAll(async () => {
  world = await createWorld({ env: { EGRESS: 'private' } });
  site = await serveSite({
    '/page': (request, response) =>
      page(
        `<html lang="en"><title>Barnacles</title><link rel=stylesheet href="/style.css"><body onload="alert(1)">
         <script>alert(1)</script><article><h1>Barnacles</h1><p>${words}</p><p>${PROSE}</p>
         <img src="/rock.svg" alt="A rock"></article></body></html>`,
        {},
        status,
      )(request, response),
    '/style.css': page('h1 { color: teal }', { 'content-type': 'text/css' }),
    '/rock.svg': page('<svg><circle r="4"/></svg>', { 'content-type': 'image/svg+xml' }),
    '/held': page(`<title>Held</title><article><p>${PROSE}</p><img src="/held.png" alt="Held"></article>`),
    '/held.png': (request, response) => {
      release = () => page(PIXEL, { 'content-type': 'image/png' })(request, response);
    },
    '/notes.md': page(`# Notes\n\n${PROSE}`, { 'content-type': 'text/markdown' }),
  });
});
afterAll(async () => {
  await world.close();
  await site.close();
});
beforeEach(async () => {
  words = PROSE;
  status = 200;
  release = undefined;
  cast = await createCast(world);
});

const capture = (memoryId: Id<'memory'>) =>
  capturePage(world.context, { workspaceId: cast.workspaceId, memoryId });

async function saved(address = '/page', given: { spaceId?: Id<'space'> } = {}) {
  const { id } = await createBuild(cast).memory({ title: null, url: site.url + address, ...given });
  await capture(id);
  return id;
}

async function again(id: Id<'memory'>) {
  await cast.alice.api('memory.update', {
    params: { workspaceId: cast.workspaceId, id },
    body: { contentStatus: 'pending' },
  });
  await capture(id);
}

const factsOf = async (id: Id<'memory'>) =>
  snapshotOf((await cast.alice.api('memory.get', { params: { workspaceId: cast.workspaceId, id } })).result);

function read(
  id: string,
  token: string | undefined = cast.alice.token,
  headers: Record<string, string> = {},
) {
  return fetch(`${world.url}/v1/memories/${cast.workspaceId}/${id}/snapshot`, {
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
  });
}
const statusFor = async (id: string, token: string | undefined) => (await read(id, token)).status;

const stored = () => {
  try {
    return readdirSync(path.join(world.context.config.dataDir, 'files', cast.workspaceId));
  } catch {
    return [];
  }
};

describe('the saved page of a link', () => {
  it('is one file without scripts, under headers that make any file harmless', async () => {
    const id = await saved();
    const response = await read(id);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('kick food into their mouths');
    expect(html).toContain('h1{color:teal}');
    expect(html).toMatch(
      /<img alt="A rock" src="data:image\/svg\+xml;base64,[\w+/=]+" data-from="[^"]+\/rock\.svg">/,
    );
    expect(html).not.toMatch(/<script|onload|(?:src|href)="[^"]*\/rock\.svg/);
    const headers = Object.fromEntries(response.headers);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(
      /^sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:/,
    );
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
    });
    const facts = await factsOf(id);
    expect(facts).toEqual({
      hash: headers['etag']?.replaceAll('"', ''),
      taken: world.clock.now().toISOString(),
      bytes: Buffer.byteLength(html),
    });
    expect((await read(id, '', { 'if-none-match': `"${facts?.hash}"` })).status).toBe(401);
    expect((await read(id, cast.alice.token, { 'if-none-match': `"${facts?.hash}"` })).status).toBe(304);
  });

  it('is none where there is no page, and says so', async () => {
    const build = createBuild(cast);
    const note = await build.memory({ notes: 'A note' });
    const waiting = await build.memory({ url: `${site.url}/page?waiting` });
    const text = await saved('/notes.md');
    for (const id of [note.id, waiting.id, text, build.nowhere().memory, 'x'])
      expect([id, await statusFor(id, cast.alice.token)]).toEqual([id, 404]);
    expect(await factsOf(text)).toBeUndefined();
  });

  it('stays when the page dies or cannot be saved again, and is replaced by a newer one', async () => {
    const id = await saved();
    const first = await factsOf(id);
    world.clock.advance(DAY_MS);
    status = 410;
    await again(id);
    expect(await factsOf(id)).toEqual(first);
    expect(await (await read(id)).text()).toContain('kick food');
    status = 200;
    const failing = { ...world.context.files, put: () => Promise.reject(new Error('The disk is full')) };
    words = 'Limpets hold on.';
    await cast.alice.api('memory.update', {
      params: { workspaceId: cast.workspaceId, id },
      body: { contentStatus: 'pending' },
    });
    await capturePage({ ...world.context, files: failing }, { workspaceId: cast.workspaceId, memoryId: id });
    expect(await factsOf(id)).toEqual(first);
    await again(id);
    const second = await factsOf(id);
    expect(second).toMatchObject({ taken: world.clock.now().toISOString() });
    expect(second?.hash).not.toBe(first?.hash);
    expect(await (await read(id)).text()).toContain('Limpets hold on.');
  });

  it('comes after the text, which waits for no picture, and only beside the text that it was made with', async () => {
    const { id } = await createBuild(cast).memory({ title: null, url: `${site.url}/held` });
    const params = { workspaceId: cast.workspaceId, id };
    const capturing = capture(id);
    await expect.poll(() => release).toBeDefined();
    const { result } = await cast.alice.api('memory.get', { params });
    expect(result).toMatchObject({ contentStatus: 'completed', title: 'Held' });
    expect(snapshotOf(result)).toBeUndefined();
    world.clock.advance(1);
    await cast.alice.api('memory.update', { params, body: { url: `${site.url}/notes.md` } });
    await capture(id);
    release?.();
    await capturing;
    expect(await factsOf(id)).toBeUndefined();
    expect(await statusFor(id, cast.alice.token)).toBe(404);
  });

  it('that cannot be stored leaves the text of the page', async () => {
    const { id } = await createBuild(cast).memory({ title: null, url: `${site.url}/page?full` });
    const failing = { ...world.context.files, put: () => Promise.reject(new Error('The disk is full')) };
    await capturePage({ ...world.context, files: failing }, { workspaceId: cast.workspaceId, memoryId: id });
    const { result } = await cast.alice.api('memory.get', { params: { workspaceId: cast.workspaceId, id } });
    expect(result).toMatchObject({ contentStatus: 'completed', title: 'Barnacles' });
    expect(snapshotOf(result)).toBeUndefined();
    expect(await statusFor(id, cast.alice.token)).toBe(404);
  });

  it('that goes with another address is not that of the new one', async () => {
    const id = await saved();
    await cast.alice.api('memory.update', {
      params: { workspaceId: cast.workspaceId, id },
      body: { url: `${site.url}/notes.md` },
    });
    await capture(id);
    expect(await factsOf(id)).toBeUndefined();
    expect(await statusFor(id, cast.alice.token)).toBe(404);
  });

  it('counts as storage, equal ones once', async () => {
    const [one, two] = [await saved(), await saved('/page?again')];
    const { result } = await cast.alice.api('workspace.usage', { params: { workspaceId: cast.workspaceId } });
    const facts = await factsOf(one);
    expect((await factsOf(two))?.hash).toBe(facts?.hash);
    expect(result.storage.byKind.files).toBe(facts?.bytes);
    expect(stored()).toHaveLength(1);
  });

  it('comes from a browser as well, as the person saw it', async () => {
    const form = new FormData();
    form.set(
      'payload',
      JSON.stringify({ workspaceId: cast.workspaceId, url: 'https://intranet.example/a', page: true }),
    );
    const html = `<title>Handbook</title><article><h1>Handbook</h1><p>${PROSE}</p><img src="${site.url}/rock.svg" alt="Rock"></article><script>x</script>`;
    form.set('file', new Blob([html], { type: 'text/html' }), 'page.html');
    const response = await fetch(`${world.url}/v1/memories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cast.alice.token}`, 'x-upload': 'file' },
      body: form,
    });
    const { result } = (await response.json()) as {
      result: { id: string; metadata: Record<string, unknown> };
    };
    expect(snapshotOf(result)).toBeDefined();
    const text = await (await read(result.id)).text();
    expect(text).toMatch(/Handbook[\s\S]*<img [^>]*src="data:image\/svg/);
    expect(text).not.toContain('<script');
  });
});

describe('who reads a saved page', () => {
  it('is who reads the memory: members, and no stranger, no visitor and no other workspace', async () => {
    const id = await saved();
    const { alice, bob, rita, eve, evesWorkspaceId } = cast;
    for (const { token } of [alice, bob, rita]) expect(await statusFor(id, token)).toBe(200);
    expect(await statusFor(id, eve.token)).toBe(403);
    expect(await statusFor(id, '')).toBe(401);
    expect(await statusFor(id, 'nothing')).toBe(401);
    const elsewhere = await fetch(`${world.url}/v1/memories/${evesWorkspaceId}/${id}/snapshot`, {
      headers: { authorization: `Bearer ${eve.token}` },
    });
    expect(elsewhere.status).toBe(404);
  });

  it('is no member any more once removed, and of a private space only its members', async () => {
    const space = await createBuild(cast).space({ name: 'Own', visibility: 'private' });
    const own = await saved('/page?private', { spaceId: space.id });
    expect([await statusFor(own, cast.alice.token), await statusFor(own, cast.bob.token)]).toEqual([
      200, 404,
    ]);
    const open = await saved();
    expect(await statusFor(open, cast.bob.token)).toBe(200);
    await remove(cast.bob);
    expect(await statusFor(open, cast.bob.token)).toBe(403);
  });

  it('is a guest of the space that it is in, as long as the grant holds', async () => {
    const build = createBuild(cast);
    const space = await build.space({ name: 'Shared', visibility: 'private_and_guests' });
    const [inside, outside] = [await saved('/page?in', { spaceId: space.id }), await saved()];
    const share = (grants: object[]) =>
      cast.alice.raw('PATCH', `/v1/spaces/${cast.workspaceId}/${space.id}`, { body: { grants } });
    await build.link(space.id, inside);
    await share([{ email: cast.eve.user.email, level: 'read' }]);
    expect([await statusFor(inside, cast.eve.token), await statusFor(outside, cast.eve.token)]).toEqual([
      200, 404,
    ]);
    await share([]);
    expect(await statusFor(inside, cast.eve.token)).toBe(403);
  });

  it('is a key with the scope for memories, within its spaces', async () => {
    const id = await saved();
    const { workspaceId, alice } = cast;
    const reading = await createKey(world, alice, { workspaceId, scopes: ['memories:read'] });
    const spaces = await createKey(world, alice, { workspaceId, scopes: ['spaces:read'] });
    expect([await statusFor(id, reading.secret), await statusFor(id, spaces.secret)]).toEqual([200, 403]);
    const space = await createBuild(cast).space({ name: 'Other' });
    const { result } = await alice.api('api_key.create', {
      body: { workspaceId, name: 'Limited', scopes: ['memories:read'], spaceIds: [space.id] },
    });
    expect(await statusFor(id, result.secret)).toBe(404);
  });
});

async function remove({ user }: Agent): Promise<void> {
  await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
    removeMember(tx, { userId: cast.alice.user.id, position: 'owner' }, user.id),
  );
}

describe('a saved page is removed', () => {
  it('with its memory: not in the trash, but when the trash is emptied', async () => {
    const id = await saved();
    const { workspaceId, alice } = cast;
    await alice.api('memory.remove', { params: { workspaceId, id } });
    expect(await statusFor(id, alice.token)).toBe(404);
    world.clock.advance(FILES.unusedMs + 1);
    await removeUnusedUploads(world.context, world.clock.now());
    expect(stored()).toHaveLength(1);
    world.clock.advance(TRASH_DAYS * DAY_MS + 1);
    await purgeTrash(world.context, world.clock.now());
    await removeUnusedUploads(world.context, world.clock.now());
    expect(stored()).toEqual([]);
    const rows = await world.context.db
      .selectFrom('upload')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .execute();
    expect(rows).toEqual([]);
  });

  it('when another one took its place, and with its workspace', async () => {
    const id = await saved();
    words = 'Limpets hold on.';
    await again(id);
    expect(stored()).toHaveLength(2);
    world.clock.advance(FILES.unusedMs + 1);
    await removeUnusedUploads(world.context, world.clock.now());
    expect(stored()).toHaveLength(1);
    expect(await (await read(id)).text()).toContain('Limpets');
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      tx.update('workspace', cast.workspaceId, { deletedAt: tx.now.toISOString() }),
    );
    await purgeWorkspace(world.context, cast.workspaceId);
    await removeUnusedUploads(world.context, world.clock.now());
    expect(stored()).toEqual([]);
  });
});
