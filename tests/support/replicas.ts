/**
 * Real Replicache instances in this process, wired through the app's own puller, pusher and mutators to real servers,
 * with a network between them that a test can break. They store nothing on disk.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Replicache, type KVStoreProvider, type MutatorDefs, type ReadonlyJSONValue } from 'replicache';
import type { MutatorArgs, MutatorName } from '#shared/mutators.ts';
import type { Id } from '#shared/ids.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { idOfKey, kindOfKey, RESULT_PREFIX, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { mutationResult, syncState, type MutationResult, type SyncState } from '#shared/sync/protocol.ts';
import { replicaMutators } from '#client/replica/worker/replica-mutators.ts';
import { createPuller, createPusher } from '#client/replica/worker/sync-server.ts';

/** What the network does to one replica; probabilities from 0 to 1. */
export interface Weather {
  offline: boolean;
  dropRequest: number;
  dropResponse: number;
  duplicate: number;
  truncate: number;
  serverError: number;
  unauthorized: number;
  delayMs: number;
}

/** A network that works. */
export const FAIR: Weather = {
  offline: false,
  dropRequest: 0,
  dropResponse: 0,
  duplicate: 0,
  truncate: 0,
  serverError: 0,
  unauthorized: 0,
  delayMs: 0,
};

/** The person who opens a replica, and the server. */
export interface ReplicaOptions {
  /** Base addresses of the servers; each request goes to one of them. */
  servers: readonly string[];
  token: string;
  userId: Id<'user'>;
  realmId: string;
  random?: () => number;
  schemaVersion?: string;
  /** Records the text of every response. */
  keepsAnswers?: boolean;
  /** Where it is stored when not in memory; tabs of one device share the name. */
  device?: { name: string; kvStore: KVStoreProvider };
  /** Mutators that only this version of the app has. */
  moreMutators?: MutatorDefs;
}

let opened = 0;
const SETTLE_PAUSE_MS = 15;

/** Names a mutation that was refused on the spot, before anything was stored. */
export class RefusedHere extends Error {}

/** One tab of one person. */
export class TestReplica {
  readonly replicache: Replicache<MutatorDefs>;
  readonly weather: Weather = { ...FAIR };
  readonly userId: Id<'user'>;
  /** Why mutators threw while they were replayed. */
  readonly replayFailures: string[] = [];
  /** States of sync in the order they became visible. */
  readonly states: SyncState[] = [];
  isForgotten = false;
  needsUpdate = false;
  /** Requests that left this replica, by path. */
  readonly sent: string[] = [];
  /** Texts of all requests and responses, when they are recorded. */
  readonly requests: string[] = [];
  readonly answers: string[] = [];
  readonly #keys = new Map<string, string>();
  readonly #end = new AbortController();
  readonly #options: ReplicaOptions;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.userId = options.userId;
    opened += 1;
    const server = {
      realmId: options.realmId,
      apiBase: '',
      token: () => options.token,
      fetch: this.#fetch(),
      signal: this.#end.signal,
      hooks: {
        onBegin() {},
        onEnd() {},
        onResults() {},
        async onOversize() {},
      },
    };
    this.replicache = new Replicache({
      ...(options.device ?? {
        name: `test-${opened}-${options.userId}`,
        kvStore: 'mem',
      }),
      logLevel: 'error',
      logSinks: [],
      schemaVersion: options.schemaVersion ?? SYNC.schemaVersion,
      pullInterval: null,
      pushDelay: 0,
      requestOptions: {
        minDelayMs: 5,
        maxDelayMs: 100,
      },
      puller: createPuller(server),
      pusher: createPusher(server),
      mutators: {
        ...replicaMutators({
          userId: options.userId,
          realmId: options.realmId,
          keys: this.#keys,
          pendingCount: () => 0,
          onReplayFailure: (name, error) => void this.replayFailures.push(`${name}: ${String(error)}`),
        }),
        ...options.moreMutators,
      },
    });
    this.replicache.onClientStateNotFound = () => {
      this.isForgotten = true;
    };
    this.replicache.onUpdateNeeded = () => {
      this.needsUpdate = true;
    };
    this.replicache.experimentalWatch(
      (diff) => {
        for (const change of diff) {
          const kind = kindOfKey(change.key);
          if (kind !== undefined) this.#remember(idOfKey(kind, change.key), change.key, change.op !== 'del');
          if (change.key === SYNC_STATE_KEY && change.op !== 'del') {
            this.states.push(syncState.parse(change.newValue));
          }
        }
      },
      { prefix: '', initialValuesInFirstDiff: true },
    );
  }

  #remember(id: string, key: string, isThere: boolean): void {
    if (isThere) this.#keys.set(id, key);
    else this.#keys.delete(id);
  }

  /** A fetch that meets the weather. */
  #fetch(): typeof fetch {
    const random = this.#options.random ?? Math.random;
    return async (input, init) => {
      const { weather } = this;
      const happens = (probability: number) => probability > 0 && random() < probability;
      const path = typeof input === 'string' ? input : '';
      const base = this.#options.servers[Math.floor(random() * this.#options.servers.length)] ?? '';
      this.sent.push(path);
      if (this.#options.keepsAnswers && typeof init?.body === 'string') this.requests.push(init.body);
      if (weather.delayMs > 0) await pause(random() * weather.delayMs);
      if (weather.offline || happens(weather.dropRequest)) throw new TypeError('fetch failed');
      if (happens(weather.serverError)) return new Response('down', { status: 503 });
      if (happens(weather.unauthorized)) return new Response('who', { status: 401 });
      if (happens(weather.duplicate)) await (await fetch(base + path, init)).text();
      const response = await fetch(base + path, init);
      if (this.#options.keepsAnswers) this.answers.push(await response.clone().text());
      if (happens(weather.dropResponse)) {
        await response.text();
        throw new TypeError('terminated');
      }
      if (happens(weather.truncate)) {
        const text = await response.text();
        return new Response(text.slice(0, text.length / 2), { status: response.status });
      }
      return response;
    };
  }

  /** Changes the replica at once. @throws Error with the reason when the mutator refuses here */
  async mutate<N extends MutatorName>(name: N, args: MutatorArgs<N>): Promise<void> {
    const mutator = this.replicache.mutate[name];
    if (mutator === undefined) throw new Error(`no mutator ${name}`);
    await mutator(asJson(args));
  }

  offline(): void {
    this.weather.offline = true;
  }

  online(): void {
    Object.assign(this.weather, FAIR);
  }

  /** All rows of the replica, by default without control rows and results. */
  async rows(prefix = ''): Promise<Map<string, ReadonlyJSONValue>> {
    const entries = await this.replicache.query((tx) => tx.scan({ prefix }).entries().toArray());
    return new Map(entries.filter(([key]) => prefix !== '' || kindOfKey(key) !== undefined));
  }

  async state(): Promise<SyncState | undefined> {
    const value = await this.replicache.query((tx) => tx.get(SYNC_STATE_KEY));
    return value === undefined ? undefined : syncState.parse(value);
  }

  async results(): Promise<MutationResult[]> {
    return [...(await this.rows(RESULT_PREFIX)).values()].map((value) => mutationResult.parse(value));
  }

  async pending(): Promise<number> {
    return (await this.replicache.experimentalPendingMutations()).length;
  }

  /** Pulls once, now; a failing network is no failure of the caller. */
  async pull(): Promise<void> {
    await this.replicache.pull({ now: true }).catch(ignoreNetwork);
  }

  async push(): Promise<void> {
    await this.replicache.push({ now: true }).catch(ignoreNetwork);
  }

  /** Pushes and pulls until nothing is pending and the replica is complete. @throws Error after the limit */
  async settle(limitMs = 60_000): Promise<void> {
    const until = performance.now() + limitMs;
    for (;;) {
      await this.push();
      await this.pull();
      const [pending, state] = [await this.pending(), await this.state()];
      const isClosed = (await this.rows('0/ctl/access')).size > 0;
      if (pending === 0 && (state?.done || isClosed)) return;
      if (performance.now() > until) {
        throw new Error(
          `not settled: ${pending} pending, ${JSON.stringify(state)}, ${this.replayFailures[0]}`,
        );
      }
      await pause(SETTLE_PAUSE_MS);
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.replicache.close();
  }
}

/** Arguments of mutators are JSON by their schemas. */
function asJson(args: unknown): ReadonlyJSONValue {
  const json: ReadonlyJSONValue = JSON.parse(JSON.stringify(args));
  return json;
}

function ignoreNetwork(): void {
  // The next round tries again; settle reports what never succeeds.
}

/** Opens replicas of people in a realm. */
export function openReplicas(options: readonly ReplicaOptions[]): TestReplica[] {
  return options.map((one) => new TestReplica(one));
}
