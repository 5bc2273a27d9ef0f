/** Writes that reach many rows of a workspace at once, and how long others wait for it meanwhile. */
import { sql } from 'kysely';
import { runMutation } from '#server/db/run-mutation.ts';
import { systemActor, type ServerTx } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { chunked } from '#server/sync/feed.ts';
import { forgetResults, purgeTrash } from '#server/sync/retention.ts';
import { MANY_STEP } from '#shared/constants.ts';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { space } from '#shared/spaces/space.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { eachOf, judgeBudget, timed, type BenchRow } from './bench-row.ts';
import { openBenchWorld, seedWorkspace, type BenchWorld } from './bench-world.ts';
import { asPerson } from '#server/sync/readable.ts';

const MEMORIES = 10_000;
const RESULTS = 5_000;
/** A person selects them all and acts on them, in mutations of MANY_STEP ids. */
const SELECTED = 2_500;
const ACT_MS = 2_000;
/** An import files so many at once; what comes to another home comes one by one, which is not measured here. */
const CHUNK = { filed: 500, 'at home': 100 } as const;
const SWITCHES = 6;
const SWITCH_MS = 1_000;
const WAIT_MS = 300;
const DAY_MS = 86_400_000;

/** A workspace whose memories are all in one space, which is their home or only a place where they are filed. */
interface Filled {
  world: BenchWorld;
  workspaceId: Id<'workspace'>;
  spaceId: Id<'space'>;
}

export async function* run(): AsyncGenerator<BenchRow[]> {
  const world = await openBenchWorld();
  try {
    yield* eachOf({
      filed: () => measureSpace(world, { slug: 'filed', isHome: false }),
      'at home': () => measureSpace(world, { slug: 'at-home', isHome: true }),
      acts: () => measureActs(world),
      results: () => measureResults(world),
    });
  } finally {
    await world.close();
  }
}

/** Filing, switching, and purging, while another client writes all the time. */
async function measureSpace(
  world: BenchWorld,
  { slug, isHome }: { slug: string; isHome: boolean },
): Promise<BenchRow[]> {
  const workspaceId = await seedWorkspace(world, { slug, count: MEMORIES });
  const spaceId = await openSpace(world, workspaceId, slug);
  const filled = { world, workspaceId, spaceId };
  const filing = await meanwhile(filled, () => fileAll(filled, isHome));
  await sql`vacuum analyze`.execute(world.context.db);
  const [switches, waits]: [number[], number[]] = [[], []];
  for (let n = 0; n < SWITCHES; n += 1) {
    const visibility = n % 2 === 0 ? 'private' : 'workspace';
    const { ms, longest } = await meanwhile(filled, () => change(filled, 'space.update', { visibility }));
    switches.push(ms);
    waits.push(longest);
  }
  const opening = await meanwhile(filled, () => change(filled, 'space.update', { visibility: 'custom' }));
  const bin = await meanwhile(filled, () => change(filled, 'space.remove'));
  const later = new Date(world.context.clock.now().getTime() + (TRASH_DAYS + 1) * DAY_MS);
  const purge = await meanwhile(filled, () => purgeTrash(world.context, later));
  await binAll(filled);
  const memories = await meanwhile(filled, () => purgeTrash(world.context, later));
  const what = `of a space ${isHome ? 'in which' : 'with'} ${MEMORIES} memories ${isHome ? 'live' : 'filed in it'}`;
  const wait = (id: string, work: string, values: number[]) =>
    judgeBudget(`${id} wait, ${slug}`, `longest wait of others during ${work} ${what}`, {
      values,
      limit: WAIT_MS,
    });
  return [
    judgeBudget(`switch, ${slug}`, `visibility ${what}`, { values: switches, limit: SWITCH_MS }),
    wait('switch', 'a switch', waits),
    wait('opening', 'the first opening to guests', [opening.longest]),
    judgeBudget(`bin, ${slug}`, `removal ${what}`, { values: [bin.ms], limit: SWITCH_MS }),
    ...(isHome ? [] : [wait('filing', 'the filling', [filing.longest])]),
    wait('purge', 'the purge', [purge.longest]),
    wait('memories', 'the purge of all memories', [memories.longest]),
  ];
}

async function measureActs(world: BenchWorld): Promise<BenchRow[]> {
  const workspaceId = await seedWorkspace(world, { slug: 'acts', count: SELECTED });
  const filled = { world, workspaceId };
  const spaceId = await openSpace(world, workspaceId, 'acts');
  const ids = (await memoriesOf(filled)).slice(0, SELECTED);
  const call = { actor: asPerson(world.userId), realmId: workspaceId };
  const { context } = world;
  const acts: Readonly<Record<string, (given: { ids: Id<'memory'>[]; at: string }) => Promise<unknown>>> = {
    archive: (given) =>
      runMutation(context, { ...call, name: 'memory.archive_many', args: { ...given, archived: true } }),
    tag: (given) =>
      runMutation(context, { ...call, name: 'memory.add_tags_many', args: { ...given, tags: ['sea'] } }),
    untag: (given) =>
      runMutation(context, { ...call, name: 'memory.remove_tags_many', args: { ...given, tags: ['sea'] } }),
    move: (given) => runMutation(context, { ...call, name: 'memory.move_many', args: { ...given, spaceId } }),
    remove: (given) => runMutation(context, { ...call, name: 'memory.remove_many', args: given }),
    restore: (given) => runMutation(context, { ...call, name: 'memory.restore_many', args: given }),
  };
  const rows: BenchRow[] = [];
  for (const [name, act] of Object.entries(acts)) {
    const { ms, longest } = await meanwhile(filled, async () => {
      for (const some of chunked(ids, MANY_STEP)) await act({ ids: some, at: new Date().toISOString() });
    });
    rows.push(
      judgeBudget(name, `${name} ${SELECTED} memories`, { values: [ms], limit: ACT_MS }),
      judgeBudget(`${name} wait`, 'longest wait of others meanwhile', { values: [longest], limit: WAIT_MS }),
    );
  }
  return rows;
}

async function measureResults(world: BenchWorld): Promise<BenchRow[]> {
  const workspaceId = await seedWorkspace(world, { slug: 'results', count: 1_000 });
  const old = new Date(world.context.clock.now().getTime() - (SYNC.resultDays + 1) * DAY_MS).toISOString();
  await writeInRealm(world.context, workspaceId, systemActor, async (tx) => {
    await sql`
      insert into "sync_mutation_result" ("clientId", "mutationId", "userId", "realmId", "name", "code", "message", "created")
      select 'old', n, ${world.userId}, ${workspaceId}, 'memory.create', 'forbidden', 'No', ${old}
      from generate_series(1, ${RESULTS}::int) as n`.execute(tx.trx);
    for (let n = 1; n <= RESULTS; n += 1) await tx.showResult(`old/${n}`, world.userId);
  });
  const filled = { world, workspaceId };
  const { ms, longest } = await meanwhile(filled, () =>
    forgetResults(world.context, world.context.clock.now()),
  );
  const what = `${RESULTS} results of refused changes`;
  return [
    judgeBudget('results', `forgetting ${what}`, { values: [ms], limit: SWITCH_MS * 5 }),
    judgeBudget('results wait', `longest wait of others during the forgetting of ${what}`, {
      values: [longest],
      limit: WAIT_MS,
    }),
  ];
}

/** How long the work takes, and the longest write of another client while it goes on. */
async function meanwhile(
  { world, workspaceId }: Pick<Filled, 'world' | 'workspaceId'>,
  work: () => Promise<unknown>,
): Promise<{ ms: number; longest: number }> {
  const waits: number[] = [];
  const state = { isOver: false };
  const others = async () => {
    do {
      const other = () =>
        writeInRealm(world.context, workspaceId, asPerson(world.userId), (tx) => tx.readPosition());
      waits.push(await timed(other));
    } while (!state.isOver);
  };
  const working = timed(work).finally(() => {
    state.isOver = true;
  });
  const [ms] = await Promise.all([working, others()]);
  return { ms, longest: Math.max(...waits) };
}

function change(
  { world, workspaceId, spaceId }: Filled,
  name: 'space.update' | 'space.remove',
  more: { visibility?: Visibility } = {},
) {
  const args = { id: spaceId, at: new Date().toISOString(), ...more };
  return runMutation(world.context, { actor: asPerson(world.userId), realmId: workspaceId, name, args });
}

async function openSpace(
  { context, userId }: BenchWorld,
  workspaceId: Id<'workspace'>,
  slug: string,
): Promise<Id<'space'>> {
  const spaceId = newId('space');
  const at = new Date().toISOString();
  await writeInRealm(context, workspaceId, asPerson(userId), (tx) =>
    tx.insert('space', {
      ...space.defaults,
      id: spaceId,
      workspaceId,
      name: 'All',
      slug,
      ownerId: userId,
      createdBy: userId,
      lastEditedBy: userId,
      created: at,
      updated: at,
      deletedAt: null,
    }),
  );
  return spaceId;
}

/** Every memory of the workspace into the space, in the pieces of an import. */
async function fileAll({ world, workspaceId, spaceId }: Filled, isHome: boolean): Promise<void> {
  const { context, userId } = world;
  const created = new Date().toISOString();
  const file = async (tx: ServerTx, ids: readonly Id<'memory'>[]) => {
    if (isHome) await tx.updateMany('memory', ids, { spaceId });
    await tx.insertMany(
      'space_memory',
      ids.map((memoryId) => ({ workspaceId, spaceId, memoryId, createdBy: userId, created })),
    );
  };
  const size = CHUNK[isHome ? 'at home' : 'filed'];
  for (const some of chunked(await memoriesOf({ world, workspaceId }), size))
    await writeInRealm(context, workspaceId, systemActor, (tx) => file(tx, some));
}

async function memoriesOf({ world, workspaceId }: Pick<Filled, 'world' | 'workspaceId'>) {
  const { rows } = await sql<{ id: Id<'memory'> }>`
    select "id" from "memory" where "workspaceId" = ${workspaceId}`.execute(world.context.db);
  return rows.map(({ id }) => id);
}

/** All memories of the workspace into the trash. */
async function binAll(filled: Filled): Promise<void> {
  const deletedAt = new Date().toISOString();
  const { world, workspaceId } = filled;
  for (const ids of chunked(await memoriesOf(filled), CHUNK.filed))
    await writeInRealm(world.context, workspaceId, systemActor, (tx) =>
      tx.updateMany('memory', ids, { deletedAt }),
    );
}
