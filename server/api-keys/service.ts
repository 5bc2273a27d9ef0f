/**
 * API keys of a workspace: created with a secret that is shown once and stored as a hash, listed to those who may see
 * them, and revoked. Their owner is notified of both.
 */
import { authorize } from '#shared/define/access.ts';
import { API_KEY_DAYS } from '#shared/api-keys/limits.ts';
import { DAY_MS } from '#shared/constants.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { can } from '#shared/permissions.ts';
import { isLimitable, type Scope } from '#shared/api-keys/scopes.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../db/entity-columns.ts';
import { actorIn } from '../db/run-mutation.ts';
import { writeInRealm } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { Member, SessionPerson } from '../http/call.ts';
import { hashToken } from '../http/credentials.ts';
import { refuseImpersonation, requireProvenPerson } from '../http/person-checks.ts';
import { requireReadableSpaces } from '../spaces/service.ts';

const COLUMNS = columnsOf('api_key', []);

/** Input for a new key; no `expiresAt` means a year, null means never. */
export interface NewKey {
  name: string;
  scopes: Scope[];
  /** Null means every space that the person can see. */
  spaceIds: Id<'space'>[] | null;
  expiresAt?: string | null | undefined;
}

/** The keys of the workspace that this member may see. @throws forbidden for positions without keys */
export function keysFor({ db }: Pick<Context, 'db'>, actor: Member) {
  authorize(actor, 'api_key.read', { ownerId: actor.userId });
  const keys = db.selectFrom('api_key').select(COLUMNS).where('workspaceId', '=', actor.workspaceId);
  return can(actor, 'api_key.read') ? keys : keys.where('ownerId', '=', actor.userId);
}

/** One of the keys that this member may see. @throws not_found, forbidden */
export async function getKey(
  context: Pick<Context, 'db'>,
  actor: Member,
  id: Id<'api_key'>,
): Promise<Row<'api_key'>> {
  return keysFor(context, actor)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'API key not found'));
}

/** Creates a key and returns it with its secret. @throws forbidden, invalid */
export async function createKey(
  context: Context,
  actor: SessionPerson & Member,
  { name, scopes, spaceIds, expiresAt }: NewKey,
): Promise<Row<'api_key'> & { secret: Id<'api_key_token'> }> {
  refuseImpersonation(actor, 'API keys cannot be created while impersonating');
  requireProvenPerson(actor);
  const { value } = await writeInRealm(context, actor.workspaceId, actor, async (tx) => {
    authorize(await actorIn(tx, actor.userId), 'api_key.create');
    if (expiresAt && Date.parse(expiresAt) <= tx.now.getTime()) {
      throw new AppError('invalid', 'expiresAt: choose a time in the future');
    }
    if (spaceIds !== null) {
      const spaceless = scopes.filter((scope) => !isLimitable(scope));
      if (spaceless.length > 0) {
        throw new AppError('invalid', `scopes: ${spaceless.join(', ')} cannot be limited to spaces`);
      }
      await requireReadableSpaces(tx.trx, actor, spaceIds);
    }
    const secret = newId('api_key_token');
    const now = tx.now.toISOString();
    const inAYear = new Date(tx.now.getTime() + API_KEY_DAYS * DAY_MS).toISOString();
    const key = {
      id: newId('api_key'),
      workspaceId: actor.workspaceId,
      ownerId: actor.userId,
      name,
      scopes,
      spaceIds,
      last4: secret.slice(-4),
      expiresAt: expiresAt === undefined ? inAYear : expiresAt,
      lastUsedAt: null,
      created: now,
      updated: now,
    };
    await tx.trx
      .insertInto('api_key')
      .values({ ...key, tokenHash: hashToken(secret) })
      .execute();
    await emit(tx, 'api_key.created', {
      actor,
      target: key,
      scopes: scopes.join(' '),
      spaces: spaceIds?.length ?? 'all',
      last4: key.last4,
      expiresAt: key.expiresAt,
    });
    // Part of the outcome, so that a request that is repeated after a crash returns the secret of the key it made.
    return { ...key, secret };
  });
  return value;
}

/** Revokes a key. @throws not_found, forbidden */
export async function revokeKey(context: Context, actor: Member, id: Id<'api_key'>): Promise<void> {
  const key = await getKey(context, actor, id);
  await writeInRealm(context, actor.workspaceId, actor, async (tx) => {
    authorize(await actorIn(tx, actor.userId), 'api_key.remove', { ownerId: key.ownerId });
    const { numDeletedRows } = await tx.trx
      .deleteFrom('api_key')
      .where('workspaceId', '=', key.workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new AppError('not_found', 'API key not found');
    await emit(tx, 'api_key.revoked', { actor, target: key, last4: key.last4 });
  });
}
