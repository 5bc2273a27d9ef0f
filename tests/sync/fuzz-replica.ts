/**
 * A replica reduced to the essentials of the protocol: a map, a cookie and last mutation ids. It applies responses like
 * Replicache and checks each against the oracle; it never reads the server's tables itself.
 */
import { z } from 'zod';
import { DigestSum } from '#shared/sync/digest.ts';
import { ACCESS_KEY, kindOfKey, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { syncState, type CheckState, type SyncRefusal } from '#shared/sync/protocol.ts';
import { checkReplica, type OnDifference } from '#server/sync/check.ts';
import { pull, renderPull, type PullAnswer } from '#server/sync/pull.ts';
import type { PullLimits, PullSteps } from '#server/sync/pull-steps.ts';
import type { Database } from '#server/db/database.ts';
import { canonical, type View } from './oracle.ts';

const answerSchema = z.object({
  cookie: z.unknown(),
  lastMutationIDChanges: z.record(z.string(), z.number()),
  patch: z.array(
    z.discriminatedUnion('op', [
      z.object({ op: z.literal('put'), key: z.string(), value: z.unknown() }),
      z.object({ op: z.literal('del'), key: z.string() }),
      z.object({ op: z.literal('clear') }),
    ]),
  ),
});
type Answer = z.infer<typeof answerSchema>;

/** What a pull needs beside the replica. */
export interface PullFrom {
  db: Database;
  secret: string;
  limits: PullLimits;
  steps: PullSteps;
  /** The truth at this moment. */
  view: View;
  /** Whatever the user could ever see. */
  everSeen: ReadonlySet<string>;
  /** `everSeen` is exact, so a deletion may name nothing else. */
  isWatched?: boolean;
}

/** A mutation as a device sends it. */
export interface Mutation {
  name: string;
  args: unknown;
}

/** A difference between a response and the oracle. */
export class Mismatch extends Error {}

function orderOf(cookie: unknown): string {
  return typeof cookie === 'object' && cookie !== null && 'order' in cookie ? String(cookie.order) : '';
}

function isControl(key: string): boolean {
  return key === SYNC_STATE_KEY || key === ACCESS_KEY;
}

/** One replica of one realm. */
export class FuzzReplica {
  readonly userId: string;
  readonly realmId: string;
  clientId: string;
  groupId: string;
  /** Mutations this client made, which the server has processed. */
  mutationId = 0;
  /** Keys that deletions have named. */
  readonly named: string[] = [];
  cookie: unknown = null;
  rows = new Map<string, string>();
  confirmed = 0;
  /** What this client sent, in the order of its mutation ids. */
  #log: Mutation[] = [];
  /** What the server lost of that, or did not take. */
  #lost: Mutation[] = [];
  #clients = 1;
  /** What the server knew when it fell back, until the replica has noticed. */
  #fallen: SyncRefusal | undefined;
  /** What all of them counted since `startCounting`. */
  static pulls = 0;
  static comparisons = 0;
  static sums = 0;
  static foreignDeletes = 0;

  static startCounting(): void {
    this.pulls = 0;
    this.comparisons = 0;
    this.sums = 0;
    this.foreignDeletes = 0;
  }

  constructor(who: { userId: string; realmId: string; id: string }) {
    this.userId = who.userId;
    this.realmId = who.realmId;
    this.clientId = `c-${who.id}`;
    this.groupId = `g-${who.id}`;
  }

  /** The state as it is now, to come back to while the client is the same: an older tab, or a restored profile. */
  snapshot(): () => void {
    const { cookie, rows, confirmed, clientId } = this;
    const kept = new Map(rows);
    return () => {
      if (this.clientId !== clientId) return;
      this.cookie = cookie;
      this.rows = new Map(kept);
      this.confirmed = confirmed;
    };
  }

  /** These mutations were processed. */
  sent(list: readonly Mutation[]): void {
    this.mutationId += list.length;
    this.#log.push(...list);
  }

  /** The database fell back, which a replica that has nothing cannot see any more: its device tells what to send. */
  fellBack(known: SyncRefusal): void {
    this.#fallen = known;
    if (this.cookie === null) this.lose();
  }

  /** The server refused the client: what it has not processed goes to the next one, and `unsent` behind that. */
  startAnew(refusal: SyncRefusal, unsent: readonly Mutation[] = []): void {
    if (refusal.error !== 'ClientStateNotFound') throw new Mismatch(`refused with ${refusal.error}`);
    const known = refusal.lastMutationIDs?.[this.clientId] ?? 0;
    this.#lost.push(...this.#log.splice(0).slice(known), ...unsent);
    this.#fallen = undefined;
    this.#clients += 1;
    this.clientId = `${this.clientId.split('~')[0]}~${this.#clients}`;
    this.groupId = `${this.groupId.split('~')[0]}~${this.#clients}`;
    this.mutationId = 0;
    this.confirmed = 0;
    this.lose();
  }

  /** What is to be sent again, once. */
  takeLost(): readonly Mutation[] {
    return this.#lost.splice(0);
  }

  /** The replica was lost; mutation ids live on with the client. */
  lose(): void {
    if (this.#fallen !== undefined) this.startAnew(this.#fallen);
    this.cookie = null;
    this.rows = new Map();
  }

  /** Pulls once with its own cookie, applies and checks; true when the replica is complete. */
  async pull(from: PullFrom): Promise<boolean> {
    FuzzReplica.pulls += 1;
    const before = orderOf(this.cookie);
    const answer = await this.ask(from, this.cookie);
    if ('error' in answer) {
      this.startAnew(answer);
      return false;
    }
    const same = canonical(answer.cookie) === canonical(this.cookie);
    const empty = answer.patch.length === 0 && Object.keys(answer.lastMutationIDChanges).length === 0;
    if (same && !empty) throw new Mismatch('an answer with content kept the cookie');
    if (!same && orderOf(answer.cookie) <= before) throw new Mismatch('the order of the cookie did not grow');
    this.#apply(answer, from);
    this.cookie = answer.cookie;
    return this.#check(answer, from);
  }

  /** A response to any cookie, without applying it. */
  async ask(from: PullFrom, cookie: unknown): Promise<Answer | SyncRefusal> {
    const request = {
      userId: this.userId,
      realmId: this.realmId,
      clientGroupId: this.groupId,
      cookie,
    };
    const onDrift = (what: string) => {
      throw new Mismatch(`drift: ${what}`);
    };
    const answer = await pull(from.db, request, { ...from, onDrift });
    return 'error' in answer ? answer : answerSchema.parse(JSON.parse(renderPull(checkSize(answer, from))));
  }

  /** Lets the server compare a complete replica, with the digest that an app would send. */
  async check({ db }: PullFrom): Promise<CheckState | undefined> {
    const state = syncState.safeParse(JSON.parse(this.rows.get(SYNC_STATE_KEY) ?? 'null'));
    if (!state.success) return undefined;
    const sum = new DigestSum();
    for (const [key, text] of this.rows) if (kindOfKey(key) !== undefined) sum.add(key, JSON.parse(text));
    const onDifference: OnDifference = (server, replica) => {
      throw new Mismatch(`the sum is ${JSON.stringify(replica)} instead of ${JSON.stringify(server)}`);
    };
    const answer = await checkReplica(db, this, { given: { v: state.data.v, ...sum.digest }, onDifference });
    if (answer === 'same') FuzzReplica.sums += 1;
    return answer;
  }

  #apply(answer: Answer, from: PullFrom): void {
    for (const operation of answer.patch) {
      if (operation.op === 'clear') this.rows.clear();
      else if (operation.op === 'del') {
        this.named.push(operation.key);
        if (!this.rows.has(operation.key) && !from.everSeen.has(operation.key)) {
          FuzzReplica.foreignDeletes += 1;
          if (from.isWatched) throw new Mismatch(`named ${operation.key}, which the user could never see`);
        }
        this.rows.delete(operation.key);
      } else this.rows.set(operation.key, canonical(operation.value));
    }
    checkPuts(answer, from.view);
  }

  #check(answer: Answer, from: PullFrom): boolean {
    const state = syncState.safeParse(JSON.parse(this.rows.get(SYNC_STATE_KEY) ?? 'null'));
    const closed = this.rows.has(ACCESS_KEY);
    const done = closed || (state.success && state.data.done);
    const difference = differenceOf(this.rows, from.view);
    if (done) FuzzReplica.comparisons += 1;
    if (done && difference !== undefined) throw new Mismatch(`complete, but ${difference}`);
    for (const [clientId, id] of Object.entries(answer.lastMutationIDChanges)) {
      if (clientId !== this.clientId) throw new Mismatch(`told about the mutations of ${clientId}`);
      if (difference !== undefined) throw new Mismatch(`mutation ${id} confirmed, but ${difference}`);
      this.confirmed = id;
    }
    if (done && this.confirmed !== this.mutationId) {
      // A device sends again what is not confirmed, and hears then that the server does not know it.
      if (this.#fallen !== undefined) {
        this.startAnew(this.#fallen);
        return false;
      }
      throw new Mismatch(`complete, but confirmed ${this.confirmed} of ${this.mutationId} mutations`);
    }
    return done;
  }
}

/** Every sent value must be the current one, and visible to the user: also in incomplete responses. */
export function checkPuts(answer: Answer, view: View): void {
  for (const operation of answer.patch) {
    if (operation.op !== 'put' || isControl(operation.key)) continue;
    const truth = view.get(operation.key);
    if (truth === undefined) throw new Mismatch(`sent ${operation.key}, which the user may not see`);
    if (truth !== canonical(operation.value)) throw new Mismatch(`sent a wrong value of ${operation.key}`);
  }
}

function checkSize(answer: PullAnswer, { limits }: PullFrom): PullAnswer {
  const bytes = answer.patch.reduce((sum, text) => sum + text.length, 0);
  const largest = Math.max(0, ...answer.patch.map((text) => text.length));
  // Whole versions of changes, one row too large for any page, and dels may come on top.
  if (answer.patch.length > 20_000 || bytes > 50 * (limits.deltaBytes + limits.pageBytes + largest)) {
    throw new Mismatch(`an answer of ${answer.patch.length} operations and ${bytes} bytes`);
  }
  return answer;
}

/** In words, the first difference between a replica and the truth. */
export function differenceOf(rows: ReadonlyMap<string, string>, view: View): string | undefined {
  for (const [key, value] of view) {
    const held = rows.get(key);
    if (held === undefined) return `${key} is missing`;
    if (held !== value) return `${key} is ${held} instead of ${value}`;
  }
  for (const key of rows.keys()) if (!isControl(key) && !view.has(key)) return `${key} should not be there`;
  return undefined;
}
