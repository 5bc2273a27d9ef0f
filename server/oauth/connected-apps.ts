/** Connected apps of a person, listed by client, and their revocation. */
import { sql } from 'kysely';
import { PAGE_SIZE_MAX } from '#shared/constants.ts';
import type { ListMeta, ResultOf } from '#shared/define/endpoint.ts';
import type { PageQuery } from '#shared/define/list-query.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Scope } from '#shared/api-keys/scopes.ts';
import type { oauthEndpoints } from '#shared/oauth/endpoints.ts';
import type { Context } from '../context.ts';
import { emit } from '../events/emit.ts';
import { PUBLIC_COLUMNS } from './client-store.ts';

type ConnectedApp = ResultOf<(typeof oauthEndpoints)['connected_app.list']>[number];

interface GroupRow {
  clientId: Id<'oauth_client'>;
  workspaceId: Id<'workspace'>;
  scopes: Scope[];
  spaceIds: Id<'space'>[];
  everySpace: boolean;
  created: string;
  lastUsedAt: string;
  total: number;
}

/** The person's apps; several consents for one app and workspace are one entry with all that they allow together. */
export async function listConnectedApps(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: Id<'user'>,
  { page, perPage, orderBy, order }: PageQuery,
): Promise<{ result: ConnectedApp[]; meta: ListMeta }> {
  const now = clock.now().toISOString();
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<GroupRow>`
    select g."clientId", g."workspaceId",
      array(select distinct unnest(string_to_array(string_agg(array_to_string(g."scopes", ' '), ' '), ' '))
        order by 1) as "scopes",
      array(select distinct unnest(string_to_array(string_agg(array_to_string(g."spaceIds", ' '), ' '), ' '))
        order by 1) as "spaceIds",
      bool_or(g."spaceIds" is null) as "everySpace",
      min(g."created") as "created", max(g."lastUsedAt") as "lastUsedAt", count(*) over () as "total"
    from "oauth_grant" g
    where g."userId" = ${userId} and (
      exists (select 1 from "oauth_refresh" r
        where r."grantId" = g."id" and r."consumedAt" is null and r."expiresAt" > ${now})
      or exists (select 1 from "oauth_token" t where t."grantId" = g."id" and t."expiresAt" > ${now})
      or exists (select 1 from "oauth_code" c
        where c."grantId" = g."id" and c."consumedAt" is null and c."expiresAt" > ${now}))
    group by g."clientId", g."workspaceId"
    order by min(g."created") ${direction}, g."clientId", g."workspaceId"
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(db);
  const ids = [...new Set(rows.map(({ clientId }) => clientId))];
  const clients =
    ids.length === 0
      ? []
      : await db
          .selectFrom('oauth_client')
          .select([...PUBLIC_COLUMNS, 'workspaceId', 'workspaceVerified'])
          .where('id', 'in', ids)
          .execute();
  const byId = new Map(clients.map((client) => [client.id, client]));
  const result = rows.flatMap(({ clientId, everySpace, spaceIds, total: _total, ...row }) => {
    const found = byId.get(clientId);
    if (!found) return [];
    const { workspaceId, workspaceVerified, ...client } = found;
    const verified = client.verified || (workspaceVerified && workspaceId === row.workspaceId);
    return [{ ...row, client, verified, spaceIds: everySpace ? null : spaceIds }];
  });
  return { result, meta: { page, perPage, total: rows[0]?.total ?? 0, orderBy, order } };
}

/** All apps of the person, the oldest first. */
export async function connectedAppsOf(
  parts: Pick<Context, 'db' | 'clock'>,
  userId: Id<'user'>,
): Promise<ConnectedApp[]> {
  const found: ConnectedApp[] = [];
  for (let page = 1; ; page += 1) {
    const { result, meta } = await listConnectedApps(parts, userId, {
      page,
      perPage: PAGE_SIZE_MAX,
      orderBy: 'created',
      order: 'asc',
    });
    found.push(...result);
    if (page * meta.perPage >= meta.total) return found;
  }
}

/** Ends all grants of the person to a client in a workspace. @throws not_found */
export async function disconnectApp(
  { db, clock, origin }: Pick<Context, 'db' | 'clock' | 'origin'>,
  userId: Id<'user'>,
  { workspaceId, clientId }: { workspaceId: Id<'workspace'>; clientId: Id<'oauth_client'> },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('oauth_grant')
      .where('userId', '=', userId)
      .where('workspaceId', '=', workspaceId)
      .where('clientId', '=', clientId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new AppError('not_found', 'Connected app not found');
    const client = await trx
      .selectFrom('oauth_client')
      .select('name')
      .where('id', '=', clientId)
      .executeTakeFirst();
    await emit({ trx, now: clock.now(), origin }, 'oauth.disconnected', {
      actor: { userId, workspaceId },
      target: { id: clientId, name: client?.name ?? null },
    });
  });
}

/** Most recent grant of the person to a client; null without one. */
export async function previousGrant(
  { db }: Pick<Context, 'db'>,
  userId: Id<'user'>,
  clientId: Id<'oauth_client'>,
): Promise<{ workspaceId: Id<'workspace'>; spaceIds: Id<'space'>[]; writes: boolean } | null> {
  const found = await db
    .selectFrom('oauth_grant')
    .select(['workspaceId', 'spaceIds', 'scopes'])
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .orderBy('created', 'desc')
    .orderBy('id')
    .executeTakeFirst();
  if (!found) return null;
  const writes = found.scopes.some((scope) => scope.endsWith(':write'));
  return { workspaceId: found.workspaceId, spaceIds: found.spaceIds ?? [], writes };
}
