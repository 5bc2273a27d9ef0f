/**
 * Actions that change who can see what: private things that become visible and hidden again, and attempts of members to
 * show what they must not show.
 */
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { enlarge } from '#server/sync/readers/dependants.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import type { Random } from './random.ts';

type Action = (fuzz: FuzzWorld, random: Random) => Promise<void>;

/** A memory whose home only its owner can read, and a space that all members can read. */
async function secretAndStage(fuzz: FuzzWorld, random: Random) {
  const { rows: secrets } = await sql<{ id: Id<'memory'>; ownerId: Id<'user'> }>`
    select m."id", m."ownerId" from "memory" m join "space" h on h."workspaceId" = m."workspaceId" and h."id" = m."spaceId"
    where m."workspaceId" = ${fuzz.workspace} and m."deletedAt" is null and h."ownerId" = m."ownerId"
      and h."visibility" not in ('workspace', 'unlisted', 'public')
      and exists (select 1 from "workspace_member" w
        where w."workspaceId" = m."workspaceId" and w."userId" = m."ownerId" and w."position" <> 'read-only')
    order by m."id"`.execute(fuzz.db);
  const { rows: stages } = await sql<{ id: Id<'space'> }>`
    select "id" from "space" where "workspaceId" = ${fuzz.workspace} and "visibility" = 'workspace'
      and "deletedAt" is null order by "id"`.execute(fuzz.db);
  return { secret: random.maybe(secrets), stage: random.maybe(stages) };
}

/** Something private that colleagues come to see, and the stage to show it on, made when there is none. */
export const reveal: Action = async (fuzz, random) => {
  const { secret, stage } = await secretAndStage(fuzz, random);
  const owner = secret?.ownerId ?? fuzz.owner;
  if (stage === undefined) {
    const id = fuzz.id(random, 'space');
    const args = {
      id,
      at: fuzz.at(random),
      name: 'stage',
      slug: id.slice(4),
      visibility: 'workspace' as const,
    };
    if (await fuzz.mutate(fuzz.owner, 'space.create', args)) fuzz.spaces.push(id);
    return;
  }
  if (secret === undefined) return hide(fuzz, random);
  const link = { memoryId: secret.id, spaceId: stage.id, at: fuzz.at(random) };
  if (await fuzz.mutate(owner, 'space_memory.create', link)) fuzz.revealed.push(link);
};

/** A private space of the owner with something in it. */
const hide: Action = async (fuzz, random) => {
  const [home, id] = [fuzz.id(random, 'space'), fuzz.id(random, 'memory')];
  const space = {
    id: home,
    at: fuzz.at(random),
    name: 'home',
    slug: home.slice(4),
    visibility: 'private' as const,
  };
  if (!(await fuzz.mutate(fuzz.owner, 'space.create', space))) return;
  fuzz.spaces.push(home);
  const args = { id, at: fuzz.at(random), origin: 'manual_entry' as const, title: 'secret', spaceId: home };
  if (await fuzz.mutate(fuzz.owner, 'memory.create', args)) fuzz.memories.push(id);
};

/** What was shown last is taken back. */
export const conceal: Action = async (fuzz, random) => {
  const link = fuzz.revealed.pop();
  if (link === undefined) return;
  await fuzz.mutate(fuzz.owner, 'space_memory.remove', { ...link, at: fuzz.at(random) });
};

/** A member of the position that may show only what is its own. */
async function plainMember(fuzz: FuzzWorld, random: Random): Promise<Id<'user'> | undefined> {
  const { rows } = await sql<{ userId: Id<'user'> }>`
    select "userId" from "workspace_member" where "workspaceId" = ${fuzz.workspace} and "position" = 'member'
    order by 1`.execute(fuzz.db);
  return random.maybe(rows)?.userId;
}

/** Creates something under an id that is in use, mostly of a memory that its owner has shown to members alone. */
export const reuseId: Action = async (fuzz, random) => {
  const who = random.chance(0.2) ? fuzz.someone(random) : await plainMember(fuzz, random);
  if (who === undefined) return;
  if (fuzz.revealed.length === 0) await reveal(fuzz, random);
  const id = random.chance(0.7) ? fuzz.revealed.at(-1)?.memoryId : random.maybe(fuzz.memories);
  const stage = fuzz.id(random, 'space');
  const at = fuzz.at(random);
  const shown = { at, name: 'taken', visibility: random.pick(['public', 'unlisted', 'workspace'] as const) };
  const isMade = await fuzz.mutate(who, 'space.create', { ...shown, id: stage, slug: stage.slice(4) });
  if (isMade) fuzz.spaces.push(stage);
  const args = { at, origin: 'manual_entry' as const, title: 'taken', spaceId: isMade ? stage : null };
  if (id) await fuzz.mutate(who, 'memory.create', { ...args, id });
  const [space, thread] = [random.maybe(fuzz.spaces), random.maybe(fuzz.threads)];
  if (space) await fuzz.mutate(who, 'space.create', { ...shown, id: space, slug: space.slice(4) });
  if (thread) await fuzz.mutate(who, 'thread.create', { ...shown, id: thread });
};

/** A colleague's memory is filed in an own private space, its owner takes it home, and the space is opened then. */
export const showWithdrawn: Action = async (fuzz, random) => {
  const who = await plainMember(fuzz, random);
  const { rows: open } = await sql<{ id: Id<'memory'>; ownerId: Id<'user'> }>`
    select "id", "ownerId" from "memory" where "workspaceId" = ${fuzz.workspace} and "spaceId" is null
      and "deletedAt" is null and "ownerId" <> ${who ?? ''} order by "id"`.execute(fuzz.db);
  const memory = random.maybe(open);
  if (who === undefined || memory === undefined) return;
  const [shelf, home] = [fuzz.id(random, 'space'), fuzz.id(random, 'space')];
  const room = (id: Id<'space'>) => {
    return { id, at: fuzz.at(random), name: 'room', slug: id.slice(4), visibility: 'private' as const };
  };
  if (await fuzz.mutate(who, 'space.create', room(shelf))) fuzz.spaces.push(shelf);
  if (await fuzz.mutate(memory.ownerId, 'space.create', room(home))) fuzz.spaces.push(home);
  const at = fuzz.at(random);
  await fuzz.mutate(who, 'space_memory.create', { spaceId: shelf, memoryId: memory.id, at });
  if (random.chance(0.3)) await fuzz.mutate(who, 'space.remove', { id: shelf, at });
  await fuzz.mutate(memory.ownerId, 'memory.move', { id: memory.id, at, spaceId: home });
  await fuzz.mutate(who, 'space.restore', { id: shelf, at });
  const visibility = random.pick(['workspace', 'unlisted', 'public'] as const);
  await fuzz.mutate(who, 'space.update', { id: shelf, at, visibility });
};

/**
 * Opened and closed again in one transaction, several times: colleagues could never read it, so no response names it.
 */
export const flicker: Action = async (fuzz, random) => {
  const replica = random.pick(fuzz.replicas.filter(({ realmId }) => realmId === fuzz.workspace));
  const { rows } = await sql<{ id: Id<'space'> }>`
    select "id" from "space" where "workspaceId" = ${fuzz.workspace} and "ownerId" = ${replica.userId}
      and "visibility" not in ('workspace', 'unlisted', 'public') and "deletedAt" is null order by "id"`.execute(
    fuzz.db,
  );
  const id = random.maybe(rows)?.id;
  if (id === undefined) return;
  const flips = (['workspace', 'private'] as const).map((visibility) => {
    return { name: 'space.update', args: { id, at: fuzz.at(random), visibility } };
  });
  for (let n = random.between(1, 3); n > 0; n--) await fuzz.pushAll(replica, flips);
};

/** A space gets audiences of its own as if it had grown: no access changes. */
export const enlargeSpace: Action = async (fuzz, random) => {
  const id = random.maybe(fuzz.spaces);
  if (id === undefined) return;
  fuzz.trace.push('enlarge space');
  await writeInRealm(fuzz.host.world.host, fuzz.workspace, systemActor, async (tx) => {
    if ((await tx.get('space', id)) === undefined) return;
    await enlarge(tx, fuzz.workspace, id);
  });
  await fuzz.watch();
};
