// The stream of pokes of one browser profile (SYNC 2.7): server-sent events that say which realm has reached which
// version. What the person may follow is read at connect and again whenever the account realm changes, because joining
// and leaving a workspace changes it.
import type { Response } from 'express';
import { SYNC } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { FanOut } from './fan-out.ts';

/** A client that reads slower than this many waiting bytes is cut off and connects again. */
const WAITING_MAX_BYTES = 1024 * 1024;

export interface PokeReader {
  userId: Id<'user'>;
  sessionId: string;
}

/** Serves the stream until the client leaves, its session ends or the server stops. */
export function servePokes(
  context: Pick<Context, 'db' | 'log' | 'stopping' | 'clock'>,
  fanOut: FanOut,
  { userId, sessionId }: PokeReader,
  res: Response,
): void {
  res.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  res.flushHeaders();
  const following = new Map<string, () => void>();
  const write = (text: string) => {
    if (res.writableLength > WAITING_MAX_BYTES) end();
    else res.write(text);
  };
  const debounced = new Map<string, { timer: NodeJS.Timeout; version: number }>();
  const poke = (realm: string, v: number) => write(`data: ${JSON.stringify({ realm, v })}\n\n`);

  /** The first poke of a realm goes out at once, later ones at most every SYNC.pokeDebounceMs. */
  const hear = (realmId: string, version: number) => {
    if (realmId === userId) void followRealms();
    const waiting = debounced.get(realmId);
    if (waiting) {
      waiting.version = version;
      return;
    }
    poke(realmId, version);
    const entry = {
      version,
      timer: setTimeout(() => {
        debounced.delete(realmId);
        if (entry.version > version) hear(realmId, entry.version);
      }, SYNC.pokeDebounceMs),
    };
    debounced.set(realmId, entry);
  };

  const followRealms = async () => {
    try {
      const realms = new Set(await realmsOf(context.db, userId));
      for (const realmId of realms) {
        if (following.has(realmId) || res.writableEnded) continue;
        following.set(
          realmId,
          fanOut.follow(realmId, ({ version }) => hear(realmId, version)),
        );
      }
      for (const [realmId, stop] of following) {
        if (realms.has(realmId)) continue;
        stop();
        following.delete(realmId);
        // The last poke lets the replica learn that it may not read the realm any more.
        poke(realmId, Number.MAX_SAFE_INTEGER);
      }
    } catch (error) {
      context.log.warn({ error }, 'the realms of a stream could not be read');
      end();
    }
  };

  const heartbeat = setInterval(() => {
    write(': still here\n\n');
    void isSessionLive(context, sessionId).then((live) => live || end(), end);
  }, SYNC.heartbeatMs);
  const end = () => {
    clearInterval(heartbeat);
    for (const { timer } of debounced.values()) clearTimeout(timer);
    for (const stop of following.values()) stop();
    following.clear();
    context.stopping.removeEventListener('abort', end);
    if (!res.writableEnded) res.end();
  };
  res.on('close', end);
  context.stopping.addEventListener('abort', end);
  write(': connected\n\n');
  void followRealms();
}

async function realmsOf(db: Context['db'], userId: Id<'user'>): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_member')
    .select('workspaceId')
    .where('userId', '=', userId)
    .execute();
  return [userId, ...rows.map(({ workspaceId }) => workspaceId)];
}

async function isSessionLive(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  sessionId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where(({ and, eb }) => and([eb('id', '=', sessionId), eb('expiresAt', '>', clock.now().toISOString())]))
    .executeTakeFirst();
  return row !== undefined;
}
