/**
 * Who calls: the bearer header and nothing else (SECURITY 3.1). Tokens in cookies are not looked at, tokens in the
 * address are refused. A person's position in a workspace is read anew for every request.
 */
import { createHash } from 'node:crypto';
import { SESSION } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { planOnce } from '../db/prepared-statements.ts';
import type { Member, Person } from './call.ts';

/** Names under which clients have been seen to put a token into an address. */
const TOKEN_PARAMETERS = ['access_token', 'token', 'auth_token', 'auth_session', 'bearer', 'api_key'];
const BEARER = /^Bearer +([A-Za-z0-9_.~+/-]{16,512}=*) *$/i;
const DAY_MS = 86_400_000;

/** What is stored of a session token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** @throws unauthorized when the address carries a token, even a valid one: addresses end up in logs and histories */
export function refuseQueryTokens(query: Readonly<Record<string, unknown>>): void {
  if (TOKEN_PARAMETERS.some((name) => Object.hasOwn(query, name))) {
    throw new AppError('unauthorized', 'Send the token in the Authorization header, never in the address');
  }
}

/** The person behind an Authorization header. @throws unauthorized */
export async function authenticate(context: Context, authorization: string | undefined): Promise<Person> {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new AppError('unauthorized', 'Sign in first');
  const now = context.clock.now();
  const found = await context.db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .selectAll('user')
    .select(['session.id as sessionId', 'session.impersonator', 'session.updated as touched'])
    .select(['session.endsAt'])
    .where('session.tokenHash', '=', hashToken(token))
    .where('session.expiresAt', '>', now.toISOString())
    .where('session.endsAt', '>', now.toISOString())
    .modifyEnd(planOnce)
    .executeTakeFirst();
  if (!found) throw new AppError('unauthorized', 'The session has ended, please sign in again');
  const { sessionId, impersonator, touched, endsAt, ...user } = found;
  if (now.getTime() - Date.parse(touched) >= SESSION.touchMs) await touch(context, sessionId, endsAt);
  return { userId: user.id, user, sessionId, impersonator };
}

/** Use keeps a session alive, up to its absolute end. */
async function touch(context: Context, sessionId: string, endsAt: string): Promise<void> {
  const now = context.clock.now();
  const idleEnd = new Date(now.getTime() + SESSION.idleDays * DAY_MS).toISOString();
  await context.db
    .updateTable('session')
    .set({ updated: now.toISOString(), expiresAt: idleEnd < endsAt ? idleEnd : endsAt })
    .where('id', '=', sessionId)
    .execute();
}

/** The person as member of a workspace. @throws forbidden, the same for unknown workspaces as for other people's */
export async function memberOf(
  context: Context,
  person: Person,
  workspaceId: Id<'workspace'>,
): Promise<Member> {
  const found = await context.db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspaceId')
    .select('workspace_member.position')
    .where('workspace_member.workspaceId', '=', workspaceId)
    .where('workspace_member.userId', '=', person.userId)
    .where('workspace.deletedAt', 'is', null)
    .modifyEnd(planOnce)
    .executeTakeFirst();
  if (!found) throw new AppError('forbidden', 'You are not a member of this workspace');
  return { ...person, workspaceId, position: found.position };
}
