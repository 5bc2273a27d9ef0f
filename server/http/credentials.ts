/**
 * Resolves the bearer header to a person and the credential behind it: a session, an API key or an OAuth token. Tokens
 * in cookies are ignored and tokens in the address are refused. What a credential may do is decided here for every row
 * of the table of endpoints; positions are read anew for every request, so a removed member's key stops at once.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { isSessionCall, scopesOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { CREDENTIAL_TOUCH_MS, SESSION } from '#shared/accounts/limits.ts';
import { DAY_MS } from '#shared/constants.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import { can, type Actor, type Position } from '#shared/permissions.ts';
import type { Scope } from '#shared/api-keys/scopes.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { planOnce } from '../db/prepared-statements.ts';
import { isGuestIn } from '../sync/readable.ts';
import type { Credential, Member, Person, SessionPerson } from './call.ts';

/** Names under which clients have been seen to put a token into an address. */
const TOKEN_PARAMETERS = ['access_token', 'token', 'auth_token', 'auth_session', 'bearer', 'api_key'];
const BEARER = /^Bearer +([A-Za-z0-9_.~+/-]{16,512}=*) *$/i;

/** Stored form of a session token, a key or an OAuth token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** @throws unauthorized when the address contains a token, even a valid one: addresses end up in logs and histories */
export function refuseQueryTokens(query: Readonly<Record<string, unknown>>): void {
  if (TOKEN_PARAMETERS.some((name) => Object.hasOwn(query, name))) {
    throw new AppError('unauthorized', 'Send the token in the Authorization header, never in the address');
  }
}

/** A person with the standing in one workspace that was read in the same statement; null for strangers. */
export interface Identified {
  person: Person;
  membership: { workspaceId: Id<'workspace'>; position: Actor['position'] | null } | undefined;
  /** Records the use of the credential; called for authorized calls. */
  recordUse?: () => Promise<unknown>;
}

/** The workspace of a call, and the resource that its token must be bound to when that is not the API. */
interface Asked {
  workspaceId?: Id<'workspace'> | undefined;
  audience?: string | undefined;
}

type Identify = (context: Context, token: string, asked: Asked) => Promise<Identified>;

const IDENTIFY: Record<Credential['kind'], Identify> = {
  session: identifySession,
  api_key: identifyApiKey,
  oauth_token: identifyOauthToken,
};

function tokenOf(authorization: string | undefined): { token: string; kind: Credential['kind'] } | undefined {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  if (isId('api_key_token', token)) return { token, kind: 'api_key' };
  return { token, kind: isId('oauth_token', token) ? 'oauth_token' : 'session' };
}

/** Whether the header contains a key or an OAuth token, whose values are shorter than those of sessions. */
export function carriesKey(authorization: string | undefined): boolean {
  const given = tokenOf(authorization);
  return given !== undefined && given.kind !== 'session';
}

/** The person behind an Authorization header. @throws unauthorized */
export async function authenticate(context: Context, authorization: string | undefined): Promise<Person> {
  return (await identify(context, authorization, {})).person;
}

/** The person behind an interactive session. @throws unauthorized; forbidden for keys and tokens */
export async function authenticateSession(
  context: Context,
  authorization: string | undefined,
): Promise<SessionPerson> {
  const person = await authenticate(context, authorization);
  const { credential } = person;
  if (credential.kind !== 'session') throw sessionRequired();
  return { ...person, credential, spaceIds: null };
}

/** The same as `authenticate`, with the membership that the call needs next. @throws unauthorized */
export async function identify(
  context: Context,
  authorization: string | undefined,
  asked: Asked,
): Promise<Identified> {
  const given = tokenOf(authorization);
  if (given === undefined) throw new AppError('unauthorized', 'Sign in first');
  return IDENTIFY[given.kind](context, given.token, asked);
}

/** Whether the credential may make this call at all. @throws forbidden */
export function authorizeCall(endpoint: AnyEndpoint, { credential, spaceIds }: Person): void {
  if (credential.kind === 'session') return;
  if (isSessionCall(endpoint)) throw sessionRequired();
  if (spaceIds !== null && endpoint.limitable !== true) {
    throw new AppError('forbidden', 'This call needs a key or token for the whole workspace');
  }
  requireScopes(credential, scopesOf(endpoint));
}

/** For a call that, with some arguments, does more than the scope of its row allows. @throws forbidden */
export function requireScopes(credential: Credential, scopes: readonly Scope[]): void {
  if (credential.kind === 'session') return;
  const missing = scopes.filter((scope) => !credential.scopes.includes(scope));
  if (missing.length > 0) {
    throw new AppError('forbidden', `The key or token lacks the scope ${missing.join(', ')}`, { scopes });
  }
}

function sessionRequired(): AppError {
  return new AppError('forbidden', 'This call needs a signed-in person; keys and tokens may not make it');
}

interface SessionRow {
  sessionId: string;
  impersonator: Id<'user'> | null;
  touched: string;
  endsAt: string;
  position: Actor['position'] | null;
}

async function identifySession(
  context: Context,
  token: string,
  { workspaceId, audience }: Asked,
): Promise<Identified> {
  if (audience !== undefined)
    throw new AppError('unauthorized', 'Connect with OAuth, or send an API key as a bearer token');
  const now = context.clock.now();
  const { rows } = await sql<SessionRow & Row<'user'>>`
    select u.*, s."id" as "sessionId", s."impersonator", s."updated" as "touched", s."endsAt",
      coalesce((select m."position" from "workspace_member" m join "workspace" w on w."id" = m."workspaceId"
        where m."workspaceId" = ${workspaceId ?? null} and m."userId" = u."id" and w."deletedAt" is null),
        case when ${isGuestIn(workspaceId ?? null, sql.ref('u.id'))} then 'guest' end) as "position"
    from "session" s join "user" u on u."id" = s."userId"
    where s."tokenHash" = ${hashToken(token)} and s."expiresAt" > ${now.toISOString()}
      and s."endsAt" > ${now.toISOString()} ${planOnce}`.execute(context.db);
  const found = rows[0];
  if (!found) throw new AppError('unauthorized', 'The session has ended, please sign in again');
  const { sessionId, impersonator, touched, endsAt, position, ...user } = found;
  if (isStale(now, touched)) await touchSession(context, sessionId, endsAt);
  const credential: Credential = { kind: 'session', id: sessionId, impersonator };
  const person = { userId: user.id, user, credential, spaceIds: null };
  return { person, membership: workspaceId && { workspaceId, position } };
}

/** Use extends a session, up to its absolute end. */
async function touchSession(context: Context, sessionId: string, endsAt: string): Promise<void> {
  const now = context.clock.now();
  const idleEnd = new Date(now.getTime() + SESSION.idleDays * DAY_MS).toISOString();
  await context.db
    .updateTable('session')
    .set({ updated: now.toISOString(), expiresAt: idleEnd < endsAt ? idleEnd : endsAt })
    .where('id', '=', sessionId)
    .execute();
}

interface GrantRow {
  workspaceId: Id<'workspace'>;
  scopes: Scope[];
  spaceIds: Id<'space'>[] | null;
  position: Position;
}

interface ApiKeyRow extends GrantRow {
  keyId: Id<'api_key'>;
  lastUsedAt: string | null;
}

async function identifyApiKey(context: Context, token: string): Promise<Identified> {
  const now = context.clock.now();
  const { rows } = await sql<ApiKeyRow & Row<'user'>>`
    select u.*, k."id" as "keyId", k."workspaceId", k."scopes", k."spaceIds", k."lastUsedAt", m."position"
    from "api_key" k ${across('credential')}
      join "user" u on u."id" = k."ownerId"
      join "workspace_member" m on m."workspaceId" = k."workspaceId" and m."userId" = k."ownerId"
      join "workspace" w on w."id" = k."workspaceId" and w."deletedAt" is null
    where k."tokenHash" = ${hashToken(token)} and (k."expiresAt" is null or k."expiresAt" > ${now.toISOString()})
      and not exists (select 1 from "account_deletion" d where d."userId" = u."id") ${planOnce}`.execute(
    context.db,
  );
  const found = rows[0];
  if (!found) throw new AppError('unauthorized', 'This API key is not valid');
  const { keyId, workspaceId, scopes, spaceIds, lastUsedAt, position, ...user } = found;
  if (!can({ userId: user.id, position }, 'api_key.create')) {
    throw new AppError('forbidden', 'Your position in this workspace does not allow API keys');
  }
  const credential: Credential = { kind: 'api_key', id: keyId, workspaceId, scopes };
  const identified = {
    person: { userId: user.id, user, credential, spaceIds },
    membership: { workspaceId, position },
  };
  if (lastUsedAt !== null && !isStale(now, lastUsedAt)) return identified;
  const recordUse = () =>
    sql`
      update "api_key" set "lastUsedAt" = ${now.toISOString()}
      where "workspaceId" = ${workspaceId} and "id" = ${keyId}`.execute(context.db);
  return { ...identified, recordUse };
}

interface OauthTokenRow extends GrantRow {
  tokenHash: string;
  clientId: string;
}

async function identifyOauthToken(context: Context, token: string, { audience }: Asked): Promise<Identified> {
  const now = context.clock.now();
  const api = `${context.config.appOrigin}/v1`;
  const { rows } = await sql<OauthTokenRow & Row<'user'>>`
    select u.*, t."tokenHash", t."clientId", t."workspaceId", t."scopes", t."spaceIds", m."position"
    from "oauth_token" t
      join "user" u on u."id" = t."userId"
      join "workspace_member" m on m."workspaceId" = t."workspaceId" and m."userId" = t."userId"
      join "workspace" w on w."id" = t."workspaceId" and w."deletedAt" is null
    where t."tokenHash" = ${hashToken(token)} and t."expiresAt" > ${now.toISOString()}
      and coalesce(t."audience", ${api}) = ${audience ?? api}
      and not exists (select 1 from "account_deletion" d where d."userId" = u."id") ${planOnce}`.execute(
    context.db,
  );
  const found = rows[0];
  if (!found) throw new AppError('unauthorized', 'This access token is not valid');
  const { tokenHash, clientId, workspaceId, scopes, spaceIds, position, ...user } = found;
  const credential: Credential = {
    kind: 'oauth_token',
    id: tokenHash,
    clientId,
    workspaceId,
    scopes,
  };
  return { person: { userId: user.id, user, credential, spaceIds }, membership: { workspaceId, position } };
}

function isStale(now: Date, touched: string): boolean {
  return now.getTime() - Date.parse(touched) >= CREDENTIAL_TOUCH_MS;
}

/** The one workspace that the credential opens; undefined when it gives access to all of the person's. */
export function onlyWorkspaceOf({ credential }: Pick<Person, 'credential'>): Id<'workspace'> | undefined {
  return credential.kind === 'session' ? undefined : credential.workspaceId;
}

/**
 * The person as member of a workspace, or as a guest where guests are allowed. @throws forbidden, the same for unknown
 * workspaces, for those of others and for those that the key or token was not made for
 */
export async function memberOf<P extends Person>(
  context: Context,
  person: P,
  workspaceId: Id<'workspace'>,
  {
    known: membership,
    guests = false,
  }: { known?: Identified['membership']; guests?: boolean | undefined } = {},
): Promise<P & Member> {
  const only = onlyWorkspaceOf(person);
  if (only !== undefined && only !== workspaceId) throw notMember();
  const known = membership?.workspaceId === workspaceId ? membership.position : undefined;
  const position = known === undefined ? await positionIn(context, person.userId, workspaceId) : known;
  if (position === null || (position === 'guest' && !guests)) throw notMember();
  return { ...person, workspaceId, position };
}

function notMember(): AppError {
  return new AppError('forbidden', 'You are not a member of this workspace');
}

export async function positionIn(
  context: Context,
  userId: Id<'user'>,
  workspaceId: Id<'workspace'>,
): Promise<Actor['position'] | null> {
  const found = await context.db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspaceId')
    .select('workspace_member.position')
    .where('workspace_member.workspaceId', '=', workspaceId)
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null)
    .executeTakeFirst();
  if (found !== undefined) return found.position;
  const { rows } = await sql`select 1 where ${isGuestIn(workspaceId, userId)}`.execute(context.db);
  return rows.length > 0 ? 'guest' : null;
}
