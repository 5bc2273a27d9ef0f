// Whose mutations were processed how far: client groups and clients, read before a batch and under its lock, and written
// once per transaction together with the effects.
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { PushedMutation } from '#shared/sync/protocol.ts';
import type { Database } from '../db/database.ts';
import { planOnce } from '../db/prepared-statements.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { isGuestIn } from './readable.ts';
import { SEEN_GRANULARITY_MS } from './seen-groups.ts';

export interface PushFrom {
  userId: Id<'user'>;
  realmId: string;
  clientGroupId: string;
  schemaVersion: string;
}

/** Client → its last processed mutation; clients without one are absent. */
export type LastIds = Map<string, number>;

interface Found {
  group: { userId: string; realmId: string } | null;
  clients: { id: string; last: number; groupId: string }[];
}

interface Clients {
  isNewGroup: boolean;
  last: LastIds;
}

/**
 * Undefined when the group is another person's or another realm's, or a client another group's. The device then starts
 * as a new group, so that one that lost the race for a group is not locked out.
 */
function ownClients(from: PushFrom, { group, clients }: Found): Clients | undefined {
  if (group !== null && (group.userId !== from.userId || group.realmId !== from.realmId)) return undefined;
  if (clients.some(({ groupId }) => groupId !== from.clientGroupId)) return undefined;
  return { isNewGroup: group === null, last: new Map(clients.map(({ id, last }) => [id, last])) };
}

function clientIdsOf(mutations: readonly PushedMutation[]): string[] {
  return [...new Set(mutations.map(({ clientID }) => clientID))];
}

const groupAndClients = (from: PushFrom, clientIds: readonly string[]) => sql`
  (select json_build_object('userId', "userId", 'realmId', "realmId")
   from "sync_client_group" where "id" = ${from.clientGroupId}) as "group",
  coalesce((select json_agg(json_build_object('id', "id", 'last', "lastMutationId", 'groupId', "clientGroupId"))
    from "sync_client" where "id" = any(${clientIds}::text[])), '[]') as "clients"`;

/**
 * How far each client is before the batch, and whether the realm is open to its author; undefined for the group or the
 * client of another person. @throws forbidden for the account realm of another person
 */
export async function readClients(
  db: Database,
  from: PushFrom,
  mutations: readonly PushedMutation[],
): Promise<{ last: LastIds; isOpen: boolean } | undefined> {
  const isOwnAccount = from.realmId === from.userId;
  if (isId('user', from.realmId) && !isOwnAccount)
    throw new AppError('forbidden', 'This account is not yours');
  const { rows } = await sql<Found & { belongs: boolean }>`
    select ${groupAndClients(from, clientIdsOf(mutations))},
      (exists (select 1 from "workspace_member" m join "workspace" w on w."id" = m."workspaceId"
        where m."workspaceId" = ${from.realmId} and m."userId" = ${from.userId} and w."deletedAt" is null)
        or ${isGuestIn(from.realmId, from.userId)}) as "belongs" ${planOnce}`.execute(db);
  const found = rows[0];
  if (found === undefined) throw new Error('A select without a from clause returned no row');
  const clients = ownClients(from, found);
  return clients && { last: clients.last, isOpen: isOwnAccount || found.belongs };
}

/** The progress of each client, read inside the transaction that continues from it; undefined as above. */
export async function readLastIds(
  tx: ServerTx,
  from: PushFrom,
  mutations: readonly PushedMutation[],
): Promise<Clients | undefined> {
  const { rows } = await sql<Found>`
    select ${groupAndClients(from, clientIdsOf(mutations))}`.execute(tx.trx);
  const found = rows[0];
  if (found === undefined) throw new Error('A select without a from clause returned no row');
  return ownClients(from, found);
}

/** How far the clients were when the transaction began, and what it processed since. */
interface Processed {
  before: Clients;
  mutations: readonly PushedMutation[];
}

/**
 * 5. Stores the processed ids, in the same transaction as the effects; the group is recorded as in use. Under two locks (the
 * realm's, and the account's where the realm is closed) two requests may contain the same mutations, and two people may claim
 * the same new group: the second finds other rows than it has read and writes nothing.
 * @throws unavailable for the second
 */
export async function storeLastIds(
  tx: ServerTx,
  from: PushFrom,
  { before, mutations }: Processed,
): Promise<void> {
  const last = new Map(mutations.map(({ clientID, id }) => [clientID, id]));
  const now = tx.now.toISOString();
  const stale = new Date(tx.now.getTime() - SEEN_GRANULARITY_MS).toISOString();
  const group = before.isNewGroup
    ? sql`insert into "sync_client_group" ("id", "userId", "realmId", "schemaVersion", "lastSeen")
        values (${from.clientGroupId}, ${from.userId}, ${from.realmId}, ${from.schemaVersion}, ${now})
        on conflict do nothing returning 1`
    : sql`update "sync_client_group" set "lastSeen" = ${now}
        where "id" = ${from.clientGroupId} and "lastSeen" < ${stale} returning 1`;
  // A closed realm is not written, so its version does not change; it is past every cookie from before it was closed.
  const version = tx.versions.all.get(from.realmId);
  const ver =
    version === undefined
      ? sql`coalesce((select "version" from "sync_realm" where "realmId" = ${from.realmId}), 0)`
      : sql`${version}::bigint`;
  const { rows } = await sql<{ groups: number; clients: number }>`
    with owner as (${group}), settled as (
      delete from "sync_mutation_attempt" a
      using unnest(${mutations.map(({ clientID }) => clientID)}::text[], ${mutations.map(({ id }) => id)}::bigint[])
        as done("clientId", "mutationId")
      where a."clientId" = done."clientId" and a."mutationId" = done."mutationId"
    ), given as (
      select * from unnest(${[...last.keys()]}::text[], ${[...last.values()]}::bigint[],
        ${[...last.keys()].map((id) => before.last.get(id) ?? null)}::bigint[]) as g("id", "last", "before")
    ), moved as (
      update "sync_client" c set "lastMutationId" = given."last", "ver" = ${ver}, "lastSeen" = ${now} from given
      where c."id" = given."id" and c."lastMutationId" = given."before" returning 1
    ), added as (
      insert into "sync_client" ("id", "clientGroupId", "lastMutationId", "ver", "lastSeen")
      select "id", ${from.clientGroupId}, "last", ${ver}, ${now}::timestamptz from given where "before" is null
      on conflict do nothing returning 1
    )
    select (select count(*) from owner) as "groups",
      (select count(*) from moved) + (select count(*) from added) as "clients"`.execute(tx.trx);
  const [stored] = rows;
  if (stored?.clients === last.size && (stored.groups === 1 || !before.isNewGroup)) return;
  throw new AppError('unavailable', 'Another request was faster', { retryAfter: 1 });
}
