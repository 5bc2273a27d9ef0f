// What a replica asks for when its stream of pokes begins: nothing that it has, and everything that it may have missed.
import { afterEach, expect, it } from 'vitest';
import { Replica } from '#client/replica/replica.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import { createCast } from '#tests/support/build.ts';
import { enginePort, until } from '#tests/support/engine-port.ts';
import { addressIn } from '#tests/support/fake-sync-server.ts';
import { openWorld } from '#tests/support/world.ts';

const open: Replica[] = [];
const world = await openWorld();
const cast = await createCast(world);

afterEach(async () => {
  for (const replica of open.splice(0)) await replica.wipe();
});

/** Alice's replica; `stream` stands between it and the server's stream of pokes. */
function connect(stream: (ask: () => Promise<Response>) => Promise<Response>) {
  const pulls = { account: 0, workspace: 0 };
  const reach: typeof fetch = async (input, init) => {
    const path = addressIn(input);
    if (path.endsWith('/sync/poke')) return await stream(() => fetch(input, init));
    if (path.endsWith(`/${cast.workspaceId}/pull`)) pulls.workspace += 1;
    else if (path.endsWith('/pull')) pulls.account += 1;
    return await fetch(input, init);
  };
  const replica = new Replica({
    port: enginePort({ fetch: reach, kvStore: packedStore }),
    session: { userId: cast.alice.user.id, token: cast.alice.token, apiBase: world.url, memoryOnly: true },
    now: () => world.clock.now().getTime(),
  });
  open.push(replica);
  replica.openWorkspace(cast.workspaceId);
  return { replica, pulls };
}

const view = (replica: Replica) => new ReplicaView(replica.mirrors);
/** Both realms have been pulled, and nothing is under way. */
const settled = (replica: Replica) =>
  until(() => view(replica).count('workspace') === 1 && replica.status().state === 'synced');

async function saveAsBob(title: string): Promise<string> {
  const { result } = await cast.bob.api('memory.create', { body: { workspaceId: cast.workspaceId, title } });
  return result.id;
}

const shows = (replica: Replica, id: string) => until(() => view(replica).get('memory', id) !== undefined);

/** The same response with another text in the place of one of its events. */
function rewritten(response: Response, change: (text: string) => string): Response {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) =>
        controller.enqueue(encoder.encode(change(decoder.decode(chunk, { stream: true })))),
    }),
  );
  return new Response(body ?? null, { status: response.status });
}

it('pulls each realm once at the start', async () => {
  const { replica, pulls } = connect((ask) => ask());
  await settled(replica);
  // Events come in order: with the poke, the beginning of the stream has been read too.
  await shows(replica, await saveAsBob('After the beginning'));
  expect(pulls.account).toBe(1);
});

it('pulls what was written before the stream followed the realm', async () => {
  const stands = Promise.withResolvers<void>();
  const { replica, pulls } = connect(async (ask) => {
    await stands.promise;
    return await ask();
  });
  await settled(replica);
  const id = await saveAsBob('In between');
  expect(view(replica).get('memory', id)).toBeUndefined();
  stands.resolve();
  await shows(replica, id);
  expect(pulls.account).toBe(1);
});

it('pulls everything where the server does not say how far its realms are', async () => {
  const stands = Promise.withResolvers<void>();
  const { replica, pulls } = connect(async (ask) => {
    await stands.promise;
    return rewritten(await ask(), () => ': connected\n\n');
  });
  await settled(replica);
  const id = await saveAsBob('Seen by the second pull alone');
  stands.resolve();
  await shows(replica, id);
  await until(() => pulls.account === 2);
});

it.each([
  ['of another epoch', (text: string) => text.replaceAll(/"e":"[^"]*"/g, '"e":"another"')],
  ['of an older version', (text: string) => text.replaceAll(/"v":\d+/g, '"v":0')],
  ['that the stream does not name', (text: string) => text.replace(/"realms":\{.*\}\}/, '"realms":{}}')],
  ['behind a beginning that cannot be read', (text: string) => text.replace('"realms"', '"others"')],
])('pulls a realm %s', async (_what, change) => {
  const stands = Promise.withResolvers<void>();
  const { replica, pulls } = connect(async (ask) => {
    await stands.promise;
    return rewritten(await ask(), change);
  });
  await settled(replica);
  expect(pulls.account).toBe(1);
  stands.resolve();
  expect(await until(() => pulls.account === 2 && pulls.workspace === 2)).toBe(true);
});
