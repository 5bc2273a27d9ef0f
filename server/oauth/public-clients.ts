/** Clients that people outside of one workspace meet, reviewed by staff. Staff verify a client for everyone. */
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { emit } from '../events/emit.ts';
import { PUBLIC_COLUMNS } from './client-store.ts';

/** Clients of no workspace, and those that people connected with other workspaces than the client's own. */
export function publicClients({ db }: Pick<Context, 'db'>) {
  return db
    .selectFrom('oauth_client')
    .select([...PUBLIC_COLUMNS, 'identifier', 'workspaceId', 'lastUsedAt', 'metadata', 'secretHash'])
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('oauth_client.workspaceId', 'is', null),
        exists(
          selectFrom('oauth_grant')
            .select('oauth_grant.id')
            .whereRef('oauth_grant.clientId', '=', 'oauth_client.id')
            .whereRef('oauth_grant.workspaceId', '!=', 'oauth_client.workspaceId'),
        ),
      ]),
    );
}

/** One of them; undefined for a client that only its own workspace knows. */
export function findPublicClient(context: Pick<Context, 'db'>, id: Id<'oauth_client'>) {
  return publicClients(context).where('oauth_client.id', '=', id).executeTakeFirst();
}

/** Sets whether staff verified a client; the owners of the workspace that it belongs to see it in their audit log. */
export async function setVerified(
  { db, clock, origin }: Pick<Context, 'db' | 'clock' | 'origin'>,
  { id, name, workspaceId }: NonNullable<Awaited<ReturnType<typeof findPublicClient>>>,
  verified: boolean,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('oauth_client').set({ verified }).where('id', '=', id).execute();
    if (workspaceId === null) return;
    await emit({ trx, now: clock.now(), origin }, 'oauth_client.verified', {
      actor: { userId: null, workspaceId },
      target: { id, name },
      verified,
      by: 'staff',
    });
  });
}
