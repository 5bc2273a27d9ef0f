// The pull: what a replica lacks since its cookie, from one snapshot of the database. The numbers in the comments are the steps
// of that section; steps 3 to 7 are in pull-steps.ts.
import { SYNC } from '#shared/sync/limits.ts';
import { AppError } from '#shared/errors.ts';
import { ACCESS_KEY, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import type { SyncRefusal } from '#shared/sync/protocol.ts';
import type { Database } from '../db/database.ts';
import { nextGeneration, openCookie, sealCookie, type Cookie, type CookieContent } from './cookie.ts';
import { readMutationIds, readRealm, type RealmSnapshot } from './feed-reads.ts';
import type { PullFacts, ResetReason } from './metrics.ts';
import { loadValues, PULL_STEPS, type PullLimits, type PullState, type PullSteps } from './pull-steps.ts';
import { resetReason } from './resets.ts';
import type { Standby } from './standby.ts';

export interface PullRequestFrom {
  userId: string;
  realmId: string;
  clientGroupId: string;
  cookie: unknown;
}

/** A response with each patch operation as JSON text. */
export interface PullAnswer {
  cookie: unknown;
  lastMutationIDChanges: Record<string, number>;
  patch: string[];
}

export interface PullOptions {
  secret: string;
  /** Called for feed entries without a row, which only a fault of ours can leave behind; their keys are deleted. */
  onDrift(what: string): void;
  /** Called when the replica has seen versions that the database does not have, although no restore was announced. */
  onSetBack?(epoch: string): Promise<void>;
  /** Called with the kind of the response. */
  onAnswer?(facts: PullFacts): void;
  limits?: PullLimits;
  steps?: PullSteps;
  /** A copy of the database for what takes long. The primary still says how far the realm is and who may read it. */
  standby?: Standby | undefined;
}

const CLEAR = JSON.stringify({ op: 'clear' });
const put = (key: string, json: string): string =>
  `{"op":"put","key":${JSON.stringify(key)},"value":${json}}`;
const del = (key: string): string => JSON.stringify({ op: 'del', key });

/** The whole response as text, without rendering any value again. */
export function renderPull(answer: PullAnswer): string {
  const { cookie, lastMutationIDChanges, patch } = answer;
  return `{"cookie":${JSON.stringify(cookie)},"lastMutationIDChanges":${JSON.stringify(lastMutationIDChanges)},"patch":[${patch.join(',')}]}`;
}

/** The cookie of a reader who is up to date. @throws forbidden for a realm without audiences */
export async function currentCookie(
  db: Database,
  owner: { userId: string; realmId: string },
  secret: string,
): Promise<Cookie> {
  const realm = await readRealm(db, { ...owner, clientGroupId: '' });
  if (realm === undefined || realm.audiences.length === 0)
    throw new AppError('forbidden', 'You are not a member of this workspace');
  const { version, epoch, updated, audiences } = realm;
  return sealCookie(secret, owner, {
    g: 0,
    n: version,
    s: 0,
    e: epoch,
    lv: version,
    t: Date.parse(updated),
    a: Object.fromEntries(audiences.map((audience) => [audience, [version, null]])),
  });
}

/** Handles a pull. A replica that has seen more than the server has starts anew, like one that the server does not know. */
export async function pull(
  db: Database,
  request: PullRequestFrom,
  options: PullOptions,
): Promise<PullAnswer | SyncRefusal> {
  const current = await findCurrent(db, request, options);
  if (current !== undefined)
    return unchanged(request, options, { audiences: current.audiences.length, behind: 0 });
  const answer = await pullFromStandby(db, request, options);
  if (answer !== undefined) return answer;
  return inSnapshot(db, async (trx) => {
    const realm = await readRealm(trx, request);
    return answerPull(trx, { request, options, realm });
  });
}

/** 1. One snapshot for all reads; the planner setting is sent with the first statement. */
function inSnapshot<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/** Undefined where there is no standby, where it lags behind the primary, and for a realm that is not open to the reader. */
async function pullFromStandby(
  db: Database,
  request: PullRequestFrom,
  options: PullOptions,
): Promise<PullAnswer | SyncRefusal | undefined> {
  const { standby } = options;
  if (standby === undefined) return undefined;
  const realm = await readRealm(db, request);
  if (realm === undefined || isForeignGroup(realm, request) || realm.audiences.length === 0) return undefined;
  return standby.tryRead((copy) =>
    inSnapshot(copy, async (trx) => {
      const there = await readRealm(trx, request);
      // Who reads what changes only with the version.
      const isThere = there !== undefined && there.epoch === realm.epoch && there.version >= realm.version;
      return isThere ? answerPull(trx, { request, options, realm: there }) : undefined;
    }),
  );
}

/**
 * The realm when the replica is up to date. Most pulls find no changes; one statement shows that, which is a snapshot by itself
 * and needs no transaction.
 */
async function findCurrent(
  db: Database,
  request: PullRequestFrom,
  { secret }: PullOptions,
): Promise<RealmSnapshot | undefined> {
  const given = openCookie(secret, request, request.cookie);
  if (given === undefined || given.c !== undefined) return undefined;
  const realm = await readRealm(db, request);
  if (realm === undefined || isForeignGroup(realm, request) || realm.audiences.length === 0) return undefined;
  const reset = resetReason({ sent: request.cookie, opened: given }, realm);
  return reset === undefined && isCurrent(given, realm) ? realm : undefined;
}

/** `realm`: realm and audiences, step 2. */
async function answerPull(
  db: Database,
  {
    request,
    options,
    realm,
  }: { request: PullRequestFrom; options: PullOptions; realm: RealmSnapshot | undefined },
): Promise<PullAnswer | SyncRefusal> {
  if (isForeignGroup(realm, request)) return forgotten(options, { known: { audiences: 0 }, clients: [] });
  const given = openCookie(options.secret, request, request.cookie);
  if (realm === undefined || realm.audiences.length === 0)
    return answerClosed(db, request, options, { given, realm });
  const reset = resetReason({ sent: request.cookie, opened: given }, realm);
  const base = reset === undefined ? given : undefined;
  const known = { audiences: realm.audiences.length, behind: base && realm.version - base.n };
  if (base !== undefined && isCurrent(base, realm)) return unchanged(request, options, known);
  if (reset === 'restored') {
    if (given?.e === realm.epoch) await options.onSetBack?.(realm.epoch);
    return startAnew(db, request, { options, known, reset });
  }
  const generation = base === undefined ? nextGeneration(request.cookie) : base.g;
  if (generation === undefined) return startAnew(db, request, { options, known, reset: 'forgotten' });
  const state = emptyState(db, request.realmId, { realm, base, limits: options.limits ?? SYNC });
  const steps = options.steps ?? PULL_STEPS;
  await steps.forgetLost(state);
  await steps.catchUp(state);
  await steps.welcomeNew(state);
  await steps.backfill(state);
  await steps.keepReadable(state);
  return finish(state, { request, options, steps, generation, reset, known });
}

/** The group is another person's or another realm's; the device then starts as a new one, see push-clients.ts. */
function isForeignGroup(realm: RealmSnapshot | undefined, request: PullRequestFrom): boolean {
  const group = realm?.group;
  if (group === null || group === undefined) return false;
  return group.userId !== request.userId || group.realmId !== request.realmId;
}

/** Nothing was written since a complete response: memberships and mutation ids change only with the version. */
function isCurrent(base: Cookie, realm: RealmSnapshot): boolean {
  if (base.n !== realm.version || base.lv !== realm.version) return false;
  return Object.values(base.a).every(([version, position]) => version === realm.version && position === null);
}

type Known = Pick<PullFacts, 'audiences' | 'behind'>;

function unchanged(request: PullRequestFrom, options: PullOptions, known: Known): PullAnswer {
  options.onAnswer?.({ kind: 'unchanged', rows: 0, ...known });
  return { cookie: request.cookie, lastMutationIDChanges: {}, patch: [] };
}

interface Beginning {
  known: Known;
  /** How far the server is with the clients of the group. */
  clients: readonly { id: string; lastMutationId: number }[];
  reset?: ResetReason;
}

function forgotten(options: PullOptions, { known, clients, reset = 'forgotten' }: Beginning): SyncRefusal {
  options.onAnswer?.({ kind: 'forgotten', reset, rows: 0, ...known });
  const lastIds = clients.map(({ id, lastMutationId }) => [id, lastMutationId]);
  return { error: 'ClientStateNotFound', lastMutationIDs: Object.fromEntries(lastIds) };
}

/** The last mutation ids of its clients may be lower than those it was sent before, which no replica accepts. */
async function startAnew(
  db: Database,
  request: PullRequestFrom,
  { options, known, reset }: { options: PullOptions; known: Known; reset: ResetReason },
): Promise<SyncRefusal> {
  return forgotten(options, { known, reset, clients: await readMutationIds(db, request, -1) });
}

function emptyState(
  db: Database,
  realmId: string,
  given: Pick<PullState, 'realm' | 'base' | 'limits'>,
): PullState {
  const [loaded, total] = given.base?.c ?? [0, 0];
  const gathered = { progress: new Map(), puts: new Map(), dels: new Set<string>(), values: new Map() };
  return { ...given, ...gathered, db, realmId, bytes: 0, loaded, total };
}

interface Ending {
  request: PullRequestFrom;
  options: PullOptions;
  steps: PullSteps;
  generation: number;
  reset: ResetReason | undefined;
  known: Known;
}

async function finish(state: PullState, ending: Ending): Promise<PullAnswer> {
  const { realm, base, progress } = state;
  const { request, options, generation, reset, known } = ending;
  // 8. Values of the puts that no step has loaded yet.
  const patch = await renderPatch(state, options);
  // 9. Mutation ids wait until their effects are complete.
  const done = [...progress.values()].every(([v, k]) => v === realm.version && k === null);
  const report = ending.steps.mayReport(done);
  const clients = report ? await readMutationIds(state.db, request, base?.lv ?? 0) : [];
  // 10. An empty response, unless the cookie would become too old.
  const silent = patch.length === 0 && clients.length === 0 && base !== undefined;
  if (silent && sameProgress(base, progress) && !isStale(base, state))
    return unchanged(request, options, known);
  const content: CookieContent = {
    g: generation,
    n: realm.version,
    s: base?.n === realm.version ? base.s + 1 : 0,
    e: realm.epoch,
    lv: report ? realm.version : (base?.lv ?? 0),
    t: Date.parse(realm.updated),
    a: Object.fromEntries(progress),
    ...(done ? {} : { c: [state.loaded, state.total] }),
  };
  const cookie = sealCookie(options.secret, request, content);
  assertGrowth(base, cookie);
  // 11. Progress for the app; a replica that starts anew drops what it has.
  const loaded = done ? state.total : state.loaded;
  const control = put(SYNC_STATE_KEY, JSON.stringify({ v: realm.version, done, loaded, total: state.total }));
  const clear = base === undefined && request.cookie !== null ? [CLEAR] : [];
  const kind = base === undefined ? (reset === 'new' ? 'first' : 'reset') : base.c ? 'page' : 'changes';
  options.onAnswer?.({ kind, reset, rows: patch.length, ...known });
  return {
    cookie,
    lastMutationIDChanges: Object.fromEntries(clients.map(({ id, lastMutationId }) => [id, lastMutationId])),
    patch: [...clear, ...patch, control],
  };
}

async function renderPatch(state: PullState, { onDrift }: PullOptions): Promise<string[]> {
  await loadValues(state, [...state.puts.values()]);
  const puts = [...state.puts.values()].map(({ key, kind, entityId }) => {
    const json = state.values.get(key);
    if (typeof json === 'string') return put(key, json);
    onDrift(`${kind} ${entityId}`);
    return del(key);
  });
  const dels = [...state.dels].filter((key) => !state.puts.has(key)).map(del);
  return [...dels, ...puts];
}

function sameProgress(base: Cookie, progress: PullState['progress']): boolean {
  const before = Object.entries(base.a);
  return (
    before.length === progress.size &&
    before.every(([audience, [, position]]) => progress.get(audience)?.[1] === position)
  );
}

function isStale(base: Cookie, { realm, limits }: PullState): boolean {
  if (realm.version - base.n > limits.cookieMaxLagVersions) return true;
  return realm.version > base.n && Date.parse(realm.updated) - base.t > limits.cookieMaxAgeMs;
}

/** Replicache ignores a response whose order did not grow, so such a response would be lost without a trace. */
function assertGrowth(base: Cookie | undefined, next: Cookie): void {
  if (base !== undefined && next.order <= base.order) {
    throw new Error(`A pull would answer order ${next.order} after ${base.order}`);
  }
}

/** The replica of a closed realm has seen more than the server has, be it of the realm or of its own mutations. */
function hasFallenBack(
  request: PullRequestFrom,
  { given, realm, lv }: { given: Cookie; realm: RealmSnapshot | undefined; lv: number },
): boolean {
  if (given.x !== undefined) return given.lv > lv;
  return realm !== undefined && resetReason({ sent: request.cookie, opened: given }, realm) === 'restored';
}

/** The realm is closed to the user, or there is none: both look the same, so that neither is revealed. */
async function answerClosed(
  db: Database,
  request: PullRequestFrom,
  options: PullOptions,
  { given, realm }: { given: Cookie | undefined; realm: RealmSnapshot | undefined },
): Promise<PullAnswer | SyncRefusal> {
  const clients = await readMutationIds(db, request, -1);
  // A closed realm's version says nothing of its mutation ids, which increase while unsent mutations are refused.
  const lv = clients.reduce((sum, { lastMutationId }) => sum + lastMutationId, 0);
  const known = { audiences: 0 };
  if (given !== undefined && hasFallenBack(request, { given, realm, lv }))
    return forgotten(options, { known, clients, reset: 'restored' });
  if (given?.x !== undefined && given.lv === lv) return unchanged(request, options, known);
  const generation = nextGeneration(request.cookie);
  if (generation === undefined) return forgotten(options, { known, clients });
  const content: CookieContent = { g: generation, n: 0, s: 0, e: '', lv, t: 0, a: {}, x: 1 };
  options.onAnswer?.({ kind: 'closed', rows: 0, ...known });
  return {
    cookie: sealCookie(options.secret, request, content),
    lastMutationIDChanges: Object.fromEntries(clients.map(({ id, lastMutationId }) => [id, lastMutationId])),
    patch: [CLEAR, put(ACCESS_KEY, JSON.stringify({ revoked: true }))],
  };
}
