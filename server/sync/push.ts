// The push (SYNC 2.5): a replica's mutations, in order, each in its own write transaction together with the id that
// says it was processed. A refused mutation advances the id too and leaves a result; nothing is applied twice.
import { sql } from 'kysely';
import { SYNC } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { MutationResult, PushedMutation, SyncRefusal } from '#shared/sync/protocol.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { applyMutation, type MutationHost } from '../db/run-mutation.ts';
import { asAppError, writeInRealm } from '../db/transaction.ts';
import { argsBytes, storableArgs, storableText } from './push-args.ts';
import { countAttempt, readAttempts, type Attempts } from './push-attempts.ts';
import { noteSeen } from './seen-groups.ts';

/** Who pushes, and from which client group. */
export interface PushFrom {
  userId: Id<'user'>;
  realmId: string;
  clientGroupId: string;
  schemaVersion: string;
}

/** What became of one mutation: processed (now or before), refused with a result, or not looked at. */
type Outcome = 'processed' | 'gap' | 'unknown client' | MutationResult;

/** What a replica is told at once; results also arrive with its next pull. */
export interface PushAnswer {
  refusal?: SyncRefusal;
  results: MutationResult[];
}

/**
 * Processes a batch.
 * @throws forbidden for groups and clients of others, unavailable when the database failed and a retry makes sense
 */
export async function push(
  host: MutationHost,
  from: PushFrom,
  mutations: readonly PushedMutation[],
): Promise<PushAnswer> {
  const known = await readClients(host, from, mutations);
  const attempts = await readAttempts(host.db, mutations);
  const results: MutationResult[] = [];
  for (const mutation of mutations) {
    // Repeated mutations need no lock; the check under the lock below is the one that counts.
    if (mutation.id <= (known.get(mutation.clientID) ?? 0)) continue;
    const outcome = await processOne(host, from, { mutation, attempts });
    if (outcome === 'unknown client') return { refusal: { error: 'ClientStateNotFound' }, results };
    if (outcome === 'gap') break;
    if (outcome !== 'processed') results.push(outcome);
  }
  await noteSeen(host, from);
  return { results };
}

/** Last mutation ids before the batch. Strangers to the realm are turned away before anything is written. */
async function readClients(
  host: MutationHost,
  from: PushFrom,
  mutations: readonly PushedMutation[],
): Promise<Map<string, number>> {
  const clientIds = [...new Set(mutations.map(({ clientID }) => clientID))];
  const { rows } = await sql<{ group: GroupRow | null; belongs: boolean; clients: ClientRow[] }>`
    select
      (select json_build_object('userId', "userId", 'realmId', "realmId")
       from "sync_client_group" where "id" = ${from.clientGroupId}) as "group",
      (${from.realmId} = ${from.userId} or exists (select 1 from "workspace_member"
        where "workspaceId" = ${from.realmId} and "userId" = ${from.userId})) as "belongs",
      coalesce((select json_agg(json_build_object('id', "id", 'last', "lastMutationId", 'groupId', "clientGroupId"))
        from "sync_client" where "id" = any(${clientIds}::text[])), '[]') as "clients"`.execute(host.db);
  const found = rows[0];
  if (found === undefined) throw new Error('A select without a from clause answered no row');
  checkOwner(from, found.group);
  for (const { groupId } of found.clients) checkClient(from, groupId);
  if (found.group === null && !found.belongs) {
    throw new AppError('forbidden', 'You are not a member of this workspace');
  }
  return new Map(found.clients.map(({ id, last }) => [id, last]));
}

interface GroupRow {
  userId: string;
  realmId: string;
}

interface ClientRow {
  id: string;
  last: number;
  groupId: string;
}

/** 1. The group belongs to the user and the realm. */
function checkOwner(from: PushFrom, group: GroupRow | null): void {
  if (group !== null && (group.userId !== from.userId || group.realmId !== from.realmId)) {
    throw new AppError('forbidden', 'This client group belongs to someone else');
  }
}

/** 1. The client belongs to the group. */
function checkClient(from: PushFrom, groupId: string | null): void {
  if (groupId !== null && groupId !== from.clientGroupId) {
    throw new AppError('forbidden', 'This client belongs to another group');
  }
}

interface Work {
  mutation: PushedMutation;
  attempts: Attempts;
}

async function processOne(host: MutationHost, from: PushFrom, work: Work): Promise<Outcome> {
  try {
    const { value } = await writeInRealm(host, from.realmId, from, (tx) => processIn(host, tx, from, work));
    return value;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // 6. Everything is rolled back; the failure is counted on a connection of its own.
    host.log.error({ error, mutation: work.mutation.name }, 'a pushed mutation failed');
    await countAttempt(host.db, work.mutation, { error, now: host.clock.now() }).catch((failure: unknown) => {
      host.log.error({ error: failure }, 'the failure could not be counted');
    });
    throw new AppError('unavailable', 'The change could not be saved yet', { retryAfter: 1 });
  }
}

async function processIn(
  host: MutationHost,
  tx: ServerTx,
  from: PushFrom,
  { mutation, attempts }: Work,
): Promise<Outcome> {
  const last = await lastMutationId(tx, from, mutation.clientID);
  // 2. Repeated, too early, or from a client whose group was forgotten.
  if (mutation.id <= (last ?? 0)) return 'processed';
  if (mutation.id > (last ?? 0) + 1) return last === undefined ? 'unknown client' : 'gap';
  const refusal = attempts.isPoisoned(mutation, tx.now)
    ? new AppError('internal', 'This change failed again and again and was set aside')
    : await tryMutation(host, tx, from, mutation);
  // 4. and 5. in the same transaction as the effects.
  const result = refusal && (await storeResult(tx, from, { mutation, refusal }));
  await storeLastMutationId(tx, from, mutation);
  return result ?? 'processed';
}

async function lastMutationId(tx: ServerTx, from: PushFrom, clientId: string): Promise<number | undefined> {
  const { rows } = await sql<Partial<GroupRow> & { groupId: string | null; last: number | null }>`
    select g."userId", g."realmId", c."clientGroupId" as "groupId", c."lastMutationId" as "last"
    from (select 1) as one left join "sync_client_group" g on g."id" = ${from.clientGroupId}
    left join "sync_client" c on c."id" = ${clientId}`.execute(tx.trx);
  const found = rows[0];
  checkOwner(from, found?.userId && found.realmId ? { userId: found.userId, realmId: found.realmId } : null);
  checkClient(from, found?.groupId ?? null);
  return found?.last ?? undefined;
}

/** 3. The mutation under a savepoint; the reason when it is refused. Other errors end the transaction. */
async function tryMutation(
  host: MutationHost,
  tx: ServerTx,
  from: PushFrom,
  { name, args }: PushedMutation,
): Promise<AppError | undefined> {
  try {
    if (argsBytes(args) > SYNC.argsMaxBytes) throw new AppError('too_large', 'This change is too large');
    await tx.attempt(() => applyMutation(host.effects, tx, from.userId, { name, args }));
    return undefined;
  } catch (error) {
    const refusal = asAppError(error);
    if (refusal instanceof AppError) return refusal;
    throw error;
  }
}

/** Tells the author why, with what was asked for, so that nothing typed is lost. */
async function storeResult(
  tx: ServerTx,
  from: PushFrom,
  { mutation, refusal }: { mutation: PushedMutation; refusal: AppError },
): Promise<MutationResult> {
  const { clientID, id: mutationID } = mutation;
  const args = storableArgs(mutation.args, SYNC.argsMaxBytes);
  const told = {
    ...{
      clientID,
      mutationID,
      name: storableText(mutation.name),
      args: args === null ? null : mutation.args,
    },
    ...{ code: refusal.code, message: storableText(refusal.detail), created: tx.now.toISOString() },
  };
  await sql`
    insert into "sync_mutation_result"
      ("clientId", "mutationId", "userId", "realmId", "name", "args", "code", "message", "created")
    values (${clientID}, ${mutationID}, ${from.userId}, ${from.realmId}, ${told.name}, ${args}::jsonb,
      ${told.code}, ${told.message}, ${told.created})
    on conflict do nothing`.execute(tx.trx);
  await tx.showResult(`${clientID}/${mutationID}`, from.userId);
  return told;
}

async function storeLastMutationId(tx: ServerTx, from: PushFrom, mutation: PushedMutation): Promise<void> {
  await sql`
    with owner as (
      insert into "sync_client_group" ("id", "userId", "realmId", "schemaVersion", "lastSeen")
      values (${from.clientGroupId}, ${from.userId}, ${from.realmId}, ${from.schemaVersion}, ${tx.now.toISOString()})
      on conflict do nothing
    )
    delete from "sync_mutation_attempt"
    where "clientId" = ${mutation.clientID} and "mutationId" = ${mutation.id}`.execute(tx.trx);
  await sql`
    insert into "sync_client" ("id", "clientGroupId", "lastMutationId", "ver")
    values (${mutation.clientID}, ${from.clientGroupId}, ${mutation.id}, ${tx.versions.of(from.realmId)})
    on conflict ("id") do update set "lastMutationId" = excluded."lastMutationId", "ver" = excluded."ver"`.execute(
    tx.trx,
  );
}
