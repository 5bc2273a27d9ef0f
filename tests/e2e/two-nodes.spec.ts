/** Two server processes on one PostgreSQL: what is written through one is seen through the other, also when one dies. */
import { newId } from '#shared/ids.ts';
import type { Poke } from '#shared/sync/protocol.ts';
import { startBalancer, type Balancer } from '../support/balancer.ts';
import { apiAt, joinServer, listMemories, sitDown, type Person } from '../support/person.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startStoryServer, type StoryServer } from './support/servers.ts';
import { expect, test } from './support/stories.ts';

let nodeA: StoryServer;
let nodeB: ServerProcess;
let front: Balancer;

test.beforeAll(async () => {
  front = await startBalancer(() => [nodeA.port, nodeB.port]);
  const env = { APP_ORIGIN: `http://localhost:${front.port}` };
  nodeA = await startStoryServer(env);
  nodeB = await startServerProcess({ env: { ...env, DATABASE_URL: nodeA.databaseUrl } });
});
test.afterAll(async () => {
  await front.close();
  await nodeB.dispose();
  await nodeA.dispose();
});

/** Versions that the stream of one node has announced for the workspace, newest last. */
async function listenAt(
  node: ServerProcess,
  person: Person,
): Promise<{ versions: number[]; end: () => void }> {
  const stop = new AbortController();
  const response = await fetch(`${node.url}/v1/sync/poke`, {
    headers: { authorization: `Bearer ${person.token}` },
    signal: stop.signal,
  });
  const versions: number[] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines.filter((each) => each.startsWith('data: '))) {
        const poke: Poke = JSON.parse(line.slice('data: '.length));
        if (poke.realm === person.workspaceId) versions.push(poke.v);
      }
    }
  };
  void read().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return { versions, end: () => stop.abort() };
}

const WRITERS = 10;

/** Writes until the node is gone; returns the acknowledged titles and the version of the last one. */
async function writeUntilDead(person: Person, kill: () => Promise<void>) {
  const api = apiAt(nodeA.url, person.token);
  const acknowledged: string[] = [];
  let version = 0;
  let dying: Promise<void> | undefined;
  const writer = async (name: number): Promise<never> => {
    for (let n = 0; ; n += 1) {
      const title = `Through A ${name}, ${n}`;
      const body = { workspaceId: person.workspaceId, id: newId('memory'), title };
      const { meta } = await api('memory.create', { body });
      acknowledged.push(title);
      version = Math.max(version, Number(meta['syncVersion']));
      if (acknowledged.length === 25) dying = kill();
    }
  };
  const results = await Promise.allSettled(Array.from({ length: WRITERS }, (_, name) => writer(name)));
  await dying;
  return { acknowledged, version, refused: results.filter(({ status }) => status === 'rejected').length };
}

test('a tab on one node follows writes through the other and survives the death of its own @long', async ({
  page,
  context,
}) => {
  const url = `http://localhost:${front.port}`;
  const person = await joinServer(url, 'lin');
  await sitDown(context, url, person);
  await page.goto(`${url}/${person.slug}`);
  const synced = page.getByRole('button', { name: 'Sync: Synced' });
  await expect(synced).toBeVisible();

  const throughB = apiAt(nodeB.url, person.token);
  const save = (title: string) =>
    throughB('memory.create', { body: { workspaceId: person.workspaceId, title } });
  const delays: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    await save(`Through B ${n}`);
    const begin = performance.now();
    await expect(page.getByRole('link', { name: `Through B ${n}` })).toBeVisible();
    delays.push(performance.now() - begin);
  }
  // The sweep that runs when a notification was lost would be seen every two seconds: each but the first takes so long
  // with it alone. A few quick ones tell the difference, also on a busy machine.
  expect(delays.toSorted((a, b) => a - b)[2]).toBeLessThan(1_000);

  const heard = await listenAt(nodeB, person);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  const { acknowledged, version, refused } = await writeUntilDead(person, () => nodeA.kill());
  expect(refused).toBe(WRITERS);
  await expect.poll(() => Math.max(0, ...heard.versions)).toBeGreaterThanOrEqual(version);
  const titles = (await listMemories({ ...person, api: throughB })).map(({ title }) => title);
  for (const title of acknowledged) expect(titles.filter((found) => found === title)).toHaveLength(1);

  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill('# Written in the tab after its node died');
  await field.press('Control+Enter');
  await save('Said by B alone');
  await expect(page.getByRole('link', { name: 'Said by B alone' })).toBeVisible();
  await expect(synced).toBeVisible();
  await expect
    .poll(async () => (await listMemories({ ...person, api: throughB })).map(({ title }) => title))
    .toContain('Written in the tab after its node died');

  await nodeA.start();
  const again = await apiAt(nodeA.url, person.token)('workspace.get', {
    params: { workspaceId: person.workspaceId },
  });
  expect(again.result.id).toBe(person.workspaceId);
  heard.end();
});
