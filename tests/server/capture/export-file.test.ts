// The finished file of an export: it is handed out while its person and its credential may read what is in it, and deleted
// when its time is over.
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { removeExports } from '#server/capture/exports/export-store.ts';
import { hashToken } from '#server/http/credentials.ts';
import { purgeWorkspace } from '#server/workspaces/purge.ts';
import type { Scope } from '#shared/api-keys/scopes.ts';
import { WORKSPACE_EXPORT } from '#shared/capture/export-job.ts';
import { FILES } from '#shared/capture/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createCast, join, type Cast } from '#tests/support/build.ts';
import {
  ALL_SCOPES,
  demote,
  furnish,
  keyOf,
  remove,
  tokenOf,
  type ExportStage,
} from '#tests/support/export-stage.ts';
import { fetchPublic } from '#tests/support/upload.ts';
import { exportWhole, readExport } from '#tests/support/workspace-export.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
let stage: ExportStage;
let workspaceId: Id<'workspace'>;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
  stage = { world, cast };
  ({ workspaceId } = cast);
});

const DAY_MS = 86_400_000;

describe('the file', () => {
  const statusAt = async (url: string | undefined) => (await fetchPublic(world, url ?? '')).status;

  it('comes as a zip under its name, for five minutes', async () => {
    const job = await exportWhole(world, cast.alice, { workspaceId });
    expect(job).toMatchObject({ status: 'completed', contents: ['memories', 'spaces', 'threads'] });
    const url = job.download?.url ?? '';
    const response = await fetchPublic(world, url);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(job.bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(job.bytes),
      'content-disposition': `attachment; filename="${job.filename}"; filename*=UTF-8''${job.filename}`,
      'cache-control': 'private, no-store',
    });
    expect(await statusAt(`${url}x`)).toBe(404);
    expect(await statusAt(url.replace(job.id, newId('export')))).toBe(404);
    expect(await statusAt(url.replace('.session.', '.api_key.'))).toBe(404);
    world.clock.advance(FILES.addressMs);
    expect(await statusAt(url)).toBe(404);
  });

  it('is out of reach for a removed member, and for one who comes back with less', async () => {
    const { bob } = cast;
    const job = await exportWhole(world, bob, { workspaceId });
    expect(await statusAt(job.download?.url)).toBe(200);
    await remove(stage, bob);
    expect(await statusAt(job.download?.url)).toBe(404);
    expect((await bob.raw('GET', `/v1/exports/${workspaceId}/${job.id}`)).status).toBe(403);
    await join(world, workspaceId, bob, 'read-only');
    expect(await statusAt(job.download?.url)).toBe(404);
    expect(await readExport(bob, job)).toMatchObject({ status: 'expired', download: null });
  });

  it('is out of reach for a demoted person, and for one who lost a space in it', async () => {
    const { garden } = await furnish(stage);
    const { alice, bob } = cast;
    const key = await keyOf(stage, bob, { scopes: ['memories:read'] });
    const ofKey = await exportWhole(world, key, { workspaceId });
    const before = await exportWhole(world, bob, { workspaceId });
    const params = { workspaceId, id: garden.id };
    await alice.api('space.update', { params, body: { visibility: 'private' } });
    expect(await statusAt(before.download?.url)).toBe(404);
    // Also where the file has the memories of a space and not the space.
    expect(await statusAt(ofKey.download?.url)).toBe(404);
    expect(await readExport(bob, before)).toMatchObject({ status: 'expired', download: null });
    const after = await exportWhole(world, bob, { workspaceId });
    expect(await statusAt(after.download?.url)).toBe(200);
    await demote(stage, bob, 'read-only');
    expect(await statusAt(after.download?.url)).toBe(404);
    expect(await readExport(bob, after)).toMatchObject({ status: 'expired', download: null });
  });

  it('stays after a space in it was deleted, which is no matter of rights', async () => {
    const { kitchen } = await furnish(stage);
    const job = await exportWhole(world, cast.bob, { workspaceId });
    await cast.alice.api('space.remove', { params: { workspaceId, id: kitchen.id } });
    expect(await statusAt(job.download?.url)).toBe(200);
  });

  it('is out of reach once the credential that asked for the address has ended or was limited', async () => {
    const { garden } = await furnish(stage);
    const { alice } = cast;
    const scopes: Scope[] = ['memories:read', 'spaces:read'];
    const key = await keyOf(stage, alice, { scopes: scopes, spaceIds: [garden.id] });
    const job = await exportWhole(world, key, { workspaceId });
    expect(await statusAt(job.download?.url)).toBe(200);
    const { db } = world.context;
    await sql`update "api_key" set "spaceIds" = '{spc_other}' where "id" = ${key.id}`.execute(db);
    expect(await statusAt(job.download?.url)).toBe(404);
    await sql`update "api_key" set "spaceIds" = ${[garden.id]}::text[], "scopes" = '{memories:read}'
      where "id" = ${key.id}`.execute(db);
    expect(await statusAt(job.download?.url)).toBe(404);
    await sql`update "api_key" set "scopes" = ${scopes}::text[] where "id" = ${key.id}`.execute(db);
    expect(await statusAt(job.download?.url)).toBe(200);
    await alice.api('api_key.remove', { params: { workspaceId, id: key.id } });
    expect(await statusAt(job.download?.url)).toBe(404);

    const token = await tokenOf(stage, alice, { scopes: ALL_SCOPES });
    const ofToken = await exportWhole(world, token, { workspaceId });
    expect(await statusAt(ofToken.download?.url)).toBe(200);
    await db.deleteFrom('oauth_token').where('tokenHash', '=', hashToken(token.token)).execute();
    expect(await statusAt(ofToken.download?.url)).toBe(404);

    const hers = await readExport(alice, ofToken);
    expect(await statusAt(hers.download?.url)).toBe(200);
    await alice.api('auth.logout', {});
    expect(await statusAt(hers.download?.url)).toBe(404);
  });

  it('is deleted after its days, the oldest earlier, and with its workspace', async () => {
    const { alice, bob } = cast;
    const { db, files } = world.context;
    const made = [];
    for (let count = 0; count <= WORKSPACE_EXPORT.keptMax; count += 1) {
      world.clock.advance(60_000);
      made.push(await exportWhole(world, alice, { workspaceId }));
    }
    const [oldest, second] = made;
    if (!oldest || !second) throw new Error('No exports');
    const keyOfFile = ({ id }: { id: string }) => `${workspaceId}/${id}`;
    expect(await readExport(alice, oldest)).toMatchObject({ status: 'expired', download: null });
    expect(await files.get(keyOfFile(oldest))).toBeUndefined();
    expect(await readExport(alice, second)).toMatchObject({ status: 'completed' });
    world.clock.advance(WORKSPACE_EXPORT.keepDays * DAY_MS);
    expect((await readExport(alice, second)).download).toBeNull();
    await removeExports(world.context, world.clock.now());
    expect(await readExport(alice, second)).toMatchObject({ status: 'expired', download: null });
    expect(await files.get(keyOfFile(second))).toBeUndefined();

    const left = await exportWhole(world, bob, { workspaceId });
    expect(await files.get(keyOfFile(left))).toBeDefined();
    await purgeWorkspace(world.context, workspaceId);
    await removeExports(world.context, world.clock.now());
    expect(await files.get(keyOfFile(left))).toBeUndefined();
    const rows = await db
      .selectFrom('export_job')
      .where('workspaceId', '=', workspaceId)
      .selectAll()
      .execute();
    expect(rows).toEqual([]);
  });
});
