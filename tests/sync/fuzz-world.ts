/**
 * The people, things and replicas of one random history, and the ways to change them that actions share. Every write
 * goes through the product; mutations are pushed by a replica's client or run as REST would.
 */
import { AppError } from '#shared/errors.ts';
import { newId, type Id, type IdKind } from '#shared/ids.ts';
import type { MutatorArgs, MutatorName } from '#shared/mutators.ts';
import { push } from '#server/sync/push.ts';
import { cookieSecret } from '#server/sync/secret.ts';
import type { PullSteps } from '#server/sync/pull-steps.ts';
import type { SyncWorld } from '#tests/support/sync-world.ts';
import { FuzzReplica } from './fuzz-replica.ts';
import { Oracle, type View } from './oracle.ts';
import { randomId, type Random } from './random.ts';

/** What all histories of one test share. */
export interface FuzzHost {
  world: SyncWorld;
  oracle: Oracle;
  steps: PullSteps;
  /** Ask the oracle after every write, to know exactly what each user could ever see. */
  watchEverything: boolean;
}

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
  secret = '';
  /** What was done, for people. */
  trace: string[] = [];
  /** Older states of replicas to fall back to, and cookies that somebody may steal. */
  readonly restores: (() => void)[] = [];
  readonly stolen: unknown[] = [];
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

  /** A person, mostly a member. */
  someone(random: Random): Id<'user'> {
    return random.chance(0.9) ? random.pick([...this.members]) : random.pick(this.users);
  }

  /** As REST would: a refusal is fine, any other failure is a finding. */
  async mutate<N extends MutatorName>(userId: Id<'user'>, name: N, args: MutatorArgs<N>): Promise<boolean> {
    try {
      const realmId = name.startsWith('notification.') ? userId : this.workspace;
      await this.host.world.mutate(userId, realmId, name, args);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** As a replica would; refused mutations are confirmed too. */
  async pushFrom(replica: FuzzReplica, name: string, args: unknown): Promise<void> {
    const userId = this.users.find((id) => id === replica.userId);
    if (userId === undefined) throw new Error('unknown user');
    const from = { userId, realmId: replica.realmId, clientGroupId: replica.groupId, schemaVersion: '1' };
    const mutation = { clientID: replica.clientId, id: replica.mutationId + 1, name, args, timestamp: 0 };
    try {
      const { refusal } = await push(this.host.world.host, from, [mutation]);
      if (refusal === undefined) replica.mutationId += 1;
    } catch (error) {
      // A stranger who never pushed before is turned away.
      if (!(error instanceof AppError) || replica.mutationId > 0) throw error;
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
