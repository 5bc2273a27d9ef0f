/**
 * What can happen in a random history, with how often: each action makes its choices from the given stream only, so
 * that a history can be repeated and shortened.
 */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { POSITIONS } from '#shared/permissions.ts';
import { VISIBILITIES } from '#shared/spaces/visibility.ts';
import { actorIn } from '#server/db/run-mutation.ts';
import { systemActor, type ServerTx } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { notify } from '#server/notifications/service.ts';
import { changeEpochs } from '#server/sync/epochs.ts';
import { collectTombstones } from '#server/sync/retention.ts';
import { addMember, changePosition, removeMember } from '#server/workspaces/membership.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import { conceal, flicker, reuseId, reveal, showWithdrawn } from './fuzz-sharing.ts';
import type { Random } from './random.ts';

type Action = (fuzz: FuzzWorld, random: Random) => Promise<void>;

const LONG_NOTES = 'long '.repeat(900);

function memoryArgs(fuzz: FuzzWorld, random: Random, id: Id<'memory'>) {
  return {
    id,
    at: fuzz.at(random),
    origin: 'manual_entry' as const,
    title: `title ${random.between(1, 99)}`,
    notes: random.chance(0.3) ? (random.chance(0.2) ? LONG_NOTES : `notes ${random.between(1, 99)}`) : null,
    spaceId: random.chance(0.5) ? (random.maybe(fuzz.spaces) ?? null) : null,
    tags: random.chance(0.3) ? ['red', 'blue'] : [],
  };
}

export const createMemory: Action = async (fuzz, random) => {
  const id = fuzz.id(random, 'memory');
  if (await fuzz.mutate(fuzz.someone(random), 'memory.create', memoryArgs(fuzz, random, id)))
    fuzz.memories.push(id);
};

/** A mutation of a replica's own client, whose id must come back confirmed with its effect. */
const pushMemory: Action = async (fuzz, random) => {
  const replica = random.pick(fuzz.replicas);
  if (replica.realmId !== fuzz.workspace) return pushNotification(fuzz, random);
  const id = fuzz.id(random, 'memory');
  const args = memoryArgs(fuzz, random, id);
  const isWrong = random.chance(0.1);
  const isMember = fuzz.users.some((userId) => userId === replica.userId && fuzz.members.has(userId));
  // A guest may write into a place that was opened to them.
  const { rows: grants } = await sql`
    select from "grant" where "resourceId" = ${args.spaceId}
      and ${replica.userId} in ("holder", "userId")`.execute(fuzz.db);
  await fuzz.pushFrom(replica, 'memory.create', isWrong ? { ...args, title: 7 } : args, {
    isRefused: isWrong || (!isMember && grants.length === 0),
  });
  fuzz.memories.push(id);
};

const pushNotification: Action = async (fuzz, random) => {
  const replica = random.pick(fuzz.replicas.filter(({ realmId, userId }) => realmId === userId));
  const { rows } = await sql<{ id: string }>`
    select "id" from "notification" where "userId" = ${replica.userId} order by "id"`.execute(fuzz.db);
  const id = random.maybe(rows)?.id ?? 'notif_unknown';
  await fuzz.pushFrom(replica, 'notification.update', { id, at: fuzz.at(random), seen: random.chance(0.5) });
};

const acknowledge: Action = async (fuzz, random) => {
  const { rows } = await sql<{ id: string; userId: string; realmId: string }>`
    select "clientId" || '/' || "mutationId" as "id", "userId", "realmId" from "sync_mutation_result"
    where "realmId" = any(${[fuzz.workspace, ...fuzz.users]}::text[]) order by 1`.execute(fuzz.db);
  const result = random.maybe(rows);
  const replica = fuzz.replicas.find(
    ({ userId, realmId }) => userId === result?.userId && realmId === result.realmId,
  );
  if (!result || !replica) return;
  const args = { ids: [result.id] };
  await fuzz.pushFrom(replica, 'sync.ack_results', args);
  fuzz.acknowledged(result.userId, args);
};

/** An import: many rows in one version, by the system. */
const bulkCreate: Action = async (fuzz, random) => {
  const owner = random.pick([...fuzz.members]);
  const created = fuzz.at(random);
  const ids = Array.from({ length: random.between(2, 25) }, () => fuzz.id(random, 'memory'));
  await writeInRealm(fuzz.host.world.host, fuzz.workspace, systemActor, (tx) =>
    tx.insertMany(
      'memory',
      ids.map((id) => ({
        id,
        workspaceId: fuzz.workspace,
        ownerId: owner,
        createdBy: owner,
        lastEditedBy: owner,
        spaceId: null,
        type: 'note' as const,
        origin: 'import' as const,
        contentStatus: 'completed' as const,
        metadata: { n: random.between(1, 9) },
        title: 'bulk',
        description: null,
        summary: null,
        url: null,
        ...bodyFields('x'),
        tags: [],
        screenshot: null,
        filename: null,
        uploadId: null,
        archived: false,
        created,
        updated: created,
        deletedAt: null,
      })),
    ),
  );
  fuzz.memories.push(...ids);
};

const editMemory: Action = async (fuzz, random) => {
  const id = random.maybe(fuzz.memories);
  if (id === undefined) return;
  const [who, at] = [fuzz.someone(random), fuzz.at(random)];
  const title = `edit ${random.between(1, 999)}`;
  await random.pick([
    () => fuzz.mutate(who, 'memory.update', { id, at, title, archived: random.chance(0.2) }),
    () => fuzz.mutate(who, 'memory.set_notes', { id, at, notes: title, baseHash: null }),
    () => fuzz.mutate(who, 'memory.add_tags', { id, at, tags: [`t${random.between(1, 5)}`] }),
  ])();
};

const moveMemory: Action = async (fuzz, random) => {
  const id = random.maybe(fuzz.memories);
  const spaceId = random.chance(0.3) ? null : (random.maybe(fuzz.spaces) ?? null);
  if (id) await fuzz.mutate(fuzz.someone(random), 'memory.move', { id, at: fuzz.at(random), spaceId });
};

const binMemory: Action = async (fuzz, random) => {
  const id = random.maybe(fuzz.memories);
  const name = random.chance(0.6) ? 'memory.remove' : 'memory.restore';
  if (id) await fuzz.mutate(fuzz.someone(random), name, { id, at: fuzz.at(random) });
};

const linkMemory: Action = async (fuzz, random) => {
  const [memoryId, spaceId] = [random.maybe(fuzz.memories), random.maybe(fuzz.spaces)];
  if (!memoryId || !spaceId) return;
  await fuzz.mutate(fuzz.someone(random), 'space_memory.create', { memoryId, spaceId, at: fuzz.at(random) });
};

const unlinkMemory: Action = async (fuzz, random) => {
  const { rows } = await sql<{ spaceId: Id<'space'>; memoryId: Id<'memory'> }>`
    select "spaceId", "memoryId" from "space_memory" where "workspaceId" = ${fuzz.workspace}
    order by "created" desc, "spaceId", "memoryId" limit 5`.execute(fuzz.db);
  const link = random.maybe(rows);
  if (link) await fuzz.mutate(fuzz.someone(random), 'space_memory.remove', { ...link, at: fuzz.at(random) });
};

const createSpace: Action = async (fuzz, random) => {
  const id = fuzz.id(random, 'space');
  const args = {
    id,
    at: fuzz.at(random),
    name: `space ${random.between(1, 99)}`,
    slug: id.slice(4),
    visibility: random.pick(VISIBILITIES),
  };
  if (await fuzz.mutate(fuzz.someone(random), 'space.create', args)) fuzz.spaces.push(id);
};

const editSpace: Action = async (fuzz, random) => {
  const id = random.maybe(fuzz.spaces);
  if (id === undefined) return;
  const [who, at] = [fuzz.someone(random), fuzz.at(random)];
  const visibility = random.pick(VISIBILITIES);
  await random.pick([
    () => fuzz.mutate(who, 'space.update', { id, at, visibility }),
    () => fuzz.mutate(who, 'space.update', { id, at, visibility, name: `renamed ${random.between(1, 99)}` }),
    () => fuzz.mutate(who, 'space.remove', { id, at }),
    () => fuzz.mutate(who, 'space.restore', { id, at }),
  ])();
};

const createThread: Action = async (fuzz, random) => {
  const id = fuzz.id(random, 'thread');
  const visibility = random.pick(VISIBILITIES);
  const args = { id, at: fuzz.at(random), name: 'thread', visibility };
  if (await fuzz.mutate(fuzz.someone(random), 'thread.create', args)) fuzz.threads.push(id);
};

/** A thread of the latest few, so that things happen to the same one, and mostly its owner. */
async function threadAndPerson(fuzz: FuzzWorld, random: Random) {
  const id = random.maybe(fuzz.threads.slice(-3));
  const { rows } = await sql<{ ownerId: Id<'user'> }>`
    select "ownerId" from "thread" where "id" = ${id ?? ''}`.execute(fuzz.db);
  return { id, who: random.chance(0.5) ? rows[0]?.ownerId : fuzz.someone(random) };
}

const editThread: Action = async (fuzz, random) => {
  const { id, who } = await threadAndPerson(fuzz, random);
  if (id === undefined || who === undefined) return;
  const at = fuzz.at(random);
  const visibility = random.chance(0.5) ? 'workspace' : random.pick(VISIBILITIES);
  await random.pick([
    () => fuzz.mutate(who, 'thread.update', { id, at, visibility }),
    () => fuzz.mutate(who, 'thread.remove', { id, at }),
    () => fuzz.mutate(who, 'thread.restore', { id, at }),
  ])();
};

const openThread: Action = async (fuzz, random) => {
  const id = random.maybe(fuzz.threads.slice(-3));
  if (id !== undefined) await fuzz.mutate(fuzz.someone(random), 'thread.open', { id, at: fuzz.at(random) });
};

const say: Action = async (fuzz, random) => {
  const { id: threadId, who } = await threadAndPerson(fuzz, random);
  const args = {
    id: fuzz.id(random, 'message'),
    content: `m ${random.between(1, 999)}`,
    at: fuzz.at(random),
  };
  if (!threadId || !who) return;
  await fuzz.mutate(who, 'message.create', { ...args, threadId });
  if (!random.chance(0.15)) return;
  const branch = { id: fuzz.id(random, 'thread'), threadId, messageId: args.id, at: fuzz.at(random) };
  if (await fuzz.mutate(fuzz.someone(random), 'thread.branch', branch)) fuzz.threads.push(branch.id);
};

const asSystem = async (fuzz: FuzzWorld, work: (tx: ServerTx) => Promise<unknown>): Promise<void> => {
  try {
    await writeInRealm(fuzz.host.world.host, fuzz.workspace, systemActor, work);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
};

const purge: Action = (fuzz, random) =>
  asSystem(fuzz, async (tx) => {
    const kind = random.pick(['memory', 'memory', 'thread', 'space'] as const);
    const id = random.maybe({ memory: fuzz.memories, thread: fuzz.threads, space: fuzz.spaces }[kind]);
    if (id !== undefined) await tx.remove(kind, id);
  });

const joinOrLeave: Action = async (fuzz, random) => {
  const userId = random.pick(fuzz.users);
  const member = fuzz.members.has(userId);
  await asSystem(fuzz, async (tx) => {
    if (member) await removeMember(tx, await actorIn(tx, fuzz.someone(random)), userId);
    else await addMember(tx, { userId, position: random.pick(POSITIONS), invitedBy: null });
  });
  const { rows } = await sql<{ userId: Id<'user'> }>`
    select "userId" from "workspace_member" where "workspaceId" = ${fuzz.workspace} order by 1`.execute(
    fuzz.db,
  );
  fuzz.members = new Set(fuzz.users.filter((id) => rows.some((row) => row.userId === id)));
};

const reposition: Action = (fuzz, random) =>
  asSystem(fuzz, async (tx) => {
    const by = await actorIn(tx, random.pick([...fuzz.members]));
    const userId = random.pick([...fuzz.members]);
    await changePosition(tx, by, { userId, position: random.pick(POSITIONS) });
  });

const renameWorkspace: Action = async (fuzz, random) => {
  const name = `ws ${random.between(1, 99)}`;
  await fuzz.mutate(fuzz.someone(random), 'workspace.update', { at: fuzz.at(random), name });
};

/** The workspace is deleted, and mostly taken back soon. */
const closeOrReopen: Action = (fuzz, random) =>
  asSystem(fuzz, async (tx) => {
    const row = await tx.get('workspace', fuzz.workspace);
    if (row === undefined || (row.deletedAt === null) !== random.chance(0.3)) return;
    const at = tx.now.toISOString();
    await tx.update('workspace', row.id, { deletedAt: row.deletedAt === null ? at : null, updated: at });
  });

const tell: Action = (fuzz, random) =>
  asSystem(fuzz, (tx) =>
    notify(tx, {
      userId: random.pick(fuzz.users),
      workspaceId: fuzz.workspace,
      triggerId: 'import.finished',
      title: 'News',
      body: 'Something',
      priority: 'low',
      subject: `s${random.between(1, 4)}`,
    }),
  );

const dismiss: Action = async (fuzz, random) => {
  const { rows } = await sql<{ id: Id<'notification'>; userId: Id<'user'> }>`
    select "id", "userId" from "notification" where "workspaceId" = ${fuzz.workspace} order by "id"`.execute(
    fuzz.db,
  );
  const found = random.maybe(rows);
  if (found) await fuzz.mutate(found.userId, 'notification.remove', { id: found.id, at: fuzz.at(random) });
};

const collect: Action = async (fuzz, random) => {
  const realmId = random.pick([fuzz.workspace, ...fuzz.users]);
  const { rows } = await sql<{ version: number }>`
    select "version" from "sync_realm" where "realmId" = ${realmId}`.execute(fuzz.db);
  await collectTombstones(fuzz.db, realmId, random.between(0, rows[0]?.version ?? 0));
};

const restore: Action = (fuzz) => changeEpochs(fuzz.db);

/** One kind of action: how often it happens, and which histories are about it. */
export interface ActionRow {
  name: string;
  weight: number;
  theme: Theme;
  action: Action;
}

/** What a history is mostly about; rare meetings of events need histories that are not about everything. */
export const THEMES = ['memories', 'spaces', 'threads', 'people'] as const;
export type Theme = (typeof THEMES)[number];

const row = (name: string, weight: number, theme: Theme, action: Action): ActionRow => ({
  name,
  weight,
  theme,
  action,
});

export const ACTIONS: readonly ActionRow[] = [
  row('create memory', 10, 'memories', createMemory),
  row('push memory', 8, 'memories', pushMemory),
  row('acknowledge', 2, 'people', acknowledge),
  row('bulk create', 3, 'memories', bulkCreate),
  row('edit memory', 10, 'memories', editMemory),
  row('move memory', 5, 'spaces', moveMemory),
  row('bin memory', 4, 'memories', binMemory),
  row('link memory', 12, 'spaces', linkMemory),
  row('unlink memory', 8, 'spaces', unlinkMemory),
  row('reveal', 3, 'spaces', reveal),
  row('conceal', 3, 'spaces', conceal),
  row('reuse id', 3, 'spaces', reuseId),
  row('show withdrawn', 1.5, 'spaces', showWithdrawn),
  row('flicker', 3, 'spaces', flicker),
  row('create space', 4, 'spaces', createSpace),
  row('edit space', 9, 'spaces', editSpace),
  row('create thread', 3, 'threads', createThread),
  row('edit thread', 6, 'threads', editThread),
  row('open thread', 8, 'threads', openThread),
  row('say', 10, 'threads', say),
  row('purge', 3, 'memories', purge),
  row('join or leave', 4, 'people', joinOrLeave),
  row('reposition', 1, 'people', reposition),
  row('rename workspace', 1, 'people', renameWorkspace),
  row('close or reopen', 3, 'people', closeOrReopen),
  row('tell', 2, 'people', tell),
  row('dismiss', 1, 'people', dismiss),
  row('collect tombstones', 2, 'people', collect),
  row('new epoch', 0.2, 'people', restore),
];
