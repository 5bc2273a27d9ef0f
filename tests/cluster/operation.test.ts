/**
 * Two servers of Loci on a coordinator with two workers: tables are placed by the command, writes go on through the crash of
 * a worker and through a rebalance, and the whole is backed up and restored. What a server has acknowledged is in the
 * database afterwards, once, with its workspace, and on one node.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { placementOf, TENANT_COLUMNS } from '#server/db/placement.ts';
import { createApi, signUp, verifyAddress, type Agent } from '#tests/support/agent.ts';
import { startApiProcess, type ApiProcess } from '#tests/support/api-process.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { migrateTemplate } from '#tests/support/global-postgres.ts';
import { createWorld, type World } from '#tests/support/world.ts';
import {
  createCitusDatabase,
  run,
  startCitusCluster,
  type CitusCluster,
} from '#tests/support/citus-cluster.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const WORKSPACES = 8;
const CLIENTS = Number(process.env['CLIENTS'] ?? 100);

let cluster: CitusCluster;
let url: string;
let database: TestDatabase;
let world: World;
let second: ApiProcess;
let alice: Agent;
const workspaces: Id<'workspace'>[] = [];

/** Runs a command of package.json's on the cluster; returns what it printed. */
function command(
  program: string,
  args: readonly string[],
  databaseUrl = url,
): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(ROOT, program), ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: databaseUrl, LOCI_ENV: 'test', DATA_DIR: cluster.folder },
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

beforeAll(async () => {
  cluster = await startCitusCluster();
  url = await createCitusDatabase(cluster, 'loci');
  await migrateTemplate(url);
});
afterAll(() => cluster.close());

describe('npm run distribute', () => {
  it('prints its plan and changes nothing', async () => {
    const { status, text } = command('server/distribute.ts', []);
    expect(text).toContain('memory: by workspaceId');
    expect(text).toContain('sync_entry: by realmId');
    expect(text).toContain('workspace: a copy on every node');
    expect(text).toContain('Nothing was changed');
    expect(status).toBe(0);
    expect(await run(url, ['select * from citus_tables'])).toEqual([]);
  });

  it('places every table, in one group', async () => {
    const { status, text } = command('server/distribute.ts', ['--yes']);
    expect(text).toContain('Done.');
    expect(status).toBe(0);
    const rows = await run(url, [
      `select table_name::text as "table", citus_table_type as "type", distribution_column as "column", colocation_id as "group"
       from citus_tables`,
    ]);
    for (const { table, type, column } of rows) {
      const name = String(table).replaceAll('"', '');
      const placement = placementOf(name);
      const found = type === 'distributed' ? { column: String(column).replaceAll('"', '') } : type;
      expect([name, found]).toEqual([name, placement]);
    }
    const groups = rows.filter(({ type }) => type === 'distributed').map(({ group }) => group);
    expect(new Set(groups).size).toBe(1);
  });

  it('finds nothing to do when it runs again', () => {
    const again = command('server/distribute.ts', ['--yes']);
    expect(again).toEqual({ status: 0, text: 'Every table is where it belongs.\n' });
  });
});

describe('two servers', () => {
  beforeAll(async () => {
    database = openTestDatabase(url);
    world = await createWorld({ database });
    alice = await signUp(world, 'alice');
    await verifyAddress(world, alice);
    for (let number = 0; number < WORKSPACES; number += 1) {
      const { result } = await alice.api('workspace.create', { body: { name: `Workspace ${number}` } });
      workspaces.push(result.id);
    }
    // The world's clock stands elsewhere than the process's; the session must be valid for both.
    const far = '2099-01-01T00:00:00.000Z';
    await world.context.db.updateTable('session').set({ expiresAt: far, endsAt: far }).execute();
    second = await startApiProcess(url);
  });

  afterAll(async () => {
    await second.kill();
    await world.close();
    await database.drop();
  });

  it('keep the rows of a workspace on one node, and use both', async () => {
    const nodes = new Set(await Promise.all(workspaces.map(nodeOf)));
    expect(nodes.size).toBe(2);
  });

  it('lose nothing that was acknowledged when a worker crashes and comes back', async () => {
    const writers = startWriters();
    await pause(4_000);
    const [worker] = cluster.workers;
    await worker?.kill();
    await pause(3_000);
    await worker?.start();
    const before = writers.count();
    await expect.poll(() => writers.count(), { timeout: 60_000 }).toBeGreaterThan(before + CLIENTS);
    await checkStored(await writers.stop());
  });

  it('go on writing while shards move to another worker and back', async () => {
    const writers = startWriters();
    await pause(2_000);
    const [, last] = cluster.workers;
    const shouldHave = (has: boolean) =>
      `select citus_set_node_property('127.0.0.1', ${last?.port}, 'shouldhaveshards', ${has})`;
    await run(url, [
      shouldHave(false),
      `select rebalance_table_shards(shard_transfer_mode => 'force_logical')`,
    ]);
    expect(new Set(await Promise.all(workspaces.map(nodeOf))).size).toBe(1);
    await run(url, [
      shouldHave(true),
      `select rebalance_table_shards(shard_transfer_mode => 'force_logical')`,
    ]);
    const before = writers.count();
    await expect.poll(() => writers.count(), { timeout: 60_000 }).toBeGreaterThan(before);
    await checkStored(await writers.stop());
  });

  it('show the public the spaces of all shards', async () => {
    const names: string[] = [];
    for (const workspaceId of workspaces) {
      const { result: space } = await alice.api('space.create', {
        body: { workspaceId, name: `Open ${names.length}`, visibility: 'public' },
      });
      const { result: memory } = await alice.api('memory.create', {
        body: { workspaceId, title: `Lighthouse ${names.length}` },
      });
      await alice.api('space_memory.create', {
        body: { workspaceId, spaceId: space.id, memoryId: memory.id },
      });
      names.push(space.name);
    }
    const visitor = createApi(world);
    const { result: newest } = await visitor('public_space.newest', {});
    expect(newest.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const { result: found } = await visitor('public_memory.search', { body: { query: 'lighthouse' } });
    expect(new Set(found.map(({ title }) => title))).toEqual(
      new Set(names.map((_, number) => `Lighthouse ${number}`)),
    );
  });
});

describe('a backup of the whole', () => {
  it('is restored into an empty cluster and placed anew', async () => {
    const file = path.join(cluster.folder, 'whole.dump');
    expect(command('server/backup.ts', ['backup', file])).toMatchObject({ status: 0 });
    const restored = await createCitusDatabase(cluster, 'restored');
    expect(command('server/backup.ts', ['restore', file], restored)).toMatchObject({ status: 0 });
    expect(command('server/distribute.ts', ['--yes'], restored)).toMatchObject({ status: 0 });
    for (const table of Object.keys(TENANT_COLUMNS))
      expect([table, await countOf(table, restored)]).toEqual([table, await countOf(table, url)]);
    expect(await countOf('memory', restored)).toBeGreaterThan(CLIENTS);
  });
});

const countOf = async (table: string, at: string): Promise<number> =>
  Number((await run(at, [`select count(*) as "count" from "${table}"`]))[0]?.['count']);

/** The one node with the rows of a workspace, of every table that is spread. */
async function nodeOf(workspaceId: string): Promise<unknown> {
  const tables = Object.keys(TENANT_COLUMNS).filter((table) => typeof placementOf(table) === 'object');
  const rows = await run(url, [
    `select distinct placement.nodeport as "port" from unnest('{${tables.join()}}'::text[]) as t("name")
     join citus_shards placement
       on placement.shardid = get_shard_id_for_distribution_column(quote_ident(t."name")::regclass, '${workspaceId}')`,
  ]);
  expect(rows).toHaveLength(1);
  return rows[0]?.['port'];
}

interface Acknowledged {
  workspaceId: string;
  id: string;
}

interface Writers {
  count(): number;
  /** Ends them; returns what a server said is stored. */
  stop(): Promise<readonly Acknowledged[]>;
}

/** Devices that push one memory after another to both servers, each again until it is acknowledged, as a replica does. */
function startWriters(): Writers {
  const acknowledged: Acknowledged[] = [];
  const ending = new AbortController();
  const write = async (number: number) => {
    const workspaceId = workspaces[number % workspaces.length] ?? '';
    const group = `g-${newId('session')}`;
    for (let count = 1; !ending.signal.aborted; count += 1) {
      const id = newId('memory');
      for (let tries = 0; !ending.signal.aborted; tries += 1) {
        if (
          await push((number + tries) % 2 === 0 ? world.url : second.url, { workspaceId, group, count, id })
        ) {
          acknowledged.push({ workspaceId, id });
          break;
        }
        await pause(200);
      }
    }
  };
  const all = Promise.all(Array.from({ length: CLIENTS }, (_, number) => write(number)));
  return {
    count: () => acknowledged.length,
    async stop() {
      ending.abort();
      await all;
      return acknowledged;
    },
  };
}

async function push(
  server: string,
  { workspaceId, group, count, id }: { workspaceId: string; group: string; count: number; id: string },
): Promise<boolean> {
  const args = { id, at: new Date().toISOString(), origin: 'api', title: `note ${id}` };
  const mutation = { clientID: `c-${group}`, id: count, name: 'memory.create', args, timestamp: 1 };
  try {
    const response = await fetch(`${server}/v1/sync/${workspaceId}/push`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        pushVersion: 1,
        schemaVersion: SYNC.schemaVersion,
        profileID: 'p',
        clientGroupID: group,
        mutations: [mutation],
      }),
    });
    return response.ok;
  } catch {
    // The server was asked to end, or its answer did not arrive: the device does not know, and sends it again.
    return false;
  }
}

/** All of them, once each, in the feed and the search of their own workspace. */
async function checkStored(acknowledged: readonly Acknowledged[]): Promise<void> {
  expect(acknowledged.length).toBeGreaterThan(CLIENTS);
  for (const [workspaceId, rows] of Map.groupBy(acknowledged, (row) => row.workspaceId)) {
    const ids = rows.map(({ id }) => `'${id}'`).join();
    const [found] = await run(url, [
      `select (select count(*) from "memory" where "workspaceId" = '${workspaceId}' and "id" in (${ids}))::int as "stored",
        (select count(*) from "memory" where "id" in (${ids}))::int as "anywhere",
        (select count(*) from "memory_search" where "workspaceId" = '${workspaceId}' and "memoryId" in (${ids}))::int as "searched",
        (select count(*) from "sync_entry" where "realmId" = '${workspaceId}' and "live" and "entityId" in (${ids}))::int as "fed"`,
    ]);
    const count = rows.length;
    expect(found).toEqual({ stored: count, anywhere: count, searched: count, fed: count });
  }
}
