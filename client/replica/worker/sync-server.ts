// The two calls to the sync server in the form that Replicache expects: a pull with a timeout and no concurrency, and a
// push that sends everything in batches before it reports success. Knows HTTP; must not know rows.
import type { Puller, PullerResult, Pusher, PusherResult, PushRequest } from 'replicache';
import { SYNC } from '#shared/sync/limits.ts';
import {
  checkAnswer,
  lastMutationIds,
  mutationResult,
  realmPosition,
  syncState,
  type CheckRequest,
  type CheckState,
  type MutationResult,
  type RealmPosition,
} from '#shared/sync/protocol.ts';
import { SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { isObject } from '#shared/is-object.ts';
import type { DeviceReport } from '#client/replica/worker/device-report.ts';
import type { Backoff } from '#client/replica/worker/backoff.ts';
import { unwrapReplay } from '#client/replica/worker/replayed.ts';
import { jsonBytes } from '#client/replica/worker/replica-mutators.ts';

type Mutation = PushRequest['mutations'][number];

export interface SyncServer {
  realmId: string;
  apiBase: string;
  token(): string;
  fetch: typeof fetch;
  /** Ends every request under way. */
  signal: AbortSignal;
  /** Undefined means that requests are sent as fast as Replicache makes them. */
  backoff?: Backoff;
  hooks: SyncHooks;
  /** Facts about this device that are sent with a pull. */
  report?(): Promise<DeviceReport>;
  /**
   * The client group of this replica: Replicache also pulls for groups that earlier pages left behind, which does not show the
   * progress of this one. Without it every pull counts as its own.
   */
  ownGroup?(): Promise<string>;
  /** Whether a pull must request everything, and the callback for its response. */
  anew?(): { wantsAll: boolean; startedOver(): void };
}

export interface SyncHooks {
  /** Resolves when the rows of the pull before have found their place, so that further ones do not pile up. */
  ready?(): Promise<void>;
  onBegin(direction: 'push' | 'pull'): void;
  /** Status of the response; 0 when there was none. `more` = the server has further pages. */
  onEnd(direction: 'push' | 'pull', outcome: { status: number; more: boolean }): void;
  /** A pull of this replica itself, beside `onBegin`. */
  onOwnPull?(): void;
  /** Its end, after `onEnd`; `position` is how far the response brings the replica, where it says so. */
  onOwnPulled?(isOk: boolean, position: RealmPosition | undefined): void;
  /** The server does not know this replica any more, and says how far it is with its clients, unless it is an older one. */
  onForgotten?(lastIds: Readonly<Record<string, number>>): void;
  /** Refusals in the response of the push itself. */
  onResults(results: readonly MutationResult[]): void;
  /** The server refuses this mutation whatever the size of the request; it is abandoned once this promise has settled. */
  onOversize(mutation: Extract<Mutation, { clientID: string }>): Promise<unknown>;
}

interface Answer {
  status: number;
  body: unknown;
  error: string;
}

/** Removes the envelope where the server uses one. */
function unwrap(body: unknown): unknown {
  return isObject(body) && body['success'] === true && 'result' in body ? body['result'] : body;
}

async function call(
  server: SyncServer,
  request: { path: string; body: unknown; timeoutMs: number },
): Promise<Answer> {
  const response = await server.fetch(`${server.apiBase}/v1/sync/${server.realmId}/${request.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token()}` },
    body: JSON.stringify(request.body),
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.any([server.signal, AbortSignal.timeout(request.timeoutMs)]),
  });
  server.backoff?.record({ status: response.status, retryAfter: response.headers.get('retry-after') });
  if (response.status !== 200) {
    const error = await response.text();
    return { status: response.status, body: undefined, error: error.slice(0, 300) || response.statusText };
  }
  const body: unknown = await response.json();
  return { status: 200, body: unwrap(body), error: '' };
}

function isPullResponse(body: unknown): body is NonNullable<PullerResult['response']> {
  return isObject(body) && ('error' in body || ('cookie' in body && Array.isArray(body['patch'])));
}

function isPushRefusal(body: unknown): body is NonNullable<PusherResult['response']> {
  return (
    isObject(body) && (body['error'] === 'ClientStateNotFound' || body['error'] === 'VersionNotSupported')
  );
}

function heedForgotten({ hooks }: SyncServer, body: unknown): void {
  if (!isObject(body) || body['error'] !== 'ClientStateNotFound') return;
  const lastIds = lastMutationIds.safeParse(body['lastMutationIDs']).data;
  if (lastIds) hooks.onForgotten?.(lastIds);
}

function hasMore(body: unknown): boolean {
  if (!isObject(body) || !Array.isArray(body['patch'])) return false;
  const state: unknown = body['patch'].find(
    (operation: unknown) =>
      isObject(operation) && operation['op'] === 'put' && operation['key'] === SYNC_STATE_KEY,
  );
  return isObject(state) && syncState.safeParse(state['value']).data?.done === false;
}

/** How far the response to a pull brings the replica; undefined when it does not say. */
function positionIn(body: unknown): RealmPosition | undefined {
  const cookie: unknown = isObject(body) ? body['cookie'] : undefined;
  return isObject(cookie) ? realmPosition.safeParse({ v: cookie['n'], e: cookie['e'] }).data : undefined;
}

/**
 * A cookie without a position, for which the server sends everything; its order is needed for the response to be
 * accepted.
 */
function withoutPosition(cookie: unknown): unknown {
  return isObject(cookie) && 'order' in cookie ? { order: cookie['order'] } : cookie;
}

function clientGroupIn(request: unknown): unknown {
  return isObject(request) ? request['clientGroupID'] : undefined;
}

/** Whether the request is of this replica, not of a group that an earlier page left behind. */
async function isOwn({ ownGroup }: SyncServer, request: unknown): Promise<boolean> {
  return !ownGroup || clientGroupIn(request) === (await ownGroup());
}

/** A puller that never runs twice at once. */
export function createPuller(server: SyncServer): Puller {
  let previous: Promise<unknown> = Promise.resolve();
  const pull: Puller = async (request) => {
    let outcome = { status: 0, more: false };
    let position: RealmPosition | undefined;
    const isOfThis = await isOwn(server, request);
    await server.backoff?.wait(server.signal);
    server.hooks.onBegin('pull');
    if (isOfThis) server.hooks.onOwnPull?.();
    try {
      const wantsAll = server.anew?.().wantsAll === true;
      const { status, body, error } = await call(server, {
        path: 'pull',
        body: {
          ...request,
          ...(wantsAll ? { cookie: withoutPosition(request.cookie) } : {}),
          ...(await server.report?.()),
        },
        timeoutMs: SYNC.pullTimeoutMs,
      });
      outcome = { status, more: hasMore(body) };
      position = positionIn(body);
      const httpRequestInfo = { httpStatusCode: status, errorMessage: error };
      if (status !== 200) return { httpRequestInfo };
      if (!isPullResponse(body)) throw new Error('The server answered a pull with something else');
      // Version 0 of the protocol cannot result from a request of version 1.
      if ('lastMutationID' in body) throw new Error('The server answered a pull of another version');
      if (isOfThis) heedForgotten(server, body);
      await server.hooks.ready?.();
      if (wantsAll) server.anew?.().startedOver();
      return { response: body, httpRequestInfo };
    } finally {
      server.hooks.onEnd('pull', outcome);
      if (isOfThis) server.hooks.onOwnPulled?.(outcome.status === 200, position);
    }
  };
  return (request, requestId) => {
    const mine = previous.then(() => pull(request, requestId));
    previous = mine.catch(() => {
      // The caller sees the failure; here only the order matters.
    });
    return mine;
  };
}

/** The server's comparison of a replica's digest; undefined when there is none. */
export async function askForCheck(
  server: SyncServer,
  request: CheckRequest,
): Promise<CheckState | undefined> {
  await server.backoff?.wait(server.signal);
  const { body } = await call(server, { path: 'check', body: request, timeoutMs: SYNC.pullTimeoutMs });
  return checkAnswer.safeParse(body).data?.state;
}

function resultsIn(body: unknown): MutationResult[] {
  if (!isObject(body) || !Array.isArray(body['results'])) return [];
  return body['results'].flatMap((result) => mutationResult.safeParse(result).data ?? []);
}

interface Sent {
  status: number;
  error: string;
  response?: NonNullable<PusherResult['response']>;
}

const DONE: Sent = { status: 200, error: '' };

async function sendBatch(server: SyncServer, request: PushRequest, batch: Mutation[]): Promise<Sent> {
  const { status, body, error } = await call(server, {
    path: 'push',
    body: { ...request, mutations: batch },
    timeoutMs: SYNC.pushTimeoutMs,
  });
  if (status === 413) return sendSmaller(server, request, batch);
  if (status === 200) server.hooks.onResults(resultsIn(body));
  return { status, error, ...(isPushRefusal(body) ? { response: body } : {}) };
}

async function sendSmaller(server: SyncServer, request: PushRequest, batch: Mutation[]): Promise<Sent> {
  const [only] = batch;
  if (batch.length === 1 && only !== undefined) {
    if (only.args === null) return { status: 413, error: 'An empty request is too large for the server' };
    // Version 0 of the protocol has no client ids; this replica never spoke it.
    if ('clientID' in only) await server.hooks.onOversize(only);
    // Without its arguments the server refuses it and moves on; otherwise all later mutations would wait forever.
    return sendBatch(server, request, [{ ...only, args: null }]);
  }
  for (const half of halves(batch)) {
    const sent = await sendBatch(server, request, half);
    if (sent.status !== 200 || sent.response) return sent;
  }
  return DONE;
}

/** A pusher that reports success only when every mutation was accepted. */
export function createPusher(server: SyncServer): Pusher {
  return async (request) => {
    let sent: Sent = DONE;
    let status = 0;
    await server.backoff?.wait(server.signal);
    server.hooks.onBegin('push');
    try {
      // Version 0 of the push protocol comes from libraries older than any release of the app.
      if (request.pushVersion === 0) throw new Error('A push of an unknown version');
      for (const batch of batchesOf(request.mutations.map((mutation) => unwrapReplay(mutation)))) {
        sent = await sendBatch(server, request, batch);
        if (sent.status !== 200 || sent.response) break;
      }
      status = sent.status;
      if (await isOwn(server, request)) heedForgotten(server, sent.response);
      const httpRequestInfo = { httpStatusCode: status, errorMessage: sent.error };
      return { httpRequestInfo, ...(sent.response ? { response: sent.response } : {}) };
    } finally {
      server.hooks.onEnd('push', { status, more: false });
    }
  };
}

/**
 * Cuts the mutations of one push into requests that the server accepts. Groups in order, each within both limits; one item
 * alone may exceed the bytes, because it cannot be cut.
 */
function batchesOf<T>(
  items: readonly T[],
  {
    maxItems = SYNC.pushMaxMutations,
    maxBytes = SYNC.pushMaxBytes,
  }: { maxItems?: number; maxBytes?: number } = {},
): T[][] {
  const batches: T[][] = [];
  let current: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = jsonBytes(item) + 1;
    if (current.length > 0 && (current.length >= maxItems || bytes + size > maxBytes)) {
      batches.push(current);
      current = [];
      bytes = 0;
    }
    current.push(item);
    bytes += size;
  }
  if (current.length > 0) batches.push(current);
  return batches;
}

/** Both halves of a batch, the first never smaller than the second. */
function halves<T>(batch: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
