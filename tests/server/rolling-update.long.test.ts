/**
 * Two nodes behind one address are replaced one after the other, as an orchestrator does with readiness and SIGTERM, while a tab
 * is open and its person writes: nothing is lost or doubled, and no change is refused.
 */
import { openTab, type Tab } from '#tests/support/device.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { startBalancer, type Balancer } from '#tests/support/balancer.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { until } from '#tests/support/engine-port.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { joinServer, type Person } from '#tests/support/person.ts';
import { startServerProcess, type ServerProcess } from '#tests/support/server-process.ts';

const LOOK_MS = 200;
/** The balancer looks several times before the node stops to listen. */
const DRAIN_SECONDS = 1;
const WRITE_EVERY_MS = 50;

let database: TestDatabase;
let nodes: ServerProcess[] = [];
let balancer: Balancer;
let person: Person;
let tab: Tab;
/** Ports of the nodes that say they are ready. */
let ready: number[] = [];
let looking: NodeJS.Timeout;

const isReady = async ({ url }: ServerProcess) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

beforeAll(async () => {
  await ensureBuilt();
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, DRAIN_SECONDS: String(DRAIN_SECONDS) };
  nodes = [await startServerProcess({ env }), await startServerProcess({ env })];
  ready = nodes.map(({ port }) => port);
  looking = setInterval(() => {
    void Promise.all(nodes.map(isReady)).then((answers) => {
      ready = nodes.filter((_, at) => answers[at]).map(({ port }) => port);
    });
  }, LOOK_MS);
  balancer = await startBalancer(() => ready);
  person = await joinServer(nodes[0]?.url ?? '', 'rosa');
});
afterAll(async () => {
  clearInterval(looking);
  await tab.end();
  await balancer.close();
  for (const node of nodes) await node.dispose();
  await database.drop();
});

it('loses and doubles nothing that an open tab writes meanwhile', async () => {
  const { userId, token, workspaceId } = person;
  tab = openTab({ userId, token, apiBase: `http://localhost:${balancer.port}`, fetch });
  const { replica } = tab;
  replica.openWorkspace(workspaceId);
  await until(() => replica.status().state === 'synced');
  const titles: string[] = [];
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      const title = `Written ${titles.length}`;
      await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title });
      titles.push(title);
      await sleep(WRITE_EVERY_MS);
    }
  })();
  const seen = new Set<string>();
  const watching = setInterval(() => void seen.add(replica.status().state), 20);
  for (const node of nodes) {
    expect(await node.stop()).toBe(0);
    await node.start();
    await until(() => ready.includes(node.port));
  }
  isWriting = false;
  await writing;
  await until(() => replica.status().state === 'synced');
  clearInterval(watching);
  expect(replica.status().problems).toEqual([]);
  expect(['synced', 'syncing', 'saved-here', 'offline']).toEqual(expect.arrayContaining([...seen]));
  const rows = await database.db
    .selectFrom('memory')
    .select('title')
    .where('workspaceId', '=', workspaceId)
    .where('origin', '=', 'web')
    .execute();
  expect(rows).toHaveLength(titles.length);
  expect(new Set(rows.map(({ title }) => title))).toEqual(new Set(titles));
  expect(titles.length).toBeGreaterThan(20);
});
