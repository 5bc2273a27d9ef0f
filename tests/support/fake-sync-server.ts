// A sync server in memory that speaks the push and pull protocol for one user: versions, pages, LMIDs withheld
// until done, results of refused mutations. It runs the shared mutators, so that replicas see what a server does.
import type { Tx } from '#shared/define/mutator.ts';
import { oneByOne, type ManyRows } from '#shared/define/one-by-one.ts';
import type { Head, SyncedKind } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { entityIdOf, KINDS } from '#shared/kinds.ts';
import type { Id } from '#shared/ids.ts';
import { findMutator } from '#shared/mutators.ts';
import { memoryHeadOf } from '#shared/memories/body.ts';
import { ACCESS_KEY, idOfKey, kindOfKey, keyOf, RESULT_PREFIX, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { byPlace } from '#shared/threads/message-order.ts';
import { DigestSum } from '#shared/sync/digest.ts';
import {
  checkRequest,
  pullRequest,
  pushRequest,
  type PatchOperation,
  type PushedMutation,
} from '#shared/sync/protocol.ts';

interface Entry {
  value: unknown;
  version: number;
}

interface Client {
  group: string;
  last: number;
  version: number;
}

interface Cookie {
  order: string;
  v: number;
  k: string | null;
  lv: number;
}

function isCookie(cookie: unknown): cookie is Cookie {
  return typeof cookie === 'object' && cookie !== null && 'order' in cookie && 'k' in cookie;
}

function isRow<K extends SyncedKind>(_kind: K, value: unknown): value is Head<K> {
  return typeof value === 'object' && value !== null;
}

/** The address that a call of fetch was made to. */
export function addressIn(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}

/** What tests may do to the network and the server. */
export interface Weather {
  offline: boolean;
  /** Responds to every request with this status. */
  status: number | undefined;
  /** The Retry-After of such a response, in seconds. */
  retryAfter: string | undefined;
  /** Applies requests but drops the responses. */
  loseAnswers: boolean;
  /** Takes pushes with 200 without applying anything. */
  swallowPushes: boolean;
  refusal: 'ClientStateNotFound' | 'VersionNotSupported' | undefined;
  maxBodyBytes: number;
  delayMs: number;
  /** Requests are answered once it is fulfilled. */
  held: Promise<void> | undefined;
}

/** One realm on the fake server. */
export class FakeSyncServer {
  readonly weather: Weather = {
    offline: false,
    status: undefined,
    retryAfter: undefined,
    loseAnswers: false,
    swallowPushes: false,
    refusal: undefined,
    maxBodyBytes: Number.POSITIVE_INFINITY,
    delayMs: 0,
    held: undefined,
  };
  readonly rows = new Map<string, Entry>();
  /** Keys of rows by kind and id, so that a workspace of thousands of rows is not searched for each of them. */
  readonly #keysOf = new Map<string, Set<string>>();
  readonly requests: { path: string; mutations: number }[] = [];
  /** Every mutation applied, in order: `<clientID>/<id>`. */
  readonly applied: string[] = [];
  /** What was pushed, refused or not. */
  readonly pushed: Pick<PushedMutation, 'name' | 'args'>[] = [];
  /** Results of the comparisons with replicas. */
  readonly checked: ('same' | 'different')[] = [];
  readonly #clients = new Map<string, Client>();
  readonly #userId: Id<'user'>;
  readonly realmId: string;
  readonly #firstPage: number;
  readonly #page: number;
  #pulls = 0;
  #keys: readonly string[] = [];
  #version = 0;
  readonly #listeners = new Set<(realmId: string, version: number) => void>();
  revoked = false;
  running = 0;
  mostRunning = 0;

  constructor(options: { userId: Id<'user'>; realmId: string; firstPage?: number; page?: number }) {
    this.#userId = options.userId;
    this.realmId = options.realmId;
    this.#firstPage = options.firstPage ?? 300;
    this.#page = options.page ?? 2_000;
  }

  get version(): number {
    return this.#version;
  }

  set version(version: number) {
    this.#version = version;
    // After the change that belongs to the version, as a commit would.
    setTimeout(() => this.#listeners.forEach((listener) => listener(this.realmId, version)), 0);
  }

  /** Calls the listener with every new version, as streams of pokes do. */
  onVersion(listener: (realmId: string, version: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(key: string, entry: Entry): void {
    this.rows.set(key, entry);
    const kind = kindOfKey(key);
    if (kind === undefined) return;
    const name = `${kind} ${idOfKey(kind, key)}`;
    const known = this.#keysOf.get(name);
    if (known) known.add(key);
    else this.#keysOf.set(name, new Set([key]));
  }

  /** Keys under which there is or was a row of this id. */
  #keysFor(kind: SyncedKind, id: string): Iterable<string> {
    return this.#keysOf.get(`${kind} ${id}`) ?? [];
  }

  /** Puts rows in as if other people had written them. */
  put<K extends SyncedKind>(kind: K, ...rows: Head<K>[]): void {
    this.version += 1;
    for (const row of rows) this.#set(keyOf(kind, row), { value: row, version: this.version });
  }

  /** Changes a row without a new version, as a bug in the server would: replicas drift from it. */
  changeUnseen<K extends SyncedKind>(kind: K, row: Head<K>): void {
    this.#set(keyOf(kind, row), { value: row, version: 0 });
  }

  /** Removes a row, as a deletion by another person would. */
  remove(kind: SyncedKind, id: string): void {
    this.version += 1;
    for (const key of this.#keysFor(kind, id)) this.#set(key, { value: null, version: this.version });
  }

  row<K extends SyncedKind>(kind: K, id: string): Head<K> | undefined {
    for (const key of this.#keysFor(kind, id)) {
      const value = this.rows.get(key)?.value;
      if (isRow(kind, value)) return value;
    }
    return undefined;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const path = addressIn(input);
    const text = typeof init?.body === 'string' ? init.body : '';
    if (this.weather.offline) throw new TypeError('Failed to fetch');
    if (!path.includes(`/v1/sync/${this.realmId}/`)) {
      return this.#refusal() ?? new Response('', { status: 404 });
    }
    this.running += path.endsWith('pull') ? 1 : 0;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      if (this.weather.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.weather.delayMs));
      await this.weather.held;
      init?.signal?.throwIfAborted();
      const refusal = this.#refusal();
      if (refusal) return refusal;
      if (text.length > this.weather.maxBodyBytes) return new Response('', { status: 413 });
      const body: unknown = JSON.parse(text);
      const answer = await this.#answerTo(path, body);
      if (this.weather.loseAnswers) throw new TypeError('Failed to fetch');
      return Response.json(answer);
    } finally {
      this.running -= path.endsWith('pull') ? 1 : 0;
    }
  };

  #answerTo(path: string, body: unknown): unknown {
    if (path.endsWith('push')) return this.#push(body);
    return path.endsWith('check') ? this.#check(body) : this.#pull(body);
  }

  #check(body: unknown): unknown {
    const { v, count, sum } = checkRequest.parse(body);
    if (v !== this.version) return { state: 'unknown' };
    const own = new DigestSum();
    for (const [key, { value }] of this.rows) {
      if (value !== null && kindOfKey(key) !== undefined) own.add(key, this.#headOf(value));
    }
    const isSame = own.digest.count === count && own.digest.sum === sum;
    const state = isSame ? 'same' : 'different';
    this.checked.push(state);
    return { state };
  }

  #refusal(): Response | undefined {
    const { status, retryAfter } = this.weather;
    if (status === undefined) return undefined;
    return new Response('', {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
  }

  async #push(body: unknown): Promise<unknown> {
    const request = pushRequest.parse(body);
    this.requests.push({ path: 'push', mutations: request.mutations.length });
    if (this.weather.refusal) return { error: this.weather.refusal };
    if (this.weather.swallowPushes) return {};
    for (const mutation of request.mutations) {
      const client = this.#clients.get(mutation.clientID) ?? {
        group: request.clientGroupID,
        last: 0,
        version: 0,
      };
      if (mutation.id <= client.last) continue;
      if (mutation.id > client.last + 1) return { error: 'ClientStateNotFound' };
      const isDone = mutation.replayOf?.some(
        ({ clientID, id }) => id <= (this.#clients.get(clientID)?.last ?? 0),
      );
      this.pushed.push(mutation);
      if (isDone !== true) await this.#apply(mutation);
      this.version += 1;
      this.#clients.set(mutation.clientID, { ...client, last: mutation.id, version: this.version });
      this.applied.push(`${mutation.clientID}/${mutation.id}`);
    }
    return {};
  }

  #refuse({ clientID, id, name }: PushedMutation, { args, error }: { args: unknown; error: AppError }): void {
    const result = {
      clientID,
      mutationID: id,
      name,
      args,
      code: error.code,
      message: error.detail,
      created: new Date().toISOString(),
    };
    this.#set(`${RESULT_PREFIX}${clientID}/${id}`, { value: result, version: this.version + 1 });
  }

  async #apply(mutation: PushedMutation): Promise<void> {
    const { name, args } = mutation;
    const mutator = findMutator(name);
    const writes = new Map<string, unknown>();
    try {
      if (!mutator) throw new AppError('bad_request', `Unknown mutation ${name}`);
      const parsed = mutator.args.safeParse(args);
      if (!parsed.success) throw new AppError('invalid', 'Invalid input');
      const member = this.row('workspace_member', this.#userId);
      const actor = { userId: this.#userId, position: member?.position ?? ('guest' as const) };
      const context = {
        actor,
        realmId: this.realmId,
        at: (time: string) => time,
        arrival: (time: string) => time,
      };
      const refused = await mutator.run(this.#tx(writes), parsed.data, context);
      for (const [key, value] of writes) this.#set(key, { value, version: this.version + 1 });
      if (refused) this.#refuse(mutation, refused);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#refuse(mutation, { args, error });
    }
  }

  #tx(writes: Map<string, unknown>): Tx {
    const read = (key: string) => (writes.has(key) ? writes.get(key) : this.rows.get(key)?.value);
    const keyFor = (kind: SyncedKind, id: string) =>
      [...writes.keys(), ...this.#keysFor(kind, id)].find(
        (key) => key.startsWith(KINDS[kind].prefix) && idOfKey(kind, key) === id && read(key) !== null,
      );
    const tx: Omit<Tx, keyof ManyRows> = {
      side: 'server',
      async get(kind, id) {
        const key = keyFor(kind, id);
        const value = key === undefined ? undefined : read(key);
        return isRow(kind, value) ? value : undefined;
      },
      async insert(kind, row) {
        const found = await tx.get(kind, entityIdOf(kind, row));
        if (found === undefined) writes.set(keyOf(kind, row), row);
        return found === undefined;
      },
      async update(kind, id, fields) {
        const row = await tx.get(kind, id);
        if (row) writes.set(keyOf(kind, row), { ...row, ...fields });
      },
      ownGrants: async () => {
        const { prefix } = KINDS.grant;
        const keys = new Set([...this.rows.keys(), ...writes.keys()]);
        return [...keys]
          .filter((key) => key.startsWith(prefix))
          .map(read)
          .filter((row) => isRow('grant', row));
      },
      async remove(kind, id) {
        const key = keyFor(kind, id);
        if (key !== undefined) writes.set(key, null);
      },
      messagesUpTo: async (last) =>
        [...new Set([...this.rows.keys(), ...writes.keys()])]
          .filter((key) => key.startsWith(`${KINDS.message.prefix}${last.threadId}/`))
          .map(read)
          .filter((row) => isRow('message', row))
          .filter((row) => row.versionOf === null && byPlace(row, last) <= 0)
          .sort(byPlace),
      async openThread() {},
      async acknowledge(resultId) {
        writes.set(`${RESULT_PREFIX}${resultId}`, null);
      },
    };
    return { ...tx, ...oneByOne(tx) };
  }

  #pull(body: unknown): unknown {
    const request = pullRequest.parse(body);
    this.requests.push({ path: 'pull', mutations: 0 });
    if (this.weather.refusal) return { error: this.weather.refusal };
    const before: Cookie = isCookie(request.cookie)
      ? request.cookie
      : { order: '', v: this.version, k: '', lv: -1 };
    this.#pulls += 1;
    const order = `${String(this.version).padStart(12, '0')}.${String(this.#pulls).padStart(9, '0')}`;
    if (this.revoked) {
      const patch: PatchOperation[] = [
        { op: 'clear' },
        { op: 'put', key: ACCESS_KEY, value: { revoked: true } },
      ];
      return {
        cookie: { order, v: this.version, k: null, lv: this.version },
        lastMutationIDChanges: {},
        patch,
      };
    }
    const { patch, k } = this.#pageAfter(before, isCookie(request.cookie));
    if (request.cookie && !isCookie(request.cookie)) patch.unshift({ op: 'clear' });
    const done = k === null;
    const changed = [...this.#clients].filter(
      ([, client]) => client.group === request.clientGroupID && client.version > before.lv,
    );
    const lastMutationIDChanges = done
      ? Object.fromEntries(changed.map(([id, client]) => [id, client.last]))
      : {};
    if (isCookie(request.cookie) && done && before.k === null && patch.length === 0 && changed.length === 0) {
      return { cookie: request.cookie, lastMutationIDChanges: {}, patch: [] };
    }
    const total = this.rows.size;
    const loaded = done ? total : this.#sortedKeys().indexOf(k) + 1;
    patch.push({ op: 'put', key: SYNC_STATE_KEY, value: { v: this.version, done, loaded, total } });
    const cookie: Cookie = { order, v: this.version, k, lv: done ? this.version : before.lv };
    return { cookie, lastMutationIDChanges, patch };
  }

  #pageAfter(before: Cookie, isNext: boolean): { patch: PatchOperation[]; k: string | null } {
    const patch: PatchOperation[] = [];
    const put = (key: string, { value }: Entry) =>
      patch.push(value === null ? { op: 'del', key } : { op: 'put', key, value: this.#headOf(value) });
    for (const [key, entry] of before.v === this.version ? [] : this.rows) {
      const wasSent = before.k === null || key <= before.k;
      if (isNext && wasSent && entry.version > before.v) put(key, entry);
    }
    if (before.k === null) return { patch, k: null };
    const from = before.k;
    const keys = this.#sortedKeys();
    const begin = from === '' ? 0 : keys.findIndex((key) => key > from);
    const rest = begin < 0 ? [] : keys.slice(begin);
    const page = rest.slice(0, isNext ? this.#page : this.#firstPage);
    for (const key of page) {
      const entry = this.rows.get(key);
      if (entry && entry.value !== null) put(key, entry);
    }
    return { patch, k: page.length === rest.length ? null : (page.at(-1) ?? null) };
  }

  /** Sorted once per number of rows, so that benchmarks do not measure this server. */
  #sortedKeys(): readonly string[] {
    if (this.#keys.length !== this.rows.size) this.#keys = [...this.rows.keys()].sort();
    return this.#keys;
  }

  #headOf(value: unknown): unknown {
    return isRow('memory', value) && 'bodyBytes' in value ? memoryHeadOf(value) : value;
  }
}
