// The HTTP endpoints of sync: pull, push and the stream of pokes. Sessions only, by the bearer header; keys and other tokens
// use REST. pull.ts and push.ts implement the calls.
import type { Express, Request, Response } from 'express';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError, describeIssues } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import { checkRequest, pullRequest, pushRequest, type SyncRefusal } from '#shared/sync/protocol.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { createFairQueue } from '../fair-queue.ts';
import { personStreams } from '../event-stream.ts';
import type { RequestOrigin } from '../request-origin.ts';
import { checkReplica, type OnDifference } from './check.ts';
import { endEpoch } from './epochs.ts';
import { openFanOut } from './fan-out.ts';
import { servePokes, type PokeReader } from './poke-stream.ts';
import { pull, renderPull } from './pull.ts';
import { push } from './push.ts';
import { asPerson } from './readable.ts';
import { isServed } from './schema-versions.ts';
import { createSeenNotes } from './seen-groups.ts';
import { cookieSecret } from './secret.ts';

/** First syncs are the expensive pulls: of each user a few run at once, so that many tabs cannot starve other users. */
const FIRST_SYNCS = {
  lineAtOnce: 2,
  timeout: 'firstSync',
  refusal: () => new AppError('unavailable', 'Too many first syncs at once', { retryAfter: 2 }),
} as const;

const REFUSED_SCHEMA = { error: 'VersionNotSupported', versionType: 'schema' } as const satisfies SyncRefusal;

/** Who calls; passed in, because sessions belong to another feature. */
export interface SyncDoor {
  /** @throws unauthorized, rate_limited */
  enter(req: Request): Promise<PokeReader & { origin: RequestOrigin }>;
}

/** Mounts the calls; call the result to stop the fan-out. */
export function mountSync(app: Express, context: Context, door: SyncDoor): () => Promise<void> {
  const fanOut = openFanOut(context);
  const takeTurn = createFairQueue(FIRST_SYNCS);
  const seen = createSeenNotes(context);
  const person = (req: Request) => door.enter(req);

  app.get('/v1/sync/poke', async (req, res) => {
    const reader = await person(req);
    // A client that disconnected during the look-up emits no close event.
    if (res.destroyed) return;
    res.on(
      'close',
      personStreams.add(reader.userId, () => res.end()),
    );
    servePokes(context, fanOut, reader, res);
  });

  app.post('/v1/sync/:realmId/pull', async (req, res) => {
    const { userId } = await person(req);
    const realmId = realmOf(req);
    if (versionOf(req.body, 'pullVersion') !== 1) {
      send(res, { error: 'VersionNotSupported', versionType: 'pull' });
      return;
    }
    const measure = context.metrics.beginPull();
    const body = parse(pullRequest, req.body);
    if (!isServed(body.schemaVersion, 'pull', context.clock.now(), context.schemaVersions)) {
      send(res, REFUSED_SCHEMA);
      return;
    }
    const secret = await cookieSecret(context.db);
    const { clientGroupID: clientGroupId, cookie = null } = body;
    const from = { userId, realmId, clientGroupId, cookie };
    if (cookie === null && realmId === userId) await openAccountRealm(context, userId);
    const onDrift = (what: string) => {
      context.log.error({ realmId, what }, 'the feed names a row that is gone');
      context.metrics.orphaned();
    };
    const onSetBack = async (epoch: string) => {
      context.log.error(
        { realmId, userId },
        'a device has seen more than the database has: its realm starts anew',
      );
      await endEpoch(context.db, realmId, epoch);
    };
    const { pullDb, standby } = context;
    const run = () => pull(pullDb, from, { secret, onDrift, onSetBack, onAnswer: measure.answered, standby });
    const answer = await (isBootstrap(cookie) ? takeTurn(userId, run) : run());
    await seen.note(from);
    const bytes = Buffer.from('error' in answer ? JSON.stringify(answer) : renderPull(answer));
    measure.done(bytes.length);
    context.metrics.deviceWaits(body.pendingMs);
    // Not `send`, which would hash the whole body for an ETag that no client uses.
    res.set('Cache-Control', 'no-store').type('json').end(bytes);
  });

  app.post('/v1/sync/:realmId/push', async (req, res) => {
    const { userId, origin } = await person(req);
    const realmId = realmOf(req);
    if (versionOf(req.body, 'pushVersion') !== 1) {
      send(res, { error: 'VersionNotSupported', versionType: 'push' });
      return;
    }
    const body = parse(pushRequest, req.body);
    if (!isServed(body.schemaVersion, 'push', context.clock.now(), context.schemaVersions)) {
      send(res, REFUSED_SCHEMA);
      return;
    }
    const startedAt = performance.now();
    const { clientGroupID: clientGroupId, schemaVersion, mutations } = body;
    const from = { userId, realmId, clientGroupId, schemaVersion };
    const { refusal, results } = await push({ ...context, origin }, from, mutations);
    if (refusal) context.metrics.forgotten();
    context.metrics.pushed(startedAt);
    send(res, refusal ?? { results });
  });

  app.post('/v1/sync/:realmId/check', async (req, res) => {
    const { userId } = await person(req);
    const realmId = realmOf(req);
    const given = parse(checkRequest, req.body);
    const onDifference: OnDifference = (server, replica) =>
      context.log.error({ realmId, userId, server, replica }, 'a replica differs from the server');
    const checkIn = (db: Database) => checkReplica(db, { userId, realmId }, { given, onDifference });
    const checkInStandby = async (db: Database) => {
      const found = await checkIn(db);
      // The standby may not have the version yet.
      return found === 'unknown' ? undefined : found;
    };
    const run = async () =>
      (await context.standby?.tryRead(checkInStandby)) ?? (await checkIn(context.pullDb));
    const state = await takeTurn(userId, run);
    context.metrics.checked(state);
    if (state === 'same') context.metrics.deviceHolds(given.count, given.storageBytes);
    send(res, { state });
  });

  return async () => {
    await fanOut.close();
  };
}

/** The replica is empty or in the middle of its first pages. */
function isBootstrap(cookie: unknown): boolean {
  return cookie === null || (typeof cookie === 'object' && 'c' in cookie);
}

function send(res: Response, body: object): void {
  res.set('Cache-Control', 'no-store').json(body);
}

/** @throws not_found for what can be no realm */
function realmOf(req: Request): string {
  const { realmId } = req.params;
  if (!isId('workspace', realmId) && !isId('user', realmId)) {
    throw new AppError('not_found', 'There is nothing at this address');
  }
  return realmId;
}

function versionOf(body: unknown, name: string): unknown {
  const parsed = z.looseObject({}).safeParse(body);
  return parsed.success ? parsed.data[name] : undefined;
}

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new AppError('invalid', describeIssues(parsed.error));
  return parsed.data;
}

/** Creates the realm unless it exists; its first version gives its owner access. */
async function openAccountRealm(context: WriteContext, userId: string): Promise<void> {
  const { rows } = await sql`select 1 from "sync_realm" where "realmId" = ${userId}`.execute(context.db);
  if (rows.length === 0) await writeInRealm(context, userId, asPerson(userId), async () => undefined);
}
