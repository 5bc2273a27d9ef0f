// The stream of pokes of one browser profile: server-sent events that say how far the realms are when it begins, and
// then which realm has reached which version. What the person may follow is read at connect and again whenever the account realm changes, because joining
// and leaving a workspace changes it.
import type { Response } from 'express';
import { sql } from 'kysely';
import { SYNC } from '#shared/sync/limits.ts';
import type { Id } from '#shared/ids.ts';
import type { RealmPosition } from '#shared/sync/protocol.ts';
import { across } from '../db/across.ts';
import type { Context } from '../context.ts';
import { openEventStream, WAITING_MAX_BYTES } from '../event-stream.ts';
import { guestsAudience } from './readers/audiences.ts';
import type { FanOut } from './fan-out.ts';
import type { Commit } from './poke-bus.ts';
import { StreamLag } from './stream-lag.ts';

export interface PokeReader {
  userId: Id<'user'>;
  sessionId: string;
}

/** Serves the stream until the client disconnects, its session ends or the server stops. */
export function servePokes(
  context: Pick<Context, 'db' | 'log' | 'stopping' | 'metrics'>,
  fanOut: FanOut,
  { userId, sessionId }: PokeReader,
  res: Response,
): void {
  openEventStream(res);
  const following = new Map<string, () => void>();
  const lag = new StreamLag();
  context.metrics.streams.add(lag);
  const write = (text: string, whenLeft?: () => void) => {
    if (res.writableLength > WAITING_MAX_BYTES) end();
    else
      res.write(text, (error) => {
        if (!error) whenLeft?.();
      });
  };
  const debounced = new Map<string, { timer: NodeJS.Timeout; next?: Commit }>();
  const poke = (realm: string, v: number, whenLeft?: () => void) =>
    write(`data: ${JSON.stringify({ realm, v })}\n\n`, whenLeft);

  /** Commits heard before the stream has begun; undefined afterwards. */
  let early: Commit[] | undefined = [];
  /** The first poke of a realm is sent at once, later ones at most every SYNC.pokeDebounceMs. */
  const hear = (commit: Commit) => {
    // A stream that begins with a poke is that of an earlier server, for which a replica pulls everything.
    if (early !== undefined) {
      early.push(commit);
      return;
    }
    const { realmId, version, at } = commit;
    if (realmId === userId) void followRealms();
    lag.heard(realmId, version);
    const waiting = debounced.get(realmId);
    if (waiting) {
      // The time is that of the commit which has waited longest.
      waiting.next = { ...commit, at: waiting.next?.at ?? at };
      return;
    }
    poke(realmId, version, () => {
      lag.told(realmId, version);
      context.metrics.poked(at);
    });
    const entry: { timer: NodeJS.Timeout; next?: Commit } = {
      timer: setTimeout(() => {
        debounced.delete(realmId);
        if (entry.next) hear(entry.next);
      }, SYNC.pokeDebounceMs),
    };
    debounced.set(realmId, entry);
  };

  const followRealms = async () => {
    try {
      const realms = new Set(await realmsOf(context.db, userId));
      for (const realmId of realms) {
        if (following.has(realmId) || res.writableEnded) continue;
        following.set(realmId, fanOut.follow(realmId, hear));
      }
      for (const [realmId, stop] of following) {
        if (realms.has(realmId)) continue;
        stop();
        following.delete(realmId);
        // A poke that was held back would reveal to a former member that changes were made after they left.
        clearTimeout(debounced.get(realmId)?.timer);
        debounced.delete(realmId);
        lag.forget(realmId);
        // The last poke makes the replica pull and find that it has lost access to the realm.
        poke(realmId, Number.MAX_SAFE_INTEGER);
      }
    } catch (error) {
      context.log.warn({ error }, 'the realms of a stream could not be read');
      end();
    }
  };

  /** Read after following, so that every version is either in it or sent as a poke. */
  const tellStart = async () => {
    const realms = await positionsOf(context.db, [...following.keys()]);
    if (!res.writableEnded) write(`event: start\ndata: ${JSON.stringify({ realms })}\n\n`);
    const heard = early ?? [];
    early = undefined;
    for (const commit of heard) if (following.has(commit.realmId)) hear(commit);
  };

  const heartbeat = setInterval(() => write(': still here\n\n'), SYNC.heartbeatMs);
  const stopSession = fanOut.followSession(sessionId, () => {
    // Its pull is refused, which logs the page out.
    poke(userId, Number.MAX_SAFE_INTEGER);
    end();
  });
  const end = () => {
    stopSession();
    clearInterval(heartbeat);
    for (const { timer } of debounced.values()) clearTimeout(timer);
    for (const stop of following.values()) stop();
    following.clear();
    context.metrics.streams.delete(lag);
    context.stopping.removeEventListener('abort', end);
    if (!res.writableEnded) res.end();
  };
  res.on('close', end);
  context.stopping.addEventListener('abort', end);
  void followRealms()
    .then(tellStart)
    .catch((error: unknown) => {
      context.log.warn({ error }, 'the versions of a stream could not be read');
      end();
    });
}

async function positionsOf(
  db: Context['db'],
  realmIds: readonly string[],
): Promise<Record<string, RealmPosition>> {
  const rows = await db
    .selectFrom('sync_realm')
    .select(['realmId', 'version', 'epoch'])
    .where(sql<boolean>`"realmId" = any(${realmIds}::text[])`)
    .execute();
  return Object.fromEntries(rows.map(({ realmId, version, epoch }) => [realmId, { v: version, e: epoch }]));
}

/** The person's account, and the workspaces in which they are a member or a guest. */
async function realmsOf(db: Context['db'], userId: Id<'user'>): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select "workspaceId" from "workspace_member" where "userId" = ${userId}
    union select "realmId" as "workspaceId" from "sync_audience_member"
    where "userId" = ${userId} and "audienceId" = ${guestsAudience('')} || "realmId" ${across('account')}`.execute(
    db,
  );
  return [userId, ...rows.map(({ workspaceId }) => workspaceId)];
}
