// The steps of a pull that decide what a replica is sent. They share one state and run in
// order; they are a table so that the fuzz can break one of them and show that the breakage is noticed.
import type { Database } from '../db/database.ts';
import { isAudienceOfMemories } from './readers/audiences.ts';
import type { Cookie, Progress } from './cookie.ts';
import {
  countLive,
  lived,
  readChanges,
  readLive,
  readHeldKeys,
  readPage,
  readTombstones,
  type FeedEntry,
  type PageEntry,
  type Reached,
  type RealmSnapshot,
} from './feed-reads.ts';
import { loadHeads, type EntityRef } from './heads.ts';

export interface PullLimits {
  firstPageRows: number;
  pageRows: number;
  pageBytes: number;
  deltaLimit: number;
  deltaBytes: number;
  cookieMaxLagVersions: number;
  cookieMaxAgeMs: number;
}

/** A row by its key in replicas and by its name in the feed. */
type Named = EntityRef & Pick<FeedEntry, 'key'>;

/** State of one pull; created by pull.ts, filled by the steps. */
export interface PullState {
  db: Database;
  realmId: string;
  realm: RealmSnapshot;
  /** The replica's position, undefined when it starts or has to start anew. */
  base: Cookie | undefined;
  limits: PullLimits;
  /** Position after this response. */
  progress: Map<string, Progress>;
  /** Entries whose values are sent, by key. */
  puts: Map<string, Named>;
  /** Keys to delete, unless they are among the puts. */
  dels: Set<string>;
  /** JSON text of values by key; null for a deleted row. */
  values: Map<string, string | null>;
  /** Size of the values chosen so far. */
  bytes: number;
  /** Entries loaded and expected by the running backfill. */
  loaded: number;
  total: number;
}

/** Rows that one portion of a page has, at first and at least. */
const PORTION = 500;
const LEAST_PORTION = 50;

export type PullStep = (state: PullState) => Promise<void>;

export interface PullSteps {
  forgetLost: PullStep;
  catchUp: PullStep;
  welcomeNew: PullStep;
  backfill: PullStep;
  keepReadable: PullStep;
  /** Whether mutation ids may be reported. */
  mayReport: (done: boolean) => boolean;
}

/** Loads the values of entries that are not loaded yet. */
export async function loadValues(
  { db, realmId, values }: PullState,
  entries: readonly Named[],
): Promise<void> {
  const missing = entries.filter(({ key }) => !values.has(key));
  const found = await loadHeads(db, realmId, missing);
  missing.forEach(({ key }, index) => values.set(key, found[index] ?? null));
}

const sizeOf = ({ values }: PullState, key: string): number => values.get(key)?.length ?? 0;

export function reachedOf([version, , complete = version]: Progress): Reached {
  return { version, complete };
}

/** Step 3: audiences that the user lost; their keys go, and they leave the cookie. */
async function forgetLost(state: PullState): Promise<void> {
  const readable = new Set(state.realm.audiences);
  const lost = new Map<string, Reached>();
  for (const [audience, position] of Object.entries(state.base?.a ?? {})) {
    if (!readable.has(audience)) lost.set(audience, reachedOf(position));
  }
  for (const key of await readHeldKeys(state.db, state.realmId, lost)) state.dels.add(key);
}

/** Step 4: changes of the audiences that the replica knows, whole versions at a time. */
async function catchUp(state: PullState): Promise<void> {
  const readable = new Set(state.realm.audiences);
  const known = Object.entries(state.base?.a ?? {}).filter(([audience]) => readable.has(audience));
  for (const [audience, position] of known) state.progress.set(audience, [...position]);
  const behind = known.flatMap(([audience, position]): [string, Reached][] =>
    position[0] < state.realm.version ? [[audience, reachedOf(position)]] : [],
  );
  const changes = await readChanges(state.db, state.realmId, new Map(behind), state.limits.deltaLimit);
  for (const [audience, from] of behind) {
    await catchUpOne(state, { audience, from, entries: changes.get(audience) ?? [] });
  }
}

async function catchUpOne(
  state: PullState,
  change: { audience: string; from: Reached; entries: readonly FeedEntry[] },
): Promise<void> {
  const { audience, from, entries } = change;
  const { version } = from;
  const cut = entries.length > state.limits.deltaLimit;
  const versions = [...Map.groupBy(entries, ({ ver }) => ver)];
  // The last version of a full read may be incomplete.
  const whole = cut ? versions.slice(0, -1) : versions;
  if (cut && whole.length === 0) return startOver(state, audience, from);
  await loadValues(
    state,
    whole.flatMap(([, list]) => list).filter(({ live }) => live),
  );
  let reached = version;
  for (const [ver, list] of whole) {
    const bytes = list.reduce((sum, { key }) => sum + sizeOf(state, key), 0);
    if (state.bytes > 0 && state.bytes + bytes > state.limits.deltaBytes) break;
    state.bytes += bytes;
    for (const entry of list) take(state, entry);
    reached = ver;
  }
  const complete = !cut && reached === (whole.at(-1)?.[0] ?? version);
  const [, position] = state.progress.get(audience) ?? [version, null];
  state.progress.set(
    audience,
    complete ? [state.realm.version, position] : [reached, position, from.complete],
  );
}

function take(state: PullState, entry: FeedEntry): void {
  if (entry.live) state.puts.set(entry.key, entry);
  else state.dels.add(entry.key);
}

/** One version with more changes than a response may hold: send its tombstones and page the audience anew. */
async function startOver(state: PullState, audience: string, from: Reached): Promise<void> {
  const whose = { realmId: state.realmId, audienceId: audience, reached: from };
  for (const { key } of await readTombstones(state.db, whose)) state.dels.add(key);
  state.progress.set(audience, [state.realm.version, '']);
  state.total += await countLive(state.db, state.realmId, [audience]);
}

/** Step 5: audiences that are new to the replica. */
async function welcomeNew(state: PullState): Promise<void> {
  const fresh = state.realm.audiences.filter((audience) => !state.progress.has(audience));
  for (const audience of fresh) state.progress.set(audience, [state.realm.version, '']);
  state.total += await countLive(state.db, state.realmId, fresh);
}

/** Rows of the workspace and of the user precede messages; within a rank in key order over all audiences. */
function rankOf(audience: string): number {
  return isAudienceOfMemories(audience) ? 0 : 1;
}

/** Step 6: pages of audiences that are not complete, never of one that is behind on changes. */
export function backfillWhen(mayBackfill: (version: number, realm: RealmSnapshot) => boolean): PullStep {
  return async (state) => {
    const firstPage = state.base === undefined;
    const rows = firstPage ? state.limits.firstPageRows : state.limits.pageRows;
    for (const rank of [0, 1]) {
      const unfinished = [...state.progress].filter(
        ([audience, [, position]]) => position !== null && rankOf(audience) === rank,
      );
      const open = unfinished.flatMap(([audience, [version, position]]): [string, string][] =>
        position !== null && mayBackfill(version, state.realm) ? [[audience, position]] : [],
      );
      const finished = await backfillRank(state, new Map(open), rows - state.puts.size);
      if (!finished || open.length < unfinished.length) return;
    }
  };
}

/**
 * Fills the page from these audiences; true when all of them are complete. Entries and values are read in portions, since most
 * pages have half of the allowed rows.
 */
async function backfillRank(
  state: PullState,
  positions: ReadonlyMap<string, string>,
  rows: number,
): Promise<boolean> {
  let open = positions;
  let left = rows;
  while (open.size > 0) {
    if (left <= 0 || state.bytes >= state.limits.pageBytes) return false;
    const portion = Math.min(left, portionOf(state));
    const found = await readPage(state.db, state.realmId, { positions: open, limit: portion });
    const before = state.puts.size;
    const taken = takeFitting(state, found);
    state.loaded += taken.length;
    left -= state.puts.size - before;
    const exhausted = found.length < portion && taken.length === found.length;
    open = advance(state, open, { taken, exhausted });
    if (taken.length < found.length) return false;
  }
  return true;
}

/** So many rows as should fill the page, judging by those it has. */
function portionOf({ bytes, puts, limits }: PullState): number {
  if (bytes === 0) return PORTION;
  return Math.max(LEAST_PORTION, Math.ceil((limits.pageBytes - bytes) / (bytes / puts.size)));
}

/** Writes down how far each audience is after a portion; returns those that may have more. */
function advance(
  state: PullState,
  positions: ReadonlyMap<string, string>,
  { taken, exhausted }: { taken: readonly PageEntry[]; exhausted: boolean },
): Map<string, string> {
  const reached = new Map(positions);
  for (const { audienceId, key } of taken) reached.set(audienceId, key);
  for (const [audience, position] of reached) {
    const version = state.progress.get(audience)?.[0] ?? state.realm.version;
    state.progress.set(audience, [version, exhausted ? null : position]);
  }
  return exhausted ? new Map() : reached;
}

/**
 * As many entries as the byte budget holds, at least one in an otherwise empty response. What a person reads through several
 * audiences is sent once, so it counts once.
 */
function takeFitting(state: PullState, entries: readonly PageEntry[]): PageEntry[] {
  const taken: PageEntry[] = [];
  for (const entry of entries) {
    const { key, json } = entry;
    if (!state.puts.has(key)) {
      const bytes = json?.length ?? 0;
      if (state.bytes > 0 && state.bytes + bytes > state.limits.pageBytes) break;
      state.bytes += bytes;
      state.values.set(key, json);
      state.puts.set(key, entry);
    }
    taken.push(entry);
  }
  return taken;
}

/** Step 7: a key to delete that the user still reads through another audience is sent with its value instead. */
async function keepReadable(state: PullState): Promise<void> {
  const doomed = [...state.dels].filter((key) => !state.puts.has(key));
  const live = await readLive(state.db, state.realmId, { audiences: state.realm.audiences, keys: doomed });
  for (const entry of live) {
    const reached = state.progress.get(entry.audienceId)?.[0];
    // By the rule of deletions, so that one which follows names it.
    if (reached !== undefined && lived(entry, reached)) state.puts.set(entry.key, entry);
  }
}

export const PULL_STEPS: PullSteps = {
  forgetLost,
  catchUp,
  welcomeNew,
  backfill: backfillWhen((version, realm) => version === realm.version),
  keepReadable,
  mayReport: (done) => done,
};
