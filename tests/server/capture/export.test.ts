// Exports of a workspace: what is in one for a person, a key or an app, and who is shown one.
import { beforeEach, describe, expect, it } from 'vitest';
import { writeInRealm } from '#server/db/transaction.ts';
import type { Scope } from '#shared/api-keys/scopes.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createRaw, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import {
  ALL_SCOPES,
  furnish,
  keyOf,
  kindsOf,
  remove,
  titlesOf,
  tokenOf,
  type ExportStage,
} from '#tests/support/export-stage.ts';
import { createStaff, impersonate, STAFF_ENV } from '#tests/support/staff.ts';
import {
  downloadExport,
  entriesOf,
  exportedRows,
  exportWhole,
  readExport,
  rowsOf,
} from '#tests/support/workspace-export.ts';
import { openWorld } from '#tests/support/world.ts';
import { systemActor } from '#server/db/server-tx.ts';

let cast: Cast;
let stage: ExportStage;
let workspaceId: Id<'workspace'>;
const world = await openWorld({ env: STAFF_ENV });
beforeEach(async () => {
  cast = await createCast(world);
  stage = { world, cast };
  ({ workspaceId } = cast);
});

describe('what is in it', () => {
  it('is what the person reads: neither private things of others nor deleted ones', async () => {
    await furnish(stage);
    const { alice, bob, rita } = cast;
    const hers = await exportedRows(world, alice, { workspaceId });
    expect(titlesOf(hers)).toEqual(['Bread', 'For all', 'Pears', 'Plan']);
    expect(hers.flatMap((row) => (row.kind === 'thread' ? [row.name] : []))).toEqual(['Of Alice']);
    const his = await exportedRows(world, bob, { workspaceId });
    expect(titlesOf(his)).toEqual(['Bread', 'For all', 'Pears']);
    expect(his.flatMap((row) => (row.kind === 'thread' ? [row.name] : []))).toEqual(['Of Bob']);
    expect(JSON.stringify(his)).not.toContain('Secret');
    expect(titlesOf(await exportedRows(world, rita, { workspaceId }))).toEqual(['Bread', 'For all', 'Pears']);
  });

  it('is for a key limited to spaces what is in these, though its owner reads more', async () => {
    const { garden, secret } = await furnish(stage);
    const { alice } = cast;
    const key = await keyOf(stage, alice, {
      scopes: ['memories:read', 'spaces:read'],
      spaceIds: [garden.id],
    });
    const rows = await exportedRows(world, key, { workspaceId });
    expect(titlesOf(rows)).toEqual(['Pears']);
    expect(rows.flatMap((row) => (row.kind === 'space' ? [row.name] : []))).toEqual(['Garden']);
    expect(kindsOf(rows)).toEqual(['memory', 'space']);
    const token = await tokenOf(stage, alice, { scopes: ALL_SCOPES, spaceIds: [secret.id] });
    const ofToken = await exportedRows(world, token, { workspaceId });
    expect(titlesOf(ofToken)).toEqual(['Plan']);
    // Threads belong to no space.
    expect(kindsOf(ofToken)).toEqual(['memory', 'space']);
  });

  it('is for a key what its scopes name', async () => {
    const { secret } = await furnish(stage);
    const { alice } = cast;
    const memoriesOnly = await keyOf(stage, alice, { scopes: ['memories:read'] });
    const rows = await exportedRows(world, memoriesOnly, { workspaceId });
    expect(kindsOf(rows)).toEqual(['memory']);
    // Without its space, a memory of a closed one must not come in for everyone.
    const homes = rows.flatMap((row) => (row.kind === 'memory' && row.spaceId !== null ? [row] : []));
    expect(homes.map(({ title, spaceId }) => [title, spaceId])).toEqual([['Plan', secret.id]]);
    const withThreads = await keyOf(stage, alice, { scopes: ['memories:read', 'threads:read'] });
    expect(kindsOf(await exportedRows(world, withThreads, { workspaceId }))).toEqual(['memory', 'thread']);
    const without = await keyOf(stage, alice, { scopes: ['spaces:read', 'threads:read', 'memories:write'] });
    expect((await without.raw('POST', '/v1/exports', { body: { workspaceId } })).status).toBe(403);
  });

  it('names no source that the person may not read', async () => {
    const { secret } = await furnish(stage);
    const { alice, bob } = cast;
    const build = createBuild(cast);
    const hidden = await build.memory({ title: 'Hidden', notes: 'A word', spaceId: secret.id });
    const thread = await build.thread({ name: 'Together', visibility: 'workspace' });
    const at = world.clock.now().toISOString();
    await writeInRealm(world.context, workspaceId, systemActor, (tx) =>
      tx.insert('message', {
        id: newId('message'),
        workspaceId,
        threadId: thread.id,
        role: 'assistant',
        content: 'It says so [1].',
        citations: [{ memoryId: hidden.id, quote: 'A word' }],
        replyTo: null,
        versionOf: null,
        rewrittenAt: null,
        createdBy: null,
        createdAt: at,
      }),
    );
    const quotesOf = (rows: Awaited<ReturnType<typeof exportedRows>>) =>
      rows.flatMap((row) => (row.kind === 'message' ? row.citations.map(({ quote }) => quote) : []));
    expect(quotesOf(await exportedRows(world, alice, { workspaceId }))).toEqual(['A word']);
    const file = await downloadExport(world, await exportWhole(world, bob, { workspaceId }));
    const entries = await entriesOf(file);
    expect(quotesOf(rowsOf(entries))).toEqual([null]);
    expect(entries.get('Threads/Together.md')).toContain('1. A source that is not in this export');
    expect([...entries.values()].join('\n')).not.toMatch(/A word|Hidden/);
  });

  it('opens in Obsidian: a folder for each home, names that links can bear, each once', async () => {
    const build = createBuild(cast);
    const { alice } = cast;
    const space = await build.space({ name: 'Tides/Pools: [new]' });
    await build.memory({
      title: 'What is #1?',
      notes: 'See [[Low water]], [[what is #1?]], [[WHAT is 1|it]] and `[[what is #1?]]`.',
      tags: ['tide pools'],
      spaceId: space.id,
    });
    world.clock.advance(1_000);
    await build.memory({ title: 'what is 1', notes: 'The other', spaceId: space.id });
    await build.memory({ title: '../../etc/passwd', notes: 'Harmless' });
    await build.memory({ title: 'CON' });
    const entries = await entriesOf(
      await downloadExport(world, await exportWhole(world, alice, { workspaceId })),
    );
    const paths = [...entries.keys()].filter((path) => path.endsWith('.md')).toSorted();
    expect(paths).toEqual([
      'No space/_CON.md',
      'No space/etc passwd.md',
      'Tides Pools new/What is 1.md',
      'Tides Pools new/what is 1 2.md',
    ]);
    const note = entries.get('Tides Pools new/What is 1.md');
    expect(note).toMatch(
      /^---\ntitle: "?What is #1\?"?\naliases:\n {2}- "?What is #1\?"?\ntags:\n {2}- tide-pools\n/,
    );
    expect(note).toContain(
      'See [[Low water]], [[Tides Pools new/What is 1|what is #1?]], [[Tides Pools new/what is 1 2|it]] and `[[what is #1?]]`.',
    );
  });
});

describe('who gets it', () => {
  it('refuses strangers, guests, former members and visitors', async () => {
    const { bob, eve } = cast;
    const path = '/v1/exports';
    expect((await createRaw(world)('POST', path, { body: { workspaceId } })).status).toBe(401);
    expect((await eve.raw('POST', path, { body: { workspaceId } })).status).toBe(403);
    const build = createBuild(cast);
    const space = await build.space({ name: 'Shared', visibility: 'workspace_and_guests' });
    await cast.alice.api('space.update', {
      params: { workspaceId, id: space.id },
      body: { grants: [{ email: eve.user.email, level: 'write' }] },
    });
    expect((await eve.raw('POST', path, { body: { workspaceId } })).status).toBe(403);
    await remove(stage, bob);
    expect((await bob.raw('POST', path, { body: { workspaceId } })).status).toBe(403);
    for (const body of [{}, { workspaceId: 'ws_1' }, { workspaceId: newId('workspace') }, 'x', [1]]) {
      const { status, json } = await cast.alice.raw('POST', path, { body });
      expect(json?.success).toBe(false);
      expect([400, 403]).toContain(status);
    }
  });

  it('shows an export only to the person who began it', async () => {
    const { alice, bob, rita } = cast;
    const job = await exportWhole(world, bob, { workspaceId });
    for (const other of [alice, rita]) {
      expect((await other.raw('GET', `/v1/exports/${workspaceId}/${job.id}`)).status).toBe(404);
      expect((await other.raw('GET', `/v1/exports/${workspaceId}`)).json?.result).toEqual([]);
    }
    expect((await bob.raw('GET', `/v1/exports/${workspaceId}`)).json?.result).toMatchObject([{ id: job.id }]);
    const nowhere = await bob.raw('GET', `/v1/exports/${workspaceId}/${newId('export')}`);
    expect(nowhere.status).toBe(404);
    expect((await bob.raw('GET', `/v1/exports/${workspaceId}/${newId('upload')}`)).status).toBe(404);
    expect((await cast.eve.raw('GET', `/v1/exports/${workspaceId}/${job.id}`)).status).toBe(403);
    const elsewhere = `/v1/exports/${cast.evesWorkspaceId}/${job.id}`;
    expect((await cast.eve.raw('GET', elsewhere)).status).toBe(404);
  });

  it('shows a key no export that holds more than the key may read', async () => {
    const { garden, kitchen } = await furnish(stage);
    const { alice } = cast;
    const whole = await exportWhole(world, alice, { workspaceId });
    const scopes: Scope[] = ['memories:read', 'spaces:read'];
    const narrow = await keyOf(stage, alice, { scopes: scopes, spaceIds: [garden.id] });
    const wide = await keyOf(stage, alice, { scopes: scopes, spaceIds: [garden.id, kitchen.id] });
    const memoriesOnly = await keyOf(stage, alice, { scopes: ['memories:read'] });
    const full = await keyOf(stage, alice, { scopes: ALL_SCOPES });
    const ofWide = await exportWhole(world, wide, { workspaceId });
    const listFor = async ({ raw }: Pick<Agent, 'raw'>) => {
      const { json } = await raw('GET', `/v1/exports/${workspaceId}`);
      return Object(json?.result).map(({ id }: { id: string }) => id);
    };
    expect(await listFor(narrow)).toEqual([]);
    expect(await listFor(wide)).toEqual([ofWide.id]);
    expect(await listFor(memoriesOnly)).toEqual([]);
    expect((await listFor(full)).toSorted()).toEqual([whole.id, ofWide.id].toSorted());
    for (const key of [narrow, memoriesOnly])
      for (const { id } of [whole, ofWide])
        expect((await key.raw('GET', `/v1/exports/${workspaceId}/${id}`)).status).toBe(404);
    expect((await readExport(full, whole)).download).not.toBeNull();
  });

  it('gives staff who act as a person nothing', async () => {
    const staff = await createStaff(world);
    const job = await exportWhole(world, cast.alice, { workspaceId });
    const acting = await impersonate(world, staff, cast.alice);
    expect((await acting.raw('POST', '/v1/exports', { body: { workspaceId } })).status).toBe(403);
    expect((await acting.raw('GET', `/v1/exports/${workspaceId}`)).status).toBe(403);
    expect((await acting.raw('GET', `/v1/exports/${workspaceId}/${job.id}`)).status).toBe(403);
  });
});
