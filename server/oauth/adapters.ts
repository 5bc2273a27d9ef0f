/**
 * Where the provider library stores what it issues. Values are stored as SHA-256 and put back into the payload when they are
 * read; codes and refresh tokens are consumed by a conditional update, because the library does not look at the outcome of a
 * consumption and would let parallel requests both succeed.
 */
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { z } from 'zod';
import { isScope, type Scope } from '#shared/api-keys/scopes.ts';
import { OAUTH } from '#shared/oauth/limits.ts';
import type { Context } from '../context.ts';
import { hashToken } from '../http/credentials.ts';
import type { Decider } from './authorization-run.ts';
import { findRegistered, storeRegistered } from './client-store.ts';

type Parts = Pick<Context, 'db' | 'clock'>;

/** The adapter of a model of the library. @throws for models that no enabled feature uses */
export function createAdapter(parts: Parts, model: string): Adapter {
  const make = ADAPTERS[model];
  return make ? make(parts) : unused(model);
}

const ADAPTERS: Readonly<Record<string, (parts: Parts) => Adapter>> = {
  Client: clientAdapter,
  Grant: (parts) => grantAdapter(parts),
  AccessToken: accessTokenAdapter,
  AuthorizationCode: (parts) => onceAdapter(parts, 'oauth_code'),
  RefreshToken: (parts) => onceAdapter(parts, 'oauth_refresh'),
  // They end with the request that they belong to.
  Session: () => ({ ...unused('Session'), upsert: async () => {} }),
  Interaction: () => ({ ...unused('Interaction'), upsert: async () => {} }),
};

const unexpected = (what: string) => async (): Promise<never> => {
  throw new Error(`The provider asked for ${what}, which no enabled feature needs`);
};

function unused(model: string): Adapter {
  const fail = unexpected(model);
  return {
    upsert: fail,
    find: fail,
    findByUserCode: fail,
    findByUid: fail,
    consume: fail,
    destroy: fail,
    revokeByGrantId: fail,
  };
}

function clientAdapter(parts: Parts): Adapter {
  return {
    ...unused('Client'),
    upsert: (_id, payload) => storeRegistered(parts, payload),
    find: (identifier) => findRegistered(parts, identifier),
  };
}

/** The stored form of a payload: without the value that it is found by. */
function stored({ jti: _jti, ...payload }: AdapterPayload): string {
  return JSON.stringify(payload);
}

function expiry(
  { clock }: Parts,
  seconds: number = OAUTH.accessSeconds,
): { created: string; expiresAt: string } {
  const now = clock.now();
  return {
    created: now.toISOString(),
    expiresAt: new Date(now.getTime() + seconds * 1_000).toISOString(),
  };
}

const isMissingParent = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '23503';

/** A grant may end while a token for it is on its way. @throws invalid_grant */
async function whileGranted(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isMissingParent(error)) throw error;
    throw new errors.InvalidGrant('grant not found');
  }
}

/** Grants, which only a person can give: `decider` for the one that the person decides on. */
export function grantAdapter(parts: Parts, decider?: Decider): Adapter {
  const { db, clock } = parts;
  return {
    ...unused('Grant'),
    async upsert(id, payload) {
      if (!decider?.decision.allow) throw new Error('A grant is stored only for a person who decides');
      const { workspaceId, spaceIds } = decider.decision;
      const client = await db
        .selectFrom('oauth_client')
        .select('id')
        .where('identifier', '=', payload.clientId ?? '')
        .executeTakeFirstOrThrow(() => new errors.InvalidClient('client not found'));
      const now = clock.now().toISOString();
      await whileGranted(() =>
        db
          .insertInto('oauth_grant')
          .values({
            id,
            clientId: client.id,
            workspaceId,
            userId: decider.userId,
            spaceIds,
            scopes: scopesOf(payload),
            payload: stored(payload),
            created: now,
            lastUsedAt: now,
          })
          .execute(),
      );
      await db.updateTable('oauth_client').set({ lastUsedAt: now }).where('id', '=', client.id).execute();
    },
    async find(id) {
      const row = await db
        .selectFrom('oauth_grant')
        .select('payload')
        .where('id', '=', id)
        .executeTakeFirst();
      return row && { ...row.payload, jti: id };
    },
    destroy: (id) => endGrant(parts, id),
  };
}

const grantedScope = z.object({ openid: z.object({ scope: z.string() }) });

function scopesOf(payload: AdapterPayload): Scope[] {
  return grantedScope.parse(payload).openid.scope.split(' ').filter(isScope);
}

/** Ends a consent and all tokens that were issued for it. */
async function endGrant({ db }: Parts, grantId: string): Promise<void> {
  await db.deleteFrom('oauth_grant').where('id', '=', grantId).execute();
}

function accessTokenAdapter(parts: Parts): Adapter {
  const { db, clock } = parts;
  return {
    ...unused('AccessToken'),
    async upsert(id, payload, expiresIn) {
      const grantId = payload.grantId ?? '';
      const grant = await db
        .selectFrom('oauth_grant')
        .select(['workspaceId', 'userId', 'clientId', 'spaceIds'])
        .where('id', '=', grantId)
        .executeTakeFirstOrThrow(() => new errors.InvalidGrant('grant not found'));
      const { aud, scope = '' } = payload;
      await whileGranted(() =>
        db
          .insertInto('oauth_token')
          .values({
            ...grant,
            ...expiry(parts, expiresIn),
            grantId,
            tokenHash: hashToken(id),
            payload: stored(payload),
            scopes: scope.split(' ').filter(isScope),
            audience: typeof aud === 'string' ? aud : null,
          })
          .execute(),
      );
      const lastUsedAt = clock.now().toISOString();
      await db.updateTable('oauth_grant').set({ lastUsedAt }).where('id', '=', grantId).execute();
    },
    async find(id) {
      const row = await db
        .selectFrom('oauth_token')
        .select('payload')
        .where('tokenHash', '=', hashToken(id))
        .where('expiresAt', '>', clock.now().toISOString())
        .executeTakeFirst();
      return row && { ...row.payload, jti: id };
    },
    async destroy(id) {
      await db.deleteFrom('oauth_token').where('tokenHash', '=', hashToken(id)).execute();
    },
    async revokeByGrantId(grantId) {
      await db.deleteFrom('oauth_token').where('grantId', '=', grantId).execute();
    },
  };
}

/**
 * Single-use codes and refresh tokens. Reuse within a grace period counts as a repetition and is only refused; later it
 * means that another party has the value (RFC 6749, section 4.1.2), so the grant ends.
 */
function onceAdapter(parts: Parts, kind: 'oauth_code' | 'oauth_refresh'): Adapter {
  const { db, clock } = parts;
  // The two tables have the same columns, which the types of a union of tables do not express.
  const table = kind as 'oauth_code';
  const byValue = (id: string) => db.selectFrom(table).where('valueHash', '=', hashToken(id));
  return {
    ...unused(table),
    async upsert(id, payload, expiresIn) {
      const grantId = payload.grantId ?? '';
      const values = { valueHash: hashToken(id), grantId, payload: stored(payload) };
      await whileGranted(() =>
        db
          .insertInto(table)
          .values({ ...values, ...expiry(parts, expiresIn) })
          .execute(),
      );
    },
    async find(id) {
      const now = clock.now();
      const row = await byValue(id)
        .select(['payload', 'consumedAt'])
        .where('expiresAt', '>', now.toISOString())
        .executeTakeFirst();
      if (!row) return undefined;
      const payload = { ...row.payload, jti: id };
      if (row.consumedAt === null) return payload;
      const consumed = Date.parse(row.consumedAt);
      // The library ends the whole grant when it reads a consumed value; within the grace period it reads none as consumed.
      if (now.getTime() - consumed < OAUTH.repetitionMs) return undefined;
      return { ...payload, consumed: Math.floor(consumed / 1_000) };
    },
    async consume(id) {
      const consumed = await db
        .updateTable(table)
        .set({ consumedAt: clock.now().toISOString() })
        .where('valueHash', '=', hashToken(id))
        .where('consumedAt', 'is', null)
        .executeTakeFirst();
      if (consumed.numUpdatedRows === 0n) throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      await db.deleteFrom(table).where('valueHash', '=', hashToken(id)).execute();
    },
    async revokeByGrantId(grantId) {
      await db.deleteFrom(table).where('grantId', '=', grantId).execute();
    },
  };
}
