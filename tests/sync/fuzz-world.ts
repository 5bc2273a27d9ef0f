/**
 * The people, things and replicas of one random history, and the ways to change them that actions share. Every write
 * goes through the product; mutations are pushed by a replica's client or run as REST would.
 */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import { newId, type Id, type IdKind } from '#shared/ids.ts';
import type { MutatorArgs, MutatorName } from '#shared/mutators.ts';
import { RESULT_PREFIX } from '#shared/sync/keys.ts';
import type { Effects } from '#server/db/effect.ts';
import { runMutation, type MutationHost } from '#server/db/run-mutation.ts';
import { memoryEffects } from '#server/memories/effects.ts';
import { spaceEffects } from '#server/spaces/effects.ts';
import { createGrantEffects } from '#server/spaces/grants.ts';
import { settleQuotes } from '#server/threads/service.ts';
import { push, type PushHost } from '#server/sync/push.ts';
import { cookieSecret } from '#server/sync/secret.ts';
import type { PullSteps } from '#server/sync/pull-steps.ts';
import type { SyncWorld } from '#tests/support/sync-world.ts';
import { FuzzReplica, Mismatch, type Mutation } from './fuzz-replica.ts';
import { Oracle, type Audience, type View } from './oracle.ts';
import { randomId, type Random } from './random.ts';
import { asPerson } from '#server/sync/readable.ts';

/** What all histories of one test share. */
export interface FuzzHost {
  world: SyncWorld;
  oracle: Oracle;
  steps: PullSteps;
  /** Replaces where the server stores refusals for people without access. */
  inboxOf?: PushHost['inboxOf'];
  /** Reads the oracle after every write, to know exactly what each user could ever see. */
  watchEverything: boolean;
  /** False prevents spaces from becoming large. */
  enlarges?: boolean;
  /** False leaves out grants and what guests do. */
  hasGuests?: boolean;
  /** False leaves out changes of many, wrong clocks, and a database that falls back. */
  hasUpheavals?: boolean;
  /** False for a server that does not notice that its database fell back. */
  noticesFall?: boolean;
  /** What the server adds to mutators; the product's own unless a test breaks it. */
  effects?: Effects;
}

export const PRODUCT_EFFECTS: Effects = {
  ...memoryEffects,
  ...spaceEffects,
  ...createGrantEffects({ enqueue: () => Promise.resolve() }, settleQuotes),
};

/** One history's state. */
export class FuzzWorld {
  readonly host: FuzzHost;
  readonly nonce = newId('user').slice(-8);
  users: Id<'user'>[] = [];
  workspace: Id<'workspace'>;
  owner: Id<'user'>;
  members = new Set<Id<'user'>>();
  memories: Id<'memory'>[] = [];
  spaces: Id<'space'>[] = [];
  threads: Id<'thread'>[] = [];
  /** Links by which private things were shown, the latest last. */
  revealed: { memoryId: Id<'memory'>; spaceId: Id<'space'>; at: string }[] = [];
  replicas: FuzzReplica[] = [];
  /** Changes that can only have been refused and were not acknowledged yet, by author: each must reach its author. */
  readonly refused = new Map<string, Set<string>>();
  secret = '';
  /** What was done, for people. */
  trace: string[] = [];
  /** Older states of replicas to fall back to, and cookies for other users to try. */
  readonly restores: (() => void)[] = [];
  readonly stolen: unknown[] = [];
  /** A state of the database to fall back to, with what was refused by then. */
  kept: { setBack: () => Promise<void>; refused: Map<string, Set<string>> } | undefined;
  readonly #everSeen = new Map<string, Set<string>>();

  private constructor(host: FuzzHost, random: Random) {
    this.host = host;
    this.workspace = this.id(random, 'workspace');
    this.owner = this.id(random, 'user');
  }

  /** Five members of all positions and a stranger, with two replicas each. */
  static async create(host: FuzzHost, random: Random): Promise<FuzzWorld> {
    const fuzz = new FuzzWorld(host, random);
    const { world } = host;
    world.rewind();
    fuzz.secret = await cookieSecret(world.database.db);
    const names = ['olga', 'adam', 'mia', 'max', 'rita', 'eve'] as const;
    for (const name of names) {
      const id = name === 'olga' ? fuzz.owner : fuzz.id(random, 'user');
      fuzz.users.push(await world.user(name, id));
    }
    // A domain of their own, because other histories stand in the same database.
    await sql`update "user" set "domain" = ${fuzz.domain} where "id" = any(${fuzz.users}::text[])`.execute(
      fuzz.db,
    );
    await world.workspace(fuzz.owner, fuzz.workspace);
    fuzz.members.add(fuzz.owner);
    const positions = ['owner', 'admin', 'member', 'member', 'read-only'] as const;
    for (const [index, userId] of fuzz.users.slice(0, 5).entries()) {
      if (index > 0) await world.join(fuzz.workspace, userId, positions[index] ?? 'member');
      fuzz.members.add(userId);
    }
    for (const userId of fuzz.users) {
      for (const [n, realmId] of [fuzz.workspace, fuzz.workspace, userId].entries()) {
        fuzz.replicas.push(new FuzzReplica({ userId, realmId, id: `${userId.slice(4)}-${n}` }));
      }
    }
    return fuzz;
  }

  /** The domain of all addresses. */
  get domain(): string {
    return `${this.nonce}.example`;
  }

  get db() {
    return this.host.world.database.db;
  }

  /** The clock, moved on a little, so that times differ. */
  at(random: Random): string {
    this.host.world.tick(random.between(0, 3) * 500);
    return this.host.world.at();
  }

  id<K extends IdKind>(random: Random, kind: K): Id<K> {
    return randomId(random, kind, this.nonce);
  }

  /** A person, mostly a member; others may be guests. */
  someone(random: Random): Id<'user'> {
    return random.chance(0.9) ? random.pick([...this.members]) : random.pick(this.users);
  }

  get #mutations(): MutationHost {
    return { ...this.host.world.host, effects: this.host.effects ?? PRODUCT_EFFECTS };
  }

  /** Runs a person's writes; whatever more people read afterwards must have been this person's to show. */
  async #guarded(userId: Id<'user'>, write: () => Promise<void>): Promise<void> {
    const { oracle } = this.host;
    const position = await oracle.positionOf(userId, this.workspace);
    const before = await oracle.audiences(this.workspace);
    await write();
    checkWidening({ userId, position }, before, await oracle.audiences(this.workspace));
  }

  /** As REST would: a refusal is fine, any other failure is a finding. */
  async mutate<N extends MutatorName>(userId: Id<'user'>, name: N, args: MutatorArgs<N>): Promise<boolean> {
    try {
      const realmId = name.startsWith('notification.') ? userId : this.workspace;
      const call = { actor: asPerson(userId), realmId, name, args };
      await this.#guarded(userId, async () => void (await runMutation(this.#mutations, call)));
      await this.watch();
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** As a replica would; refused mutations are confirmed too, whatever their author. */
  async pushFrom(
    replica: FuzzReplica,
    name: string,
    args: unknown,
    { isRefused = false }: { isRefused?: boolean } = {},
  ): Promise<void> {
    await this.sendAgain(replica);
    if (!(await this.pushAll(replica, [{ name, args }])) || !isRefused) return;
    this.refusedOf(replica.userId).add(`${replica.clientId}/${replica.mutationId}`);
  }

  /** What the server lost when its database fell back; its author may have lost the right to it meanwhile. */
  async sendAgain(replica: FuzzReplica): Promise<void> {
    const lost = replica.takeLost();
    if (lost.length === 0 || !(await this.pushAll(replica, lost))) return;
    for (const { name, args } of lost)
      if (name === 'sync.ack_results') this.acknowledged(replica.userId, args as { ids: string[] });
  }

  acknowledged(userId: string, { ids }: { ids: readonly string[] }): void {
    for (const id of ids) this.refusedOf(userId).delete(id);
  }

  /** Several mutations in one request, which the server runs in one transaction; resolves to whether it knew the client. */
  async pushAll(replica: FuzzReplica, list: readonly Mutation[]): Promise<boolean> {
    const userId = this.users.find((id) => id === replica.userId);
    if (userId === undefined) throw new Error('unknown user');
    const from = { userId, realmId: replica.realmId, clientGroupId: replica.groupId, schemaVersion: '1' };
    const mutations = list.map((mutation, n) => {
      return { clientID: replica.clientId, id: replica.mutationId + 1 + n, timestamp: 0, ...mutation };
    });
    const { inboxOf } = this.host;
    const host = inboxOf === undefined ? this.#mutations : { ...this.#mutations, inboxOf };
    let isKnown = false;
    await this.#guarded(userId, async () => {
      const { refusal } = await push(host, from, mutations);
      isKnown = refusal === undefined;
      if (refusal === undefined) replica.sent(list);
      else replica.startAnew(refusal, list);
    });
    return isKnown;
  }

  /** What was refused to a person and not acknowledged. */
  refusedOf(userId: string): Set<string> {
    const refused = this.refused.get(userId) ?? new Set();
    this.refused.set(userId, refused);
    return refused;
  }

  /** In words, a refusal that is in none of its author's replicas. */
  lostRefusal(): string | undefined {
    for (const [userId, refused] of this.refused) {
      const replicas = this.replicas.filter((replica) => replica.userId === userId);
      for (const id of refused) {
        if (!replicas.some(({ rows }) => rows.has(`${RESULT_PREFIX}${id}`))) return `${id} of ${userId}`;
      }
    }
    return undefined;
  }

  /** What each user sees now counts as seen: a step may show a thing and hide it again. */
  async watch(): Promise<void> {
    if (!this.host.watchEverything) return;
    for (const userId of this.users) {
      await this.view(userId, this.workspace);
      await this.view(userId, userId);
    }
  }

  async view(userId: string, realmId: string): Promise<View> {
    const view = await this.host.oracle.view(userId, realmId);
    const seen = this.seen(userId);
    for (const key of view.keys()) seen.add(key);
    return view;
  }

  seen(userId: string): Set<string> {
    const seen = this.#everSeen.get(userId) ?? new Set();
    this.#everSeen.set(userId, seen);
    return seen;
  }
}

/** The permission table once more, for readers that a write has added. @throws Mismatch */
function checkWidening(
  { userId, position }: { userId: string; position: string | undefined },
  before: ReadonlyMap<string, Audience>,
  after: ReadonlyMap<string, Audience>,
): void {
  if (position === 'owner' || position === 'admin') return;
  for (const [id, { kind, ownerId, home, readers }] of after) {
    const known = before.get(id);
    const more = readers.filter((reader) => !known?.readers.includes(reader));
    const isOwn = (known?.ownerId ?? ownerId) === userId;
    // A guest who may write in a space adds to it, and nothing else.
    const isAdded =
      position === undefined &&
      known === undefined &&
      ownerId === userId &&
      home !== null &&
      before.get(home)?.readers.includes(userId) === true &&
      more.every((reader) => before.get(home)?.readers.includes(reader));
    // Opening a space also opens the memories that have their home there.
    const room = home === null ? undefined : after.get(home);
    const hadRead = home === null ? undefined : before.get(home)?.readers;
    const isRoom =
      room?.ownerId === userId &&
      more.every((reader) => room.readers.includes(reader) && !hadRead?.includes(reader));
    const mayShow = position === 'member' && (isOwn || known?.open === true || isRoom);
    if (more.length === 0 || mayShow || isAdded) continue;
    throw new Mismatch(`${position ?? 'a stranger'} ${userId} let ${more.join(', ')} read ${kind} ${id}`);
  }
}
