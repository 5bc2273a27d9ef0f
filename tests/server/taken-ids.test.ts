/**
 * Clients choose the ids of what they create. An id that belongs to a row of another person is a conflict, and nothing
 * that the call would have done beside the row happens: no link, no file name, no key, no place in a window.
 */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const SECRET = 'Severance of Mr Quill';

let cast: Cast;
let build: ReturnType<typeof createBuild>;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
  build = createBuild(cast);
});

const at = () => world.clock.now().toISOString();

/** A memory in a private space of Alice, which she alone reads. */
async function secretOfAlice() {
  const vault = await build.space({ visibility: 'private', name: 'Vault' });
  return build.memory({ title: SECRET, spaceId: vault.id, url: `https://example.com/${vault.id}` });
}

/** The same, shown to the members of the workspace in a space of theirs; to show it to more is still up to Alice. */
async function secretAmongMembers() {
  const secret = await secretOfAlice();
  const room = await build.space({ name: 'Room' });
  await build.link(room.id, secret.id);
  return secret;
}

/** What people without an account find in a public space. */
async function titlesIn(spaceId: Id<'space'>): Promise<unknown> {
  const path = `/v1/public/memories/${cast.workspaceId}/${spaceId}`;
  const { json } = await cast.eve.raw('GET', path);
  return json?.result;
}

/** Ids of the spaces in which a memory stands. */
async function placesOf(memoryId: string): Promise<string[]> {
  const { rows } = await sql<{ spaceId: string }>`
    select "spaceId" from "space_memory" where "memoryId" = ${memoryId}`.execute(world.context.db);
  return rows.map(({ spaceId }) => spaceId);
}

/** Pushes one mutation as a replica would, and returns the code with which it was refused. */
async function push(agent: Agent, name: string, args: object): Promise<string | undefined> {
  const clientID = `c-${newId('session').slice(-12)}`;
  await agent.raw('POST', `/v1/sync/${cast.workspaceId}/push`, {
    body: {
      pushVersion: 1,
      schemaVersion: SYNC.schemaVersion,
      profileID: 'p',
      clientGroupID: `g-${clientID}`,
      mutations: [
        {
          clientID,
          id: 1,
          name,
          args: {
            at: at(),
            ...args,
          },
          timestamp: 0,
        },
      ],
    },
  });
  const { rows } = await sql<{ code: string }>`
    select "code" from "sync_mutation_result" where "clientId" = ${clientID}`.execute(world.context.db);
  return rows[0]?.code;
}

describe('the id of a memory that a colleague keeps private', () => {
  it.each([
    ['hidden from all others', secretOfAlice],
    ['shown to members', secretAmongMembers],
  ])('brings none %s into a public space, over REST, as an upload or by push', async (_what, make) => {
    const { workspaceId, bob } = cast;
    const secret = await make();
    const before = await placesOf(secret.id);
    const stage = await build.space({ visibility: 'public', name: 'Stage' }, bob);
    const wanted = { id: secret.id, spaceId: stage.id, title: 'Mine' };
    const rest = await bob.raw('POST', '/v1/memories', { body: { workspaceId, ...wanted } });
    expect([rest.status, rest.json?.error?.code]).toEqual([409, 'conflict']);
    const form = new FormData();
    form.set('payload', JSON.stringify({ workspaceId, ...wanted }));
    form.set('file', new Blob(['text']), 'renamed.md');
    const upload = await fetch(`${world.url}/v1/memories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bob.token}`, 'x-upload': 'file' },
      body: form,
    });
    expect(upload.status).toBe(409);
    expect(await push(bob, 'memory.create', { ...wanted, origin: 'manual_entry' })).toBe('conflict');
    expect(await titlesIn(stage.id)).toEqual([]);
    expect(await placesOf(secret.id)).toEqual(before);
    // The call that links says what the table says.
    const link = { workspaceId, spaceId: stage.id, memoryId: secret.id };
    expect((await bob.raw('POST', '/v1/space_memories', { body: link })).status).toBeGreaterThan(400);
  });

  it('is a conflict for all others too, also twice at once, and stays what it was', async () => {
    const { workspaceId, alice, bob, rita, eve, evesWorkspaceId } = cast;
    const secret = await secretOfAlice();
    const stage = await build.space({ visibility: 'public', name: 'Stage' }, bob);
    const body = { workspaceId, id: secret.id, title: 'Mine', spaceId: stage.id };
    const both = await Promise.all([1, 2].map(() => bob.raw('POST', '/v1/memories', { body })));
    expect(both.map(({ status }) => status)).toEqual([409, 409]);
    expect((await rita.raw('POST', '/v1/memories', { body })).status).toBe(403);
    const elsewhere = { id: secret.id, workspaceId: evesWorkspaceId, title: 'Mine' };
    expect((await eve.raw('POST', '/v1/memories', { body: elsewhere })).status).toBe(409);
    const { result } = await alice.api('memory.get', { params: { workspaceId, id: secret.id } });
    expect(result).toMatchObject({ title: SECRET, ownerId: alice.user.id, updated: secret.updated });
  });

  it('keeps its key and its readers when it comes with another address', async () => {
    const { workspaceId, bob } = cast;
    const secret = await secretOfAlice();
    const page = await build.memory({ url: 'https://example.com/known-page' });
    const keyOf = async () => {
      const { rows } = await sql`select "urlKey" from "memory" where "id" = ${secret.id}`.execute(
        world.context.db,
      );
      return rows[0];
    };
    const before = await keyOf();
    // The address of a memory that is there would make the call a duplicate of it.
    for (const url of ['https://example.com/other', 'https://example.com/known-page']) {
      const body = { workspaceId, id: secret.id, url };
      expect((await bob.raw('POST', '/v1/memories', { body })).status).toBe(409);
    }
    expect(await keyOf()).toEqual(before);
    const { rows } = await sql`select 1 from "memory_alias" where "id" = ${secret.id}`.execute(
      world.context.db,
    );
    expect([rows.length, page.id === secret.id]).toEqual([0, false]);
  });
});

describe('the id of a memory that a colleague shares', () => {
  it('is a conflict as well: to file it there is a call of its own', async () => {
    const { workspaceId, bob } = cast;
    const shared = await build.memory({ title: 'Roadmap' });
    const stage = await build.space({ name: 'Stage' }, bob);
    const body = { workspaceId, id: shared.id, title: 'Mine', spaceId: stage.id };
    expect((await bob.raw('POST', '/v1/memories', { body })).status).toBe(409);
    expect(await placesOf(shared.id)).toEqual([]);
  });
});

describe('an own memory that has passed to another person', () => {
  it('is not brought back by creating it again', async () => {
    const { workspaceId, alice, bob } = cast;
    const home = await build.space({ visibility: 'private', name: 'Desk' }, bob);
    const passed = await build.memory({ title: 'Handed on', spaceId: home.id }, bob);
    await world.context.db.transaction().execute(async (trx) => {
      await sql`select set_config('app.sync_version', '1', true)`.execute(trx);
      await sql`update "memory" set "ownerId" = ${alice.user.id} where "id" = ${passed.id}`.execute(trx);
    });
    const stage = await build.space({ visibility: 'public', name: 'Stage' }, bob);
    const body = { workspaceId, id: passed.id, title: 'Handed on', spaceId: stage.id };
    expect((await bob.raw('POST', '/v1/memories', { body })).status).toBe(409);
    expect(await titlesIn(stage.id)).toEqual([]);
  });
});

describe('the id of another space, thread or message', () => {
  it('is a conflict, and nothing of it changes', async () => {
    const { workspaceId, alice, bob } = cast;
    const space = await build.space({ visibility: 'private', name: 'Vault' });
    const thread = await build.thread({ visibility: 'workspace', name: 'Open talk' });
    const params = { workspaceId, threadId: thread.id };
    const said = await alice.api('message.create', { params, body: { content: 'First' } });
    const { id } = said.result.message;
    const calls: [string, object][] = [
      ['/v1/spaces', { workspaceId, id: space.id, name: 'Mine', description: null, visibility: 'public' }],
      ['/v1/threads', { workspaceId, id: thread.id, name: 'Mine', content: 'Slipped in' }],
      [`/v1/messages/${workspaceId}/${thread.id}`, { id, content: 'Mine' }],
    ];
    for (const [path, body] of calls) {
      expect([path, (await bob.raw('POST', path, { body })).status]).toEqual([path, 409]);
    }
    const list = await alice.api('message.list', { params, query: {} });
    expect(list.result.map(({ content }) => content)).toEqual(['First']);
    const { result } = await alice.api('space.get', { params: { workspaceId, id: space.id } });
    expect(result).toMatchObject({ name: 'Vault', visibility: 'private' });
  });
});

describe('a creation that is repeated by its author', () => {
  it('does nothing the second time, by REST and by push', async () => {
    const { workspaceId, bob } = cast;
    const stage = await build.space({ name: 'Stage' }, bob);
    const id = newId('memory');
    const body = { workspaceId, id, title: 'Mine', spaceId: stage.id };
    expect((await bob.raw('POST', '/v1/memories', { body })).status).toBe(201);
    await bob.api('space_memory.remove', { params: { workspaceId, spaceId: stage.id, id } });
    const again = await bob.raw('POST', '/v1/memories', { body: { ...body, title: 'Other' } });
    expect([again.status, Object(again.json?.result).title]).toEqual([201, 'Mine']);
    const { workspaceId: _workspaceId, ...args } = body;
    expect(await push(bob, 'memory.create', { ...args, origin: 'manual_entry' })).toBeUndefined();
    expect(await placesOf(id)).toEqual([]);
  });
});
