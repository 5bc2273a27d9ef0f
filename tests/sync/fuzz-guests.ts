/**
 * Actions about people whom a space or thread names, members and guests: grants, the domain of the workspace, and addresses
 * that are proven. They are drawn apart from the others, so that histories which failed once stay what they were.
 */
import { sql } from 'kysely';
import { isId, type Id } from '#shared/ids.ts';
import { POSITIONS } from '#shared/permissions.ts';
import { GRANT_LEVELS } from '#shared/spaces/grant-level.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { settleAddress } from '#server/workspaces/guests.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import type { Random } from './random.ts';

type Action = (fuzz: FuzzWorld, random: Random) => Promise<void>;

/** People and positions are named for a place, mostly by its owner, and taken out again. */
const grantPlace: Action = async (fuzz, random) => {
  const isSpace = random.chance(0.7);
  const { rows } = await sql<{ id: Id<'space'> | Id<'thread'>; ownerId: Id<'user'> }>`
    select "id", "ownerId" from ${sql.table(isSpace ? 'space' : 'thread')}
    where "workspaceId" = ${fuzz.workspace} order by "created" desc, "id" limit 6`.execute(fuzz.db);
  const place = random.maybe(rows);
  if (place === undefined) return;
  const at = fuzz.at(random);
  const who = random.chance(0.7) ? place.ownerId : fuzz.someone(random);
  const visibility = random.pick(['private_and_guests', 'custom', 'workspace_and_guests'] as const);
  if (random.chance(0.4)) {
    const change = { at, visibility };
    if (isId('space', place.id)) await fuzz.mutate(who, 'space.update', { ...change, id: place.id });
    else await fuzz.mutate(who, 'thread.update', { ...change, id: place.id });
  }
  const userId = random.pick(fuzz.users);
  const { rows: people } = await sql<{ email: string }>`
    select lower("email") as "email" from "user" where "id" = ${userId}`.execute(fuzz.db);
  const holder = random.pick([userId, people[0]?.email ?? userId, random.pick(POSITIONS)]);
  const given = { resourceId: place.id, holder, at };
  if (random.chance(0.3)) await fuzz.mutate(who, 'grant.remove', given);
  else await fuzz.mutate(who, 'grant.put', { ...given, level: random.pick(GRANT_LEVELS) });
};

/** The workspace gets the domain of all addresses, or loses it. */
const changeDomain: Action = async (fuzz, random) => {
  const domain = random.chance(0.5) ? fuzz.domain : null;
  await writeInRealm(fuzz.host.world.host, fuzz.workspace, systemActor, (tx) =>
    tx.update('workspace', fuzz.workspace, { domain }),
  );
  await fuzz.watch();
};

/** A person's address is no longer proven, or is again. */
const changeProof: Action = async (fuzz, random) => {
  const userId = random.pick(fuzz.users);
  await sql`update "user" set "emailVerified" = ${random.chance(0.6)} where "id" = ${userId}`.execute(
    fuzz.db,
  );
  await settleAddress(fuzz.host.world.host, userId);
  await fuzz.watch();
};

/** A guest writes, opens a thread or tries what only members may do. */
const actAsGuest: Action = async (fuzz, random) => {
  const guests = fuzz.users.filter((id) => !fuzz.members.has(id));
  const who = random.maybe(guests);
  if (who === undefined) return;
  const at = fuzz.at(random);
  const [spaceId, threadId] = [random.maybe(fuzz.spaces), random.maybe(fuzz.threads)];
  const memoryId = random.maybe(fuzz.memories);
  const id = fuzz.id(random, 'memory');
  const created = {
    id,
    at,
    origin: 'manual_entry' as const,
    title: 'from a guest',
    spaceId: spaceId ?? null,
  };
  if (await fuzz.mutate(who, 'memory.create', created)) fuzz.memories.push(id);
  if (memoryId && spaceId) await fuzz.mutate(who, 'space_memory.create', { memoryId, spaceId, at });
  if (memoryId) await fuzz.mutate(who, 'memory.update', { id: memoryId, at, title: 'by a guest' });
  if (threadId && (await fuzz.mutate(who, 'thread.open', { id: threadId, at }))) {
    const message = { id: fuzz.id(random, 'message'), threadId, content: 'hello', at };
    await fuzz.mutate(who, 'message.create', message);
  }
};

/** How often one of these happens with a step. */
export const GUEST_SHARE = 0.15;

export const GUEST_ACTIONS: readonly { name: string; weight: number; action: Action }[] = [
  { name: 'grant place', weight: 10, action: grantPlace },
  { name: 'act as guest', weight: 6, action: actAsGuest },
  { name: 'change domain', weight: 1, action: changeDomain },
  { name: 'change proof', weight: 1, action: changeProof },
];
