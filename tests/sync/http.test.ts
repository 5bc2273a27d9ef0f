/** Push, pull and pokes as a browser meets them: sessions, refusals, and what another screen sees. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SYNC } from '#shared/sync/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { poke as pokeSchema, type Poke } from '#shared/sync/protocol.ts';
import { createCast, join } from '#tests/support/build.ts';
import { signUp, type Agent } from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';
import { itLong } from '#tests/support/long-test.ts';

const world = await openWorld();
const cast = await createCast(world);

const answerSchema = z.object({
  cookie: z.unknown(),
  lastMutationIDChanges: z.record(z.string(), z.number()),
  patch: z.array(z.object({ op: z.string(), key: z.string().optional(), value: z.unknown().optional() })),
});

const groupOf = (agent: Agent, realmId: string) => `g-${agent.user.id.slice(-8)}-${realmId.slice(-8)}`;

function pullOf(agent: Agent, realmId: string, more: object = {}) {
  const body = {
    pullVersion: 1,
    schemaVersion: SYNC.schemaVersion,
    profileID: 'p',
    clientGroupID: groupOf(agent, realmId),
    cookie: null,
    ...more,
  };
  return agent.raw('POST', `/v1/sync/${realmId}/pull`, { body });
}

async function keysOf(agent: Agent, realmId: string, more: object = {}): Promise<string[]> {
  const { json } = await pullOf(agent, realmId, more);
  return answerSchema.parse(json).patch.flatMap(({ op, key }) => (op === 'put' && key ? [key] : []));
}

let mutations = 0;
function pushOf(agent: Agent, realmId: string, mutation: { name: string; args: unknown }, more: object = {}) {
  mutations += 1;
  const clientID = `c-${agent.user.id}-${mutations}`;
  const body = {
    pushVersion: 1,
    schemaVersion: SYNC.schemaVersion,
    profileID: 'p',
    clientGroupID: groupOf(agent, realmId),
    mutations: [
      {
        clientID,
        id: 1,
        timestamp: 1,
        ...mutation,
      },
    ],
    ...more,
  };
  return agent.raw('POST', `/v1/sync/${realmId}/push`, { body });
}

const note = (id: Id<'memory'>, title: string) => ({
  name: 'memory.create',
  args: { id, at: world.clock.now().toISOString(), origin: 'manual_entry', title },
});

describe('sync over HTTP', () => {
  it('brings a pushed memory to another member, and the workspace list to the account', async () => {
    const id = newId('memory');
    const pushed = await pushOf(cast.bob, cast.workspaceId, note(id, 'Harbour'));
    expect([pushed.status, pushed.json]).toEqual([200, { results: [] }]);
    expect(await keysOf(cast.alice, cast.workspaceId)).toContainEqual(expect.stringContaining(id));
    expect(await keysOf(cast.bob, cast.bob.user.id)).toContain(`1/ws/${cast.workspaceId}`);
  });

  it('opens the account realm of a person without any write', async () => {
    const keys = await keysOf(cast.rita, cast.rita.user.id);
    expect(keys).toContain('0/ctl/sync');
  });

  it('refuses people without a session', async () => {
    for (const path of [`/v1/sync/${cast.workspaceId}/pull`, `/v1/sync/${cast.workspaceId}/push`]) {
      const response = await fetch(`${world.url}${path}`, { method: 'POST' });
      expect(response.status).toBe(401);
    }
    expect((await fetch(`${world.url}/v1/sync/poke`)).status).toBe(401);
  });

  it('reveals nothing to a stranger, whether the workspace exists or not', async () => {
    const known = await pullOf(cast.eve, cast.workspaceId);
    const unknown = await pullOf(cast.eve, newId('workspace'));
    for (const { status, json } of [known, unknown]) {
      expect(status).toBe(200);
      const { patch } = answerSchema.parse(json);
      expect(patch).toEqual([{ op: 'clear' }, { op: 'put', key: '0/ctl/access', value: { revoked: true } }]);
    }
    for (const workspaceId of [cast.workspaceId, newId('workspace')]) {
      const { status, json } = await pushOf(cast.eve, workspaceId, note(newId('memory'), 'x'));
      expect([status, json]).toMatchObject([200, { results: [{ code: 'forbidden', workspaceId }] }]);
    }
  });

  it('requests an update from replicas of unknown versions', async () => {
    const schema = await pullOf(cast.bob, cast.workspaceId, { schemaVersion: '0' });
    expect(schema.json).toEqual({ error: 'VersionNotSupported', versionType: 'schema' });
    const protocol = await pullOf(cast.bob, cast.workspaceId, { pullVersion: 0 });
    expect(protocol.json).toEqual({ error: 'VersionNotSupported', versionType: 'pull' });
  });

  it('refuses groups and clients of other people', async () => {
    await pushOf(cast.bob, cast.workspaceId, note(newId('memory'), 'mine'));
    const group = { clientGroupID: groupOf(cast.bob, cast.workspaceId) };
    // A refusal that lets the device start as a new group, so that a taken name locks no device out.
    const refused = { error: 'ClientStateNotFound', lastMutationIDs: {} };
    expect((await pullOf(cast.alice, cast.workspaceId, group)).json).toEqual(refused);
    expect((await pushOf(cast.alice, cast.workspaceId, note(newId('memory'), 'x'), group)).json).toEqual(
      refused,
    );
    const foreignClient = {
      mutations: [
        {
          clientID: `c-${cast.bob.user.id}-${mutations - 1}`,
          id: 2,
          timestamp: 1,
          ...note(newId('memory'), 'x'),
        },
      ],
    };
    await pushOf(cast.alice, cast.workspaceId, note(newId('memory'), 'own'));
    const own = `c-${cast.alice.user.id}-${mutations}`;
    expect(
      (await pushOf(cast.alice, cast.workspaceId, note(newId('memory'), 'x'), foreignClient)).json,
    ).toEqual({ ...refused, lastMutationIDs: { [own]: 1 } });
    expect((await pushOf(cast.alice, cast.bob.user.id, note(newId('memory'), 'x'))).status).toBe(403);
  });

  it('responds with the reason at once when a mutation is refused, and shows it in the replica', async () => {
    const pushed = await pushOf(cast.rita, cast.workspaceId, note(newId('memory'), 'not allowed'));
    expect(pushed.json).toMatchObject({
      results: [{ code: 'forbidden', name: 'memory.create', mutationID: 1 }],
    });
    expect(await keysOf(cast.rita, cast.workspaceId)).toContainEqual(expect.stringMatching(/^0\/err\//));
  });

  itLong('is limited per session: too many calls get 429 with the seconds to wait', async () => {
    const restless = await signUp(world, 'restless');
    // The cheapest call there is; a real pull would count the same.
    const call = () => pullOf(restless, restless.user.id, { pullVersion: 0 });
    let last = await call();
    for (let n = 0; n < 2_100 && last.status === 200; n += 20) {
      last = (await Promise.all(Array.from({ length: 20 }, call))).at(-1) ?? last;
    }
    expect([last.status, last.json?.error?.code]).toEqual([429, 'rate_limited']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await pullOf(cast.alice, cast.workspaceId)).status).toBe(200);
  });

  it('is never cached', async () => {
    const { headers } = await pullOf(cast.bob, cast.workspaceId);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

/** Events of the stream, one at a time. */
async function* events(agent: Agent, signal: AbortSignal): AsyncGenerator<Poke> {
  const response = await fetch(`${world.url}/v1/sync/poke`, {
    headers: { authorization: `Bearer ${agent.token}` },
    signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks)
      if (block.startsWith('data: ')) yield pokeSchema.parse(JSON.parse(block.slice(6)));
  }
}

describe('the poke stream', () => {
  it('delivers writes in the workspaces of its user, and follows new memberships', async () => {
    const end = new AbortController();
    const stream = events(cast.eve, end.signal);
    const heard: string[] = [];
    const reading = (async () => {
      for await (const { realm } of stream) heard.push(realm);
    })().catch(() => undefined);
    const writeAsEve = () => pushOf(cast.eve, cast.evesWorkspaceId, note(newId('memory'), 'for eve'));
    // It is open as soon as it delivers a write.
    await expect.poll(async () => (await writeAsEve(), heard)).toContain(cast.evesWorkspaceId);
    await pushOf(cast.bob, cast.workspaceId, note(newId('memory'), 'not for eve'));
    const before = heard.length;
    await expect.poll(async () => (await writeAsEve(), heard.length)).toBeGreaterThan(before + 1);
    expect(heard).not.toContain(cast.workspaceId);
    await join(world, cast.workspaceId, cast.eve, 'member');
    await expect.poll(() => heard).toContain(cast.eve.user.id);
    await pushOf(cast.bob, cast.workspaceId, note(newId('memory'), 'now for eve'));
    await expect.poll(() => heard).toContain(cast.workspaceId);
    end.abort();
    await reading;
  });
});
