/**
 * Actions of many rows, of devices whose clocks are wrong, and of a database that falls back to an earlier state. They are
 * drawn apart from the others, so that histories which failed once stay what they were.
 */
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import type { MutatorName } from '#shared/mutators.ts';
import { followHistory } from '#server/sync/epochs.ts';
import { purgeTrash } from '#server/sync/retention.ts';
import { keepState } from '#tests/support/kept-state.ts';
import { Mismatch } from './fuzz-replica.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import type { Random } from './random.ts';

type Action = (fuzz: FuzzWorld, random: Random) => Promise<void>;

const DAY_MS = 86_400_000;
/** Longer than anything stays in the trash. */
const LATE_DAYS = 40;

/** Some memories at once, over REST or from a device, with rows among them that their author may not change. */
const changeMany: Action = async (fuzz, random) => {
  const ids = [
    ...new Set(Array.from({ length: random.between(2, 12) }, () => random.maybe(fuzz.memories))),
  ].filter((id) => id !== undefined);
  if (ids.length === 0) return;
  const at = fuzz.at(random);
  const spaceId = random.maybe(fuzz.spaces);
  const changes: readonly (readonly [MutatorName, object])[] = [
    ['memory.archive_many', { ids, at, archived: random.chance(0.5) }],
    ['memory.add_tags_many', { ids, at, tags: ['many'] }],
    ['memory.move_many', { ids, at, spaceId: spaceId ?? null }],
    // Out of a private space and into the workspace, which then reads them.
    ['memory.move_many', { ids, at, spaceId: null }],
    ['memory.remove_many', { ids, at }],
    ['memory.restore_many', { ids, at }],
    ...(spaceId === undefined
      ? []
      : ([
          ['space_memory.create_many', { memoryIds: ids, spaceId, at }],
          ['space_memory.remove_many', { memoryIds: ids, spaceId, at }],
        ] as const)),
  ];
  const [name, args] = random.pick(changes);
  const replica = random.pick(fuzz.replicas.filter(({ realmId }) => realmId === fuzz.workspace));
  if (random.chance(0.5)) await fuzz.pushFrom(replica, name, args);
  // The table above pairs each name with its own arguments.
  else await fuzz.mutate(fuzz.someone(random), name, args as never);
};

/** Deletions by a device that was offline for long, or whose clock is wrong. */
const removeLate: Action = async (fuzz, random) => {
  const at = new Date(Date.parse(fuzz.at(random)) - LATE_DAYS * DAY_MS).toISOString();
  const who = fuzz.someone(random);
  const [memory, space, thread] = [fuzz.memories, fuzz.spaces, fuzz.threads].map((ids) =>
    random.maybe<string>(ids),
  );
  if (memory) await fuzz.mutate(who, 'memory.remove', { id: memory as Id<'memory'>, at });
  if (space) await fuzz.mutate(who, 'space.remove', { id: space as Id<'space'>, at });
  if (thread) await fuzz.mutate(who, 'thread.remove', { id: thread as Id<'thread'>, at });
};

/** A history lasts minutes, so nothing has been in the trash for long enough. */
const cleanUp: Action = async (fuzz) => {
  const purged = await purgeTrash(fuzz.host.world.host, new Date(fuzz.host.world.at()));
  if (purged > 0) throw new Mismatch(`${purged} rows left the trash before their time`);
};

/** What a device needs to know when its replica is lost between the fall and its next pull. */
async function tellReplicas(fuzz: FuzzWorld): Promise<void> {
  fuzz.restores.length = 0;
  const { rows } = await sql<{ id: string; last: number }>`
    select "id", "lastMutationId" as "last" from "sync_client"`.execute(fuzz.db);
  const lastMutationIDs = Object.fromEntries(rows.map(({ id, last }) => [id, last]));
  for (const replica of fuzz.replicas) replica.fellBack({ error: 'ClientStateNotFound', lastMutationIDs });
}

/** Keeps the database as it is, or goes back to what was kept: a dump restored in place, which the server notices by itself. */
const fallBack: Action = async (fuzz) => {
  const { kept } = fuzz;
  if (kept === undefined) {
    // As every server does from its start on: what it knows of its history is kept too.
    await followHistory(fuzz.db);
    const refused = new Map([...fuzz.refused].map(([userId, ids]) => [userId, new Set(ids)]));
    fuzz.kept = { refused, setBack: await keepState(fuzz.db) };
    return;
  }
  fuzz.kept = undefined;
  await kept.setBack();
  if (fuzz.host.noticesFall !== false) await followHistory(fuzz.db);
  await tellReplicas(fuzz);
  fuzz.refused.clear();
  for (const [userId, ids] of kept.refused) fuzz.refused.set(userId, ids);
  const { rows } = await sql<{ userId: Id<'user'> }>`
    select "userId" from "workspace_member" where "workspaceId" = ${fuzz.workspace} order by 1`.execute(
    fuzz.db,
  );
  fuzz.members = new Set(fuzz.users.filter((id) => rows.some(({ userId }) => userId === id)));
};

/** How often one of these happens with a step. */
export const UPHEAVAL_SHARE = 0.1;

export const UPHEAVALS: readonly { name: string; weight: number; action: Action }[] = [
  { name: 'change many', weight: 10, action: changeMany },
  { name: 'remove late', weight: 3, action: removeLate },
  { name: 'clean up', weight: 2, action: cleanUp },
  { name: 'fall back', weight: 1.5, action: fallBack },
];
