/** Sessions: opening them, and ending those of a person. Only hashes of their tokens are stored. */
import { randomBytes } from 'node:crypto';
import { SESSION } from '#shared/accounts/limits.ts';
import { DAY_MS } from '#shared/constants.ts';
import type { Row } from '#shared/entities.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Database } from '../db/database.ts';
import type { RequestFacts } from '../http/call.ts';
import { hashToken } from '../http/credentials.ts';

const TOKEN_BYTES = 32;
const USER_AGENT_MAX = 300;

export interface Origin {
  address: string | null;
  userAgent: string | undefined;
  /** The `Cookie` header, which may hold the id of a known device. */
  cookies?: string | undefined;
}

export function originOf(request: RequestFacts): Origin {
  return {
    address: request.address,
    userAgent: request.header('user-agent'),
    cookies: request.header('cookie'),
  };
}

export interface SignedIn {
  token: string;
  user: Row<'user'>;
}

/** Opens a session for a person who has proven who they are; an account that was to be deleted stays. */
export async function enterAccount(
  db: Database,
  { user, origin, now }: { user: Row<'user'>; origin: Origin; now: Date },
): Promise<SignedIn> {
  await db.deleteFrom('account_deletion').where('userId', '=', user.id).execute();
  return { token: await openSession(db, { userId: user.id, origin, now }), user };
}

/** Stores a new session and returns its token, which is stored nowhere. */
export async function openSession(
  db: Database,
  { userId, origin, now }: { userId: Id<'user'>; origin: Origin; now: Date },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where((row) =>
      row.or([row('expiresAt', '<=', now.toISOString()), row('endsAt', '<=', now.toISOString())]),
    )
    .execute();
  const after = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  await db
    .insertInto('session')
    .values({
      id: newId('session'),
      tokenHash: hashToken(token),
      userId,
      impersonator: null,
      userAgent: (origin.userAgent ?? '').slice(0, USER_AGENT_MAX),
      created: now.toISOString(),
      updated: now.toISOString(),
      expiresAt: after(SESSION.idleDays),
      endsAt: after(SESSION.absoluteDays),
    })
    .execute();
  return token;
}

/** Ends all sessions of a person but one, and all that OAuth clients were granted. API keys stay. */
export async function endAccess(db: Database, userId: Id<'user'>, keptSessionId?: string): Promise<void> {
  const sessions = db.deleteFrom('session').where('userId', '=', userId);
  await (keptSessionId === undefined ? sessions : sessions.where('id', '!=', keptSessionId)).execute();
  await db.deleteFrom('oauth_grant').where('userId', '=', userId).execute();
}
