// Whose mutations were processed how far (SYNC 2.5, steps 1 and 5): client groups, clients and counted failures, read
// before a batch and under its lock, and written once per transaction.
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { PushedMutation } from '#shared/sync/protocol.ts';
import type { Database } from '../db/database.ts';
import { planOnce } from '../db/prepared-statements.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { attemptsOf, type Attempts, type AttemptRow } from './push-attempts.ts';
import { SEEN_GRANULARITY_MS } from './seen-groups.ts';

/** Who pushes, and from which client group. */
export interface PushFrom {
  userId: Id<'user'>;
  realmId: string;
  clientGroupId: string;
  schemaVersion: string;
}

/** Client → the last mutation of it that was processed; clients without one are not in it. */
export type LastIds = Map<string, number>;

interface Found {
  group: { userId: string; realmId: string } | null;
  clients: { id: string; last: number; groupId: string }[];
}

/** Both sides of step 1: the group belongs to the user and the realm, the clients belong to the group. */
function lastIdsOf(from: PushFrom, { group, clients }: Found): LastIds {
  if (group !== null && (group.userId !== from.userId || group.realmId !== from.realmId)) {
    throw new AppError('forbidden', 'This client group belongs to someone else');
  }
  if (clients.some(({ groupId }) => groupId !== from.clientGroupId)) {
    throw new AppError('forbidden', 'This client belongs to another group');
  }
  return new Map(clients.map(({ id, last }) => [id, last]));
}

function clientIdsOf(mutations: readonly PushedMutation[]): string[] {
  return [...new Set(mutations.map(({ clientID }) => clientID))];
}

const groupAndClients = (from: PushFrom, clientIds: readonly string[]) => sql`
  (select json_build_object('userId', "userId", 'realmId', "realmId")
   from "sync_client_group" where "id" = ${from.clientGroupId}) as "group",
  coalesce((select json_agg(json_build_object('id', "id", 'last', "lastMutationId", 'groupId', "clientGroupId"))
    from "sync_client" where "id" = any(${clientIds}::text[])), '[]') as "clients"`;

/** How far each client is before the batch, and which mutations failed before. Strangers to the realm are turned away. */
export async function readClients(
  db: Database,
  from: PushFrom,
  mutations: readonly PushedMutation[],
): Promise<{ known: LastIds; attempts: Attempts }> {
  const clientIds = clientIdsOf(mutations);
  const { rows } = await sql<Found & { belongs: boolean; attempts: AttemptRow[] }>`
    select ${groupAndClients(from, clientIds)},
      (${from.realmId} = ${from.userId} or exists (select 1 from "workspace_member"
        where "workspaceId" = ${from.realmId} and "userId" = ${from.userId})) as "belongs",
      coalesce((select json_agg(json_build_object('clientID', "clientId", 'id', "mutationId", 'attempts', "attempts",
          'firstAt', "firstAt")) from "sync_mutation_attempt"
        where "clientId" = any(${clientIds}::text[])), '[]') as "attempts" ${planOnce}`.execute(db);
  const found = rows[0];
  if (found === undefined) throw new Error('A select without a from clause answered no row');
  const known = lastIdsOf(from, found);
  if (found.group === null && !found.belongs) {
    throw new AppError('forbidden', 'You are not a member of this workspace');
  }
  return { known, attempts: attemptsOf(found.attempts) };
}

/** How far each client is, read under the lock of the realm: the answer that counts. */
export async function readLastIds(
  tx: ServerTx,
  from: PushFrom,
  mutations: readonly PushedMutation[],
): Promise<LastIds> {
  const { rows } = await sql<Found>`
    select ${groupAndClients(from, clientIdsOf(mutations))}`.execute(tx.trx);
  const found = rows[0];
  if (found === undefined) throw new Error('A select without a from clause answered no row');
  return lastIdsOf(from, found);
}

/** 5. What was processed, in the same transaction as its effects; the group is noted as in use. */
export async function storeLastIds(
  tx: ServerTx,
  from: PushFrom,
  processed: readonly PushedMutation[],
): Promise<void> {
  const last = new Map(processed.map(({ clientID, id }) => [clientID, id]));
  const now = tx.now.toISOString();
  const stale = new Date(tx.now.getTime() - SEEN_GRANULARITY_MS).toISOString();
  await sql`
    with owner as (
      insert into "sync_client_group" as g ("id", "userId", "realmId", "schemaVersion", "lastSeen")
      values (${from.clientGroupId}, ${from.userId}, ${from.realmId}, ${from.schemaVersion}, ${now})
      on conflict ("id") do update set "lastSeen" = excluded."lastSeen" where g."lastSeen" < ${stale}
    ), settled as (
      delete from "sync_mutation_attempt" a
      using unnest(${processed.map(({ clientID }) => clientID)}::text[], ${processed.map(({ id }) => id)}::bigint[])
        as done("clientId", "mutationId")
      where a."clientId" = done."clientId" and a."mutationId" = done."mutationId"
    )
    insert into "sync_client" ("id", "clientGroupId", "lastMutationId", "ver")
    select id, ${from.clientGroupId}, last, ${tx.versions.of(from.realmId)}::bigint
    from unnest(${[...last.keys()]}::text[], ${[...last.values()]}::bigint[]) as given(id, last)
    on conflict ("id") do update set "lastMutationId" = excluded."lastMutationId", "ver" = excluded."ver"`.execute(
    tx.trx,
  );
}
