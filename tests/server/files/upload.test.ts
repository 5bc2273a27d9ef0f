/** Files that members upload: who may, what is stored once, who may read it, and when it goes. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILES } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { removeUnusedUploads, storeUpload } from '#server/capture/upload-store.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { purgeTrash } from '#server/sync/retention.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createRaw } from '#tests/support/agent.ts';
import { fetchPublic, uploadFile } from '#tests/support/upload.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);

let files = 0;
/** A small PDF that no other test has. */
const pdf = () => `%PDF-1.4\n% ${++files}`;

const save = (
  given: { bytes?: string; name?: string; payload?: Record<string, unknown> } = {},
  by = cast.alice,
) => uploadFile(world, by, { workspaceId: cast.workspaceId, bytes: pdf(), name: 'a report.pdf', ...given });

const addressOf = async (id: string, by = cast.alice) =>
  by.raw('GET', `/v1/memories/${cast.workspaceId}/${id}/file`);

const storedFiles = () => {
  const folder = path.join(world.context.config.dataDir, 'files', cast.workspaceId);
  return readdirSync(folder).length;
};

describe('a file', () => {
  it('has a name without marks that would show another ending than it has', async () => {
    const { json } = await save({ name: 'in\u202evoice\u2066 fdp.\u200fpdf' });
    expect(json.result).toMatchObject({ filename: 'invoice fdp.pdf', title: 'invoice fdp' });
    // As a name that was stored before.
    const filename = 'a\u202ereport.pdf';
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      tx.update('memory', json.result.id, { filename }),
    );
    const { json: address } = await addressOf(json.result.id);
    const answer = await fetchPublic(world, Object(address?.result).url);
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''areport.pdf");
  });

  it('becomes a memory that waits for its text, and is read at a signed address', async () => {
    const bytes = pdf();
    const { status, json } = await save({ bytes, payload: { tags: ['work'], notes: 'From the meeting' } });
    expect(status).toBe(201);
    expect(json.result).toMatchObject({
      type: 'file',
      origin: 'upload',
      contentStatus: 'pending',
      title: 'a report',
      filename: 'a report.pdf',
      notes: 'From the meeting',
      tags: ['work'],
      uploadId: expect.stringMatching(/^upload_/),
    });
    const { json: address } = await addressOf(json.result.id);
    const { url, expiresAt } = Object(address?.result);
    expect(address?.result).toMatchObject({
      filename: 'a report.pdf',
      mediaType: 'application/pdf',
      bytes: bytes.length,
    });
    expect(Date.parse(expiresAt) - world.clock.now().getTime()).toBe(FILES.addressMs);
    const answer = await fetchPublic(world, url);
    expect([answer.status, await answer.text()]).toEqual([200, bytes]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="a report.pdf"; filename*=UTF-8''a%20report.pdf`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('private'),
    });
  });

  it('that a browser could run is only downloaded, under no type of its own', async () => {
    const { json } = await save({ bytes: '<script>alert(1)</script>', name: 'né;w.html' });
    const { url } = Object((await addressOf(json.result.id)).json?.result);
    const { headers } = await fetchPublic(world, url);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="n__w.html"; filename*=UTF-8''n%C3%A9%3Bw.html`,
    );
  });

  it('of text that is too long for notes is stored as a file', async () => {
    const { status, json } = await save({ bytes: 'word '.repeat(LIMITS.notes / 4), name: 'long.txt' });
    expect([status, json.result.type]).toEqual([201, 'file']);
  });

  it('is stored once, and is one memory', async () => {
    const bytes = pdf();
    const first = await save({ bytes, payload: { tags: ['one'] } });
    await cast.alice.api('memory.update', {
      params: { workspaceId: cast.workspaceId, id: first.json.result.id },
      body: { archived: true },
    });
    const count = storedFiles();
    const space = await build.space();
    const again = await save(
      { bytes, name: 'other.pdf', payload: { tags: ['two'], spaceId: space.id } },
      cast.bob,
    );
    expect([again.status, again.json.meta.duplicate, again.json.result.id]).toEqual([
      200,
      true,
      first.json.result.id,
    ]);
    expect(again.json.result).toMatchObject({
      archived: false,
      filename: 'a report.pdf',
      tags: ['one', 'two'],
    });
    expect(storedFiles()).toBe(count);
    const links = await cast.alice.api('space_memory.list', {
      params: { workspaceId: cast.workspaceId },
      query: { spaceId: space.id },
    });
    expect(links.result).toHaveLength(1);
  });

  it('is a memory of its own where a separate one is wanted, and the same one when it is sent again', async () => {
    const bytes = pdf();
    const first = await save({ bytes });
    const count = storedFiles();
    const id = newId('memory');
    const separate = await save({ bytes, payload: { id, separate: true } });
    const again = await save({ bytes, payload: { id, separate: true } });
    expect([separate.status, separate.json.result.id, again.json.result.id]).toEqual([201, id, id]);
    expect(first.json.result.id).not.toBe(id);
    expect(storedFiles()).toBe(count);
  });

  it('sent at the same moment by many is one memory', async () => {
    const bytes = pdf();
    const answers = await Promise.all(Array.from({ length: 6 }, () => save({ bytes })));
    expect(new Set(answers.map(({ json }) => json.result.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('sent again under its id changes nothing', async () => {
    const bytes = pdf();
    const id = newId('memory');
    await save({ bytes, payload: { id } });
    const again = await save({ bytes, name: 'b.pdf', payload: { id } });
    expect(again.json.result).toMatchObject({ id, filename: 'a report.pdf' });
  });

  it('in a private space stays there, also when others have it', async () => {
    const bytes = pdf();
    const open = await save({ bytes });
    const hidden = await build.space({ name: 'Hidden', visibility: 'private' });
    const secret = await save({ bytes, name: 'secret plan.pdf', payload: { spaceId: hidden.id } });
    expect(secret.status).toBe(201);
    expect(secret.json.result.id).not.toBe(open.json.result.id);
    expect((await addressOf(secret.json.result.id, cast.bob)).status).toBe(404);
    const others = await save({ bytes }, cast.bob);
    expect(others.json.result.id).toBe(open.json.result.id);
  });
});

describe('the address of a file', () => {
  it('is refused to strangers, to other workspaces and for memories without a file', async () => {
    const { json } = await save();
    expect((await addressOf(json.result.id, cast.eve)).status).toBe(403);
    const elsewhere = await cast.eve.raw(
      'GET',
      `/v1/memories/${cast.evesWorkspaceId}/${json.result.id}/file`,
    );
    expect(elsewhere.status).toBe(404);
    const note = await build.memory();
    expect((await addressOf(note.id)).json?.error).toMatchObject({ detail: 'This memory has no file' });
    expect((await createRaw(world)('GET', `/v1/memories/${cast.workspaceId}/${note.id}/file`)).status).toBe(
      401,
    );
  });

  it('works for five minutes, unchanged, and until the memory is deleted', async () => {
    const { json } = await save();
    const { url } = Object((await addressOf(json.result.id)).json?.result);
    const other = (await save()).json.result.id;
    const read = async (address: string) => (await fetchPublic(world, address)).status;
    expect(await read(url)).toBe(200);
    expect(await read(url.replace(json.result.id, other))).toBe(404);
    expect(await read(`${url}x`)).toBe(404);
    expect(await read(url.slice(0, -1))).toBe(404);
    const later = url.replace(
      /\.(\w+)\.([\w-]+)$/,
      (_: string, until: string, sign: string) => `.${until}0.${sign}`,
    );
    expect(await read(later)).toBe(404);
    for (const wrong of ['x', '....', 'a'.repeat(299), '%00', '../../etc/passwd']) {
      expect(await read(`${world.url}/v1/files/${encodeURIComponent(wrong)}`)).toBe(404);
    }
    const { url: second } = Object((await addressOf(other)).json?.result);
    await cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id: other } });
    expect(await read(second)).toBe(404);
    world.clock.advance(FILES.addressMs + 1);
    expect(await read(url)).toBe(404);
  });
});

describe('a refused upload', () => {
  it('leaves nothing behind', async () => {
    const count = storedFiles();
    expect((await save({}, cast.rita)).status).toBe(403);
    expect((await save({}, cast.eve)).status).toBe(403);
    expect(
      (
        await uploadFile(
          world,
          { token: 'x' },
          { workspaceId: cast.workspaceId, bytes: pdf(), name: 'a.pdf' },
        )
      ).status,
    ).toBe(401);
    expect(storedFiles()).toBe(count);
  });

  it('tells when the workspace is full', async () => {
    const { workspaceId } = cast;
    const full = {
      workspaceId,
      id: newId('upload'),
      hash: 'x',
      bytes: FILES.workspaceMaxBytes,
      kind: 'pdf' as const,
      createdBy: null,
      created: world.clock.now().toISOString(),
      touched: world.clock.now().toISOString(),
      stored: null,
    };
    await world.context.db.insertInto('upload').values(full).execute();
    const { status, json } = await save();
    expect([status, json.error.detail]).toEqual([413, expect.stringContaining('10 GB')]);
    await world.context.db.deleteFrom('upload').where('id', '=', full.id).execute();
  });

  it('for a store that is away asks to try again', async () => {
    const { files: store } = world.context;
    const { put } = store;
    store.put = () => Promise.reject(new Error('away'));
    const bytes = pdf();
    const { status } = await save({ bytes });
    store.put = put;
    expect(status).toBe(503);
    expect((await save({ bytes })).status).toBe(201);
  });
});

it('a file is removed with its last memory, and stays while that is in the trash', async () => {
  const { workspaceId, alice } = cast;
  const { json } = await save();
  const key = `${workspaceId}/${json.result.uploadId}`;
  const isStored = async () => (await world.context.files.get(key)) !== undefined;
  await alice.raw('DELETE', `/v1/memories/${workspaceId}/${json.result.id}`);
  world.clock.advance(FILES.unusedMs + 1);
  await removeUnusedUploads(world.context, world.clock.now());
  expect(await isStored()).toBe(true);
  world.clock.advance(31 * 86_400_000);
  await purgeTrash(world.context, world.clock.now());
  await removeUnusedUploads(world.context, world.clock.now());
  expect(await isStored()).toBe(false);
});

it('a file that was just uploaded is not removed before its memory is saved', async () => {
  const { workspaceId, alice } = cast;
  const bytes = Buffer.from(pdf());
  const given = { workspaceId, userId: alice.user.id, kind: 'pdf' as const, bytes };
  const id = await storeUpload(world.context, given);
  await removeUnusedUploads(world.context, world.clock.now());
  expect(await world.context.files.get(`${workspaceId}/${id}`)).toEqual(bytes);
});
