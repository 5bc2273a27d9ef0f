/**
 * Staff who act as another person, for support. A code works once and for a few minutes, a session for half an hour; the person
 * is notified of both, with the reason. Staff themselves cannot be impersonated.
 */
import { randomBytes } from 'node:crypto';
import { IMPERSONATION } from '#shared/accounts/limits.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { SessionPerson } from '../http/call.ts';
import { hashToken } from '../http/credentials.ts';
import { isStaff, requireStaff } from '../http/staff.ts';
import { claimsOf } from './claims.ts';
import { requireRecentProof } from './step-up.ts';
import type { Origin } from './sessions.ts';

const CODE_BYTES = 48;
const TOKEN_BYTES = 32;
const USER_AGENT_MAX = 300;

/** A code for one exchange. @throws forbidden, confirmation_required, not_found */
export async function createImpersonationCode(
  context: Context,
  person: SessionPerson,
  { email, reason }: { email: string; reason: string },
): Promise<{ code: string; expiresAt: string }> {
  requireStaff(context, person);
  await requireRecentProof(context, person);
  const { db, clock } = context;
  const target = await claimsOf(db, email)
    .selectAll('user')
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'There is no account with this address'));
  requireOrdinary(context, target);
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + IMPERSONATION.codeMs).toISOString();
  await db
    .insertInto('impersonation_code')
    .values({ codeHash: hashToken(code), staffId: person.userId, userId: target.id, reason, expiresAt })
    .execute();
  return { code, expiresAt };
}

/** @throws forbidden for accounts of staff */
function requireOrdinary({ config }: Context, user: Row<'user'>): void {
  if (isStaff(config, user)) throw new AppError('forbidden', 'Accounts of staff cannot be impersonated');
}

/** Opens the session that a code was made for. @throws unauthorized for every code that does not work */
export async function exchangeImpersonationCode(
  context: Context,
  code: string,
  origin: Origin,
): Promise<{ token: string; user: Row<'user'>; endsAt: string }> {
  const refusal = new AppError('unauthorized', 'This code is not valid or has expired');
  const { db, clock, config } = context;
  const now = clock.now();
  // Deleted by the first use, whatever its outcome.
  const claim = await db
    .deleteFrom('impersonation_code')
    .where('codeHash', '=', hashToken(code))
    .returning(['staffId', 'userId', 'reason', 'expiresAt'])
    .executeTakeFirst();
  if (!claim || Date.parse(claim.expiresAt) <= now.getTime()) throw refusal;
  const [staff, user] = await Promise.all([findUser(db, claim.staffId), findUser(db, claim.userId)]);
  // Either may have changed since the code was made.
  if (!staff || !user || !isStaff(config, staff) || isStaff(config, user)) throw refusal;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const sessionId = newId('session');
  const endsAt = new Date(now.getTime() + IMPERSONATION.sessionMs).toISOString();
  await writeInRealm(context, user.id, systemActor, async (tx) => {
    const at = tx.now.toISOString();
    await tx.trx
      .insertInto('session')
      .values({
        id: sessionId,
        tokenHash: hashToken(token),
        userId: user.id,
        impersonator: staff.id,
        userAgent: (origin.userAgent ?? '').slice(0, USER_AGENT_MAX),
        created: at,
        updated: at,
        expiresAt: endsAt,
        endsAt,
      })
      .execute();
    await tx.trx
      .insertInto('impersonation')
      .values({ sessionId, staffId: staff.id, userId: user.id, reason: claim.reason, started: at, endsAt })
      .execute();
    const actor = { userId: user.id, impersonatorId: staff.id };
    await emit(tx, 'impersonation.started', { actor, reason: claim.reason });
    await tx.enqueue(
      'impersonation.end',
      { sessionId },
      { afterSeconds: Math.ceil(IMPERSONATION.sessionMs / 1_000) },
    );
  });
  return { token, user, endsAt };
}

/** Ends an impersonation, once, with a notice to the person; does nothing for other sessions. */
export async function endImpersonation(context: Context, sessionId: string): Promise<void> {
  const found = await context.db
    .selectFrom('impersonation')
    .select('userId')
    .where('sessionId', '=', sessionId)
    .where('ended', 'is', null)
    .executeTakeFirst();
  if (!found) return;
  await writeInRealm(context, found.userId, systemActor, async (tx) => {
    const ended = await tx.trx
      .updateTable('impersonation')
      .set({ ended: tx.now.toISOString() })
      .where('sessionId', '=', sessionId)
      .where('ended', 'is', null)
      .returning(['userId', 'staffId', 'reason'])
      .executeTakeFirst();
    if (!ended) return;
    await tx.trx.deleteFrom('session').where('id', '=', sessionId).execute();
    const { userId, staffId, reason } = ended;
    const actor = { userId, impersonatorId: staffId };
    await emit(tx, 'impersonation.ended', { actor, reason, sessionId });
  });
}

/** Ends what has run out or lost its session, for example with a new password, and forgets unused codes. */
export async function endOverdueImpersonations(context: Context, now: Date): Promise<void> {
  const at = now.toISOString();
  await context.db.deleteFrom('impersonation_code').where('expiresAt', '<=', at).execute();
  const due = await context.db
    .selectFrom('impersonation')
    .leftJoin('session', 'session.id', 'impersonation.sessionId')
    .select('impersonation.sessionId')
    .where('impersonation.ended', 'is', null)
    .where((row) => row.or([row('impersonation.endsAt', '<=', at), row('session.id', 'is', null)]))
    .execute();
  for (const { sessionId } of due) await endImpersonation(context, sessionId);
}

function findUser(db: Context['db'], id: Id<'user'>): Promise<Row<'user'> | undefined> {
  return db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
}
