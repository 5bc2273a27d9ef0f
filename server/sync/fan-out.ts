// Announces every commit to every node: the writing node announces its versions after the commit, coalesced, over the channel
// of the configuration; each node listens to it and looks at the versions itself every two seconds, so that neither a crash
// between commit and announcement, nor a lost connection, nor a message that lies is ever more than a delay.
import { sql } from 'kysely';
import { SYNC } from '#shared/sync/limits.ts';
import type { Context } from '../context.ts';
import { followHistory } from './epochs.ts';
import { chunked } from './feed.ts';
import { createNatsChannel } from './nats-channel.ts';
import type { Commit, CommitListener } from './poke-bus.ts';
import type { PokeChannel } from './poke-channel.ts';
import { createPostgresChannel } from './postgres-channel.ts';
import { createPostgresNotifications, type PostgresNotifications } from './postgres-notifications.ts';

/** Carries the ids of sessions that ended; see migrations/0001_accounts.sql. */
const SESSION_CHANNEL = 'loci_session_end';

/** Realms or sessions in one statement, whose rows a node reads in one piece: ten thousand took 178 ms. */
const SWEPT_AT_ONCE = 500;

/** Commits of all nodes, each version of a realm at most once. */
export interface FanOut {
  /** Calls back with new versions of a realm; call the result to stop. */
  follow(realmId: string, listener: CommitListener): () => void;
  /** Calls back when the session has ended on any node; call the result to stop. */
  followSession(sessionId: string, listener: () => void): () => void;
  close(): Promise<void>;
}

type FanOutContext = Pick<Context, 'clock' | 'config' | 'db' | 'databaseUrl' | 'log' | 'metrics' | 'pokes'>;

/** The channel of the configuration. */
function createChannel(context: FanOutContext, notifications: PostgresNotifications): PokeChannel {
  const { pokeServer } = context.config;
  return pokeServer === undefined
    ? createPostgresChannel(context.db, notifications)
    : createNatsChannel(context, pokeServer);
}

/** `given` replaces the channel of the configuration. */
export function openFanOut(context: FanOutContext, given?: PokeChannel): FanOut {
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
  const notifications = createPostgresNotifications(context);
  const channel = given ?? createChannel(context, notifications);
  const announcer = announce(context, channel);
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
      const before = new Map(reached);
      await sweep(context, followers, ({ updated, ...commit }) => {
        // A message has named a version that does not exist; nothing up to it would ever be passed on.
        if ((before.get(commit.realmId) ?? 0) > commit.version) reached.delete(commit.realmId);
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
  notifications.on(SESSION_CHANNEL, endSession);
  const listening = [
    channel.listen({ onCommit: tell, onConnect: look }, end.signal),
    notifications.listen(look, end.signal),
  ];
  const sweeper = setInterval(() => void look(), SYNC.versionSweepMs);
  // The expiry of a session is not announced, and an announcement can be lost.
  const endOver = async () => {
    const followed = [...sessions.keys()];
    try {
      const live = await liveSessions(context, followed);
      for (const sessionId of followed) if (!live.has(sessionId)) endSession(sessionId);
    } catch (error) {
      context.log.warn({ error }, 'the sessions of streams could not be read');
    }
  };
  const sessionSweeper = setInterval(() => void endOver(), SYNC.heartbeatMs);
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
      clearInterval(sessionSweeper);
      await announcer.close();
      end.abort();
      await Promise.all(listening);
    },
  };
}

/** Collects commits for a moment and sends the newest version of each realm; outside of any write transaction. */
function announce(
  { log }: FanOutContext,
  channel: PokeChannel,
): { add(commit: Commit): void; close(): Promise<void> } {
  let waiting = new Map<string, Commit>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  const send = async () => {
    timer = undefined;
    const commits = [...waiting.values()];
    waiting = new Map();
    if (commits.length === 0) return;
    // The sweep of the other nodes covers what could not be sent.
    await channel
      .announce(commits)
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

/** Those of the sessions that have neither ended nor run out. */
async function liveSessions(
  { db, clock }: FanOutContext,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const live = new Set<string>();
  for (const some of chunked(sessionIds, SWEPT_AT_ONCE)) {
    const rows = await db
      .selectFrom('session')
      .select('id')
      .where(sql<boolean>`"id" = any(${some}::text[])`)
      .where('expiresAt', '>', clock.now().toISOString())
      .execute();
    for (const { id } of rows) live.add(id);
  }
  return live;
}

/** Reads the versions of the realms that are followed on this node. */
async function sweep(
  { db }: FanOutContext,
  followers: ReadonlyMap<string, unknown>,
  find: (row: { realmId: string; version: number; updated: string }) => void,
): Promise<void> {
  for (const some of chunked([...followers.keys()], SWEPT_AT_ONCE)) {
    const rows = await db
      .selectFrom('sync_realm')
      .select(['realmId', 'version', 'updated'])
      .where(sql<boolean>`"realmId" = any(${some}::text[])`)
      .execute();
    for (const row of rows) find(row);
  }
}
