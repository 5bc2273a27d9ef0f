/**
 * A database with people and workspaces for tests of the write path and of sync, below HTTP: the host that runMutation
 * takes, with a clock that tests move. It writes only through the product's own functions, users excepted.
 */
import { Registry } from 'prom-client';
import { newId, type Id } from '#shared/ids.ts';
import type { MutatorArgs, MutatorName } from '#shared/mutators.ts';
import type { Position } from '#shared/permissions.ts';
import { runMutation, type MutationHost } from '#server/db/run-mutation.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { createSyncMetrics } from '#server/sync/metrics.ts';
import { addMember, createWorkspace } from '#server/workspaces/membership.ts';
import { createLog } from '#server/log.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { asPerson } from '#server/sync/readable.ts';

/** Where the clock of a new world stands. */
export const WORLD_START = '2026-03-01T12:00:00.000Z';

export interface SyncWorld {
  database: TestDatabase;
  host: MutationHost;
  /** Every commit that was announced, oldest first. */
  commits: ReadonlyMap<string, number>[];
  /** The clock as ISO text; `tick` moves it on, `rewind` sets it back to the start. */
  at(): string;
  tick(ms: number): void;
  rewind(): void;
  user(name: string, id?: Id<'user'>): Promise<Id<'user'>>;
  workspace(owner: Id<'user'>, id?: Id<'workspace'>): Promise<Id<'workspace'>>;
  join(workspaceId: Id<'workspace'>, userId: Id<'user'>, position: Position): Promise<void>;
  mutate<N extends MutatorName>(
    userId: Id<'user'>,
    realmId: string,
    name: N,
    args: MutatorArgs<N>,
  ): Promise<{ version: number; result?: unknown }>;
}

/** Opens a world; drop its database in afterAll. */
export async function createSyncWorld(): Promise<SyncWorld> {
  const database = await createTestDatabase();
  const commits: ReadonlyMap<string, number>[] = [];
  let time = Date.parse(WORLD_START);
  const host: MutationHost = {
    db: database.db,
    writeDb: database.writeDb,
    clock: { now: () => new Date(time) },
    pokes: { committed: (versions) => void commits.push(versions) },
    log: createLog('silent'),
    metrics: createSyncMetrics(new Registry()),
    effects: {},
  };
  const at = () => new Date(time).toISOString();
  return {
    database,
    host,
    commits,
    at,
    tick: (ms) => {
      time += ms;
    },
    rewind: () => {
      time = Date.parse(WORLD_START);
    },
    user: (name, id = newId('user')) => insertUser(database, name, id),
    workspace: async (owner, id = newId('workspace')) => {
      const slug = id.slice(3, 30);
      await writeInRealm(host, id, systemActor, (tx) =>
        createWorkspace(tx, owner, {
          id,
          slug,
          name: 'Acme',
        }),
      );
      return id;
    },
    join: async (workspaceId, userId, position) => {
      await writeInRealm(host, workspaceId, systemActor, (tx) =>
        addMember(tx, {
          userId,
          position,
          invitedBy: null,
        }),
      );
    },
    mutate: (userId, realmId, name, args) =>
      runMutation(host, {
        actor: asPerson(userId),
        realmId,
        name,
        args,
      }),
  };
}

/** A world with a workspace of Alice, in which Bob is a member. */
export async function createSharedWorkspace() {
  const world = await createSyncWorld();
  const alice = await world.user('alice');
  const bob = await world.user('bob');
  const ws = await world.workspace(alice);
  await world.join(ws, bob, 'member');
  return { world, alice, bob, ws };
}

async function insertUser(database: TestDatabase, name: string, id: Id<'user'>): Promise<Id<'user'>> {
  const email = `${name}-${id.slice(-6)}@example.com`;
  await database.db
    .insertInto('user')
    .values({
      id,
      source: 'email',
      githubId: null,
      googleId: null,
      forename: name,
      surname: null,
      username: null,
      email,
      domain: 'example.com',
      personal: false,
      emailVerified: true,
      created: WORLD_START,
      updated: WORLD_START,
    })
    .execute();
  return id;
}
