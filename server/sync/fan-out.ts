// Announces every commit to every node: the writing node announces its versions after the commit, coalesced, in
// one NOTIFY per realm; each node listens on one connection and looks at the versions itself every two seconds, so that
// neither a crash between commit and NOTIFY nor a lost connection is ever more than a delay.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { SYNC } from '#shared/constants.ts';
import type { Context } from '../context.ts';
import { TIMEOUTS } from '../limits.ts';
import { followHistory } from './epochs.ts';
import type { Commit, CommitListener } from './poke-bus.ts';

const CHANNEL = 'loci_commit';
/** Carries the ids of sessions that ended; see migrations/0001_accounts.sql. */
const SESSION_CHANNEL = 'loci_session_end';
const RECONNECT_MS = 500;
/** How often the listening connection is checked. */
const HEARTBEAT_MS = 5_000;

/** Commits of all nodes, each version of a realm at most once. */
export interface FanOut {
  /** Calls back with new versions of a realm; call the result to stop. */
  follow(realmId: string, listener: CommitListener): () => void;
  /** Calls back when the session has ended on any node; call the result to stop. */
  followSession(sessionId: string, listener: () => void): () => void;
  close(): Promise<void>;
}

type FanOutContext = Pick<Context, 'db' | 'databaseUrl' | 'log' | 'pokes'>;

export function openFanOut(context: FanOutContext): FanOut {
  const followers = new Map<string, Set<CommitListener>>();
  const sessions = new Map<string, Set<() => void>>();
  const reached = new Map<string, number>();
  const end = new AbortController();

  const tell = (commit: Commit) => {
    if ((reached.get(commit.realmId) ?? 0) >= commit.version) return;
    const listeners = followers.get(commit.realmId);
    if (listeners === undefined) return;
    reached.set(commit.realmId, commit.version);
    for (const listener of listeners) listener(commit);
  };
  const announcer = announce(context);
  const stopHearing = context.pokes.listen((commit) => {
    tell(commit);
    announcer.add(commit);
  });
  const look = async () => {
    try {
      // A failover may have lost transactions, and a dump may be restored under a running server.
      if (await followHistory(context.db)) {
        context.log.warn('the database was set back to an earlier state: devices start anew');
        reached.clear();
      }
      await sweep(context, followers, ({ updated, ...commit }) => {
        // Versions from before a client followed are not announced, however late they are noticed.
        tell(reached.has(commit.realmId) ? { ...commit, at: Date.parse(updated) } : commit);
      });
    } catch (error) {
      context.log.warn({ error }, 'the versions of realms could not be read');
    }
  };
  const endSession = (sessionId: string) => {
    for (const listener of sessions.get(sessionId) ?? []) listener();
  };
  const listening = listenForever(context, end.signal, { tell, endSession, onConnect: look });
  const sweeper = setInterval(() => void look(), SYNC.versionSweepMs);
  return {
    follow(realmId, listener) {
      const listeners = followers.get(realmId) ?? new Set();
      followers.set(realmId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || followers.get(realmId) !== listeners) return;
        followers.delete(realmId);
        reached.delete(realmId);
      };
    },
    followSession(sessionId, listener) {
      const listeners = sessions.get(sessionId) ?? new Set();
      sessions.set(sessionId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && sessions.get(sessionId) === listeners) sessions.delete(sessionId);
      };
    },
    async close() {
      stopHearing();
      clearInterval(sweeper);
      end.abort();
      await announcer.close();
      await listening;
    },
  };
}

/** Collects commits for a moment and sends the newest version of each realm; outside of any write transaction. */
function announce({ db, log }: FanOutContext): { add(commit: Commit): void; close(): Promise<void> } {
  let waiting = new Map<string, Commit>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  const send = async () => {
    timer = undefined;
    const commits = [...waiting.values()];
    waiting = new Map();
    if (commits.length === 0) return;
    const texts = commits.map(({ realmId: realm, version: v, at }) => JSON.stringify({ realm, v, at }));
    await sql`select pg_notify(${CHANNEL}, payload) from unnest(${texts}::text[]) as payload`
      .execute(db)
      // The sweep of the other nodes covers what could not be sent.
      .catch((error: unknown) => log.warn({ error }, 'commits could not be announced'));
  };
  const flush = () => {
    clearTimeout(timer);
    sending = sending.then(send);
    return sending;
  };
  return {
    add(commit) {
      const earlier = waiting.get(commit.realmId);
      // The time is that of the commit which has waited longest.
      if (earlier === undefined) waiting.set(commit.realmId, { ...commit });
      else earlier.version = Math.max(earlier.version, commit.version);
      timer ??= setTimeout(() => void flush(), SYNC.pokeCoalesceMs);
    },
    close: flush,
  };
}

interface Heard {
  tell: CommitListener;
  endSession(sessionId: string): void;
  onConnect(): Promise<void>;
}

/** Holds one LISTEN connection; after each (re)connect the versions are read, because notices were missed. */
async function listenForever(
  { databaseUrl, log }: FanOutContext,
  signal: AbortSignal,
  { tell, endSession, onConnect }: Heard,
): Promise<void> {
  while (!signal.aborted) {
    const client = new Client({
      connectionString: databaseUrl,
      application_name: 'loci listen',
      connectionTimeoutMillis: TIMEOUTS.listener,
      query_timeout: TIMEOUTS.listener,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    client.on('notification', ({ channel, payload }) => {
      if (channel === SESSION_CHANNEL) return endSession(payload ?? '');
      const commit = readPayload(payload);
      if (commit) tell(commit);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}; listen ${SESSION_CHANNEL}`);
      await onConnect();
      await Promise.race([ended, silence(client, signal)]);
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, 'listening for commits failed, trying again');
    }
    // A connection that hangs would never confirm its end.
    client.connection.stream.destroy();
    if (!signal.aborted) await pause(RECONNECT_MS * (1 + Math.random()));
  }
}

/** Resolves when the connection no longer responds. */
async function silence(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(HEARTBEAT_MS, undefined, { ref: false, signal }).catch(() => undefined);
    if (signal.aborted) return;
    const answers = await client.query('select 1').then(
      () => true,
      () => false,
    );
    if (!answers) return;
  }
}

function readPayload(payload: string | undefined): Commit | undefined {
  const value: unknown = JSON.parse(payload ?? 'null');
  if (typeof value !== 'object' || value === null || !('realm' in value) || !('v' in value)) return undefined;
  const { realm, v } = value;
  if (typeof realm !== 'string' || typeof v !== 'number') return undefined;
  const at = 'at' in value && typeof value.at === 'number' ? value.at : undefined;
  return { realmId: realm, version: v, at };
}

/** Reads the versions of the realms that are followed on this node. */
async function sweep(
  { db }: FanOutContext,
  followers: ReadonlyMap<string, unknown>,
  find: (row: { realmId: string; version: number; updated: string }) => void,
): Promise<void> {
  if (followers.size === 0) return;
  const rows = await db
    .selectFrom('sync_realm')
    .select(['realmId', 'version', 'updated'])
    .where(sql<boolean>`"realmId" = any(${[...followers.keys()]}::text[])`)
    .execute();
  for (const row of rows) find(row);
}
