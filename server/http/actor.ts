/**
 * Who calls: the bearer header and nothing else (SECURITY 3.1). Tokens in cookies are not looked at, tokens in the
 * address are refused. A person's position in a workspace is read anew for every request.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { SESSION } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Row } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
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

/** A person, and the position in the workspace that was asked about in the same breath; null for strangers. */
export interface Identified {
  person: Person;
  membership: { workspaceId: Id<'workspace'>; position: Position | null } | undefined;
}

interface SessionRow {
  user: Row<'user'>;
  sessionId: string;
  impersonator: Id<'user'> | null;
  touched: string;
  endsAt: string;
  position: Position | null;
}

/** The person behind an Authorization header. @throws unauthorized */
export async function authenticate(context: Context, authorization: string | undefined): Promise<Person> {
  return (await identify(context, authorization, undefined)).person;
}

/** The same in one statement with the membership that the call needs next. @throws unauthorized */
export async function identify(
  context: Context,
  authorization: string | undefined,
  workspaceId: Id<'workspace'> | undefined,
): Promise<Identified> {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new AppError('unauthorized', 'Sign in first');
  const now = context.clock.now();
  const { rows } = await sql<Omit<SessionRow, 'user'> & Row<'user'>>`
    select u.*, s."id" as "sessionId", s."impersonator", s."updated" as "touched", s."endsAt",
      (select m."position" from "workspace_member" m join "workspace" w on w."id" = m."workspaceId"
       where m."workspaceId" = ${workspaceId ?? null} and m."userId" = u."id" and w."deletedAt" is null) as "position"
    from "session" s join "user" u on u."id" = s."userId"
    where s."tokenHash" = ${hashToken(token)} and s."expiresAt" > ${now.toISOString()}
      and s."endsAt" > ${now.toISOString()} ${planOnce}`.execute(context.db);
  const found = rows[0];
  if (!found) throw new AppError('unauthorized', 'The session has ended, please sign in again');
  const { sessionId, impersonator, touched, endsAt, position, ...user } = found;
  if (now.getTime() - Date.parse(touched) >= SESSION.touchMs) await touch(context, sessionId, endsAt);
  const person = { userId: user.id, user, sessionId, impersonator };
  return { person, membership: workspaceId && { workspaceId, position } };
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
  membership?: Identified['membership'],
): Promise<Member> {
  const known = membership?.workspaceId === workspaceId ? membership.position : undefined;
  const position = known === undefined ? await positionIn(context, person.userId, workspaceId) : known;
  if (position === null) throw new AppError('forbidden', 'You are not a member of this workspace');
  return { ...person, workspaceId, position };
}

async function positionIn(
  context: Context,
  userId: Id<'user'>,
  workspaceId: Id<'workspace'>,
): Promise<Position | null> {
  const found = await context.db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspaceId')
    .select('workspace_member.position')
    .where('workspace_member.workspaceId', '=', workspaceId)
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null)
    .executeTakeFirst();
  return found?.position ?? null;
}
