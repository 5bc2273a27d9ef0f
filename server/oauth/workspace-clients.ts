/** The OAuth clients of a workspace, registered and managed by its owners and admins. A secret is shown once. */
import { randomBytes } from 'node:crypto';
import { SCOPE_NAMES } from '#shared/api-keys/scopes.ts';
import { OAUTH } from '#shared/oauth/limits.ts';
import { authorize } from '#shared/define/access.ts';
import type { BodyOf, ResultOf } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { oauthEndpoints } from '#shared/oauth/endpoints.ts';
import { isNativeClient } from '#shared/oauth/redirect-uri.ts';
import type { Context } from '../context.ts';
import { insertWithinLimit } from '../db/insert-within-limit.ts';
import type { Database } from '../db/database.ts';
import { emit } from '../events/emit.ts';
import type { Member, SessionPerson } from '../http/call.ts';
import { hashToken } from '../http/credentials.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { PUBLIC_COLUMNS } from './client-store.ts';
import type { SelfDescription } from '#shared/oauth/client-metadata.ts';

type Manager = SessionPerson & Member;
type Managed = ResultOf<(typeof oauthEndpoints)['oauth_client.get']>;
type Fields = BodyOf<(typeof oauthEndpoints)['oauth_client.update']>;

/** The clients of the workspace, for lists. @throws forbidden */
export function clientsOf({ db }: Pick<Context, 'db'>, actor: Member) {
  authorize(actor, 'oauth.register_client');
  return db
    .selectFrom('oauth_client')
    .select([...PUBLIC_COLUMNS, 'workspaceVerified', 'lastUsedAt', 'metadata', 'secretHash'])
    .where('workspaceId', '=', actor.workspaceId);
}

/** A stored client with the facts of its metadata in place of the metadata. */
export function inspected<C extends { metadata: Partial<SelfDescription>; secretHash: string | null }>({
  metadata,
  secretHash,
  ...shown
}: C) {
  return { ...shown, redirectUris: metadata.redirect_uris ?? [], confidential: secretHash !== null };
}

/** One client of the workspace. @throws not_found, forbidden */
export async function getClient(context: Context, actor: Member, id: Id<'oauth_client'>): Promise<Managed> {
  const found = await clientsOf(context, actor).where('id', '=', id).executeTakeFirstOrThrow(notFound);
  return inspected(found);
}

/** Registers a client. @throws forbidden, conflict */
export async function createClient(
  context: Context,
  actor: Manager,
  { confidential, ...fields }: Fields & { confidential: boolean },
): Promise<Managed & { secret: string | null }> {
  requireManager(actor);
  const { db, clock } = context;
  const id = newId('oauth_client');
  const secret = confidential ? newSecret() : null;
  const now = clock.now().toISOString();
  const { redirectUris, ...shown } = fields;
  const limit = { workspaceId: actor.workspaceId, most: OAUTH.clientsPerWorkspace, plural: 'clients' };
  await insertWithinLimit(db, { table: 'oauth_client', ...limit }, async (trx) => {
    await trx
      .insertInto('oauth_client')
      .values({
        id,
        identifier: id,
        workspaceId: actor.workspaceId,
        createdBy: actor.userId,
        ...shown,
        metadata: JSON.stringify(metadataOf(fields.name, redirectUris, confidential)),
        secretHash: secret === null ? null : hashToken(secret),
        verified: false,
        lastUsedAt: null,
        created: now,
        updated: now,
      })
      .execute();
    await emit(txOf(context, trx), 'oauth_client.created', { actor, target: { id, name: fields.name } });
  });
  return { ...(await getClient(context, actor, id)), secret };
}

/** Replaces the description of a client. @throws not_found, forbidden */
export async function updateClient(
  context: Context,
  actor: Manager,
  id: Id<'oauth_client'>,
  { redirectUris, ...shown }: Fields,
): Promise<Managed> {
  requireManager(actor);
  const { confidential } = await getClient(context, actor, id);
  const metadata = JSON.stringify(metadataOf(shown.name, redirectUris, confidential));
  await context.db
    .updateTable('oauth_client')
    // It was verified as it described itself then.
    .set({
      ...shown,
      metadata,
      verified: false,
      workspaceVerified: false,
      updated: context.clock.now().toISOString(),
    })
    .where('id', '=', id)
    .where('workspaceId', '=', actor.workspaceId)
    .execute();
  return getClient(context, actor, id);
}

/** Verifies a client for the members of the workspace. @throws not_found, forbidden */
export async function verifyClient(
  context: Context,
  actor: Manager,
  id: Id<'oauth_client'>,
  { verified }: { verified: boolean },
): Promise<Managed> {
  requireManager(actor, 'oauth.verify_client');
  const { name } = await getClient(context, actor, id);
  await context.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('oauth_client')
      .set({ workspaceVerified: verified })
      .where('id', '=', id)
      .where('workspaceId', '=', actor.workspaceId)
      .execute();
    const target = { id, name };
    await emit(txOf(context, trx), 'oauth_client.verified', { actor, target, verified, by: 'owner' });
  });
  return getClient(context, actor, id);
}

/** Replaces the secret. @throws not_found, forbidden, conflict */
export async function renewSecret(
  context: Context,
  actor: Manager,
  id: Id<'oauth_client'>,
): Promise<{ secret: string }> {
  requireManager(actor);
  const { confidential, name } = await getClient(context, actor, id);
  if (!confidential) throw new AppError('conflict', 'This client is public and has no secret');
  const secret = newSecret();
  await context.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('oauth_client')
      .set({ secretHash: hashToken(secret), updated: context.clock.now().toISOString() })
      .where('id', '=', id)
      .where('workspaceId', '=', actor.workspaceId)
      .execute();
    await emit(txOf(context, trx), 'oauth_client.renewed', { actor, target: { id, name } });
  });
  return { secret };
}

/** Removes a client and ends its grants. @throws not_found, forbidden */
export async function removeClient(context: Context, actor: Manager, id: Id<'oauth_client'>): Promise<void> {
  requireManager(actor);
  await context.db.transaction().execute(async (trx) => {
    const removed = await trx
      .deleteFrom('oauth_client')
      .where('id', '=', id)
      .where('workspaceId', '=', actor.workspaceId)
      .returning('name')
      .executeTakeFirstOrThrow(notFound);
    await emit(txOf(context, trx), 'oauth_client.removed', { actor, target: { id, name: removed.name } });
  });
}

const txOf = ({ clock, origin }: Context, trx: Database) => ({ trx, now: clock.now(), origin });

function requireManager(
  actor: Manager,
  action: 'oauth.register_client' | 'oauth.verify_client' = 'oauth.register_client',
): void {
  refuseImpersonation(actor);
  authorize(actor, action);
  if (!actor.user.emailVerified) throw new AppError('forbidden', 'Verify your e-mail address first');
}

function metadataOf(name: string, redirectUris: string[], confidential: boolean): Record<string, unknown> {
  return {
    client_name: name,
    redirect_uris: redirectUris,
    application_type: isNativeClient(redirectUris) ? 'native' : 'web',
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: SCOPE_NAMES.join(' '),
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

const notFound = () => new AppError('not_found', 'OAuth client not found');
