// The push: a replica's mutations, in order, in short write transactions together with the ids that record them as processed. A
// refused mutation advances the id too and leaves a result; none is applied twice. Mutations for a workspace that is closed to
// their author are all refused, in the author's account realm, which stays readable.
import { sql } from 'kysely';
import { SYNC } from '#shared/sync/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { MutationResult, PushedMutation, SyncRefusal } from '#shared/sync/protocol.ts';
import { upcast, type SchemaSteps } from '#shared/sync/upcasters.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { applyMutation, type MutationHost } from '../db/run-mutation.ts';
import { asAppError, writeInRealm } from '../db/transaction.ts';
import { isDatabaseTrouble } from '../db/database-trouble.ts';
import { storableText } from '../db/storable-text.ts';
import { TIMEOUTS } from '../limits.ts';
import { argsBytes, storableArgs } from './push-args.ts';
import type { MutationOutcome } from './metrics.ts';
import { readMutationIds } from './feed-reads.ts';
import { countAttempt } from './push-attempts.ts';
import { readClients, readLastIds, storeLastIds, type LastIds, type PushFrom } from './push-clients.ts';
import { wasTaken } from './push-repeats.ts';
import { noteSeen } from './seen-groups.ts';
import { asPerson } from './readable.ts';

/** Mutations that share a transaction: few, so that other writers of the realm never wait long. */
const TOGETHER_MAX = 20;
/** Two changes of some hundred memories do not fit: each writes as much as many small ones. */
const TOGETHER_MAX_BYTES = 8 * 1024;

export interface PushHost extends MutationHost {
  /** How older replicas' mutations are rewritten; the product's steps unless a test has others. */
  schemaSteps?: SchemaSteps;
  /** Realm in which refusals for a closed realm are stored; the author's account realm unless a test sets another. */
  inboxOf?(from: PushFrom): string;
}

/** Immediate response; results also arrive with the next pull. */
export interface PushAnswer {
  refusal?: SyncRefusal;
  results: MutationResult[];
}

/** Results of rejected mutations, and the reason why the ones after them were not processed. */
interface Progress {
  results: MutationResult[];
  stopped?: 'gap' | 'unknown client' | 'closed';
}

/**
 * Processes a batch.
 * @throws forbidden for accounts of others, unavailable when the database failed and a retry may succeed
 */
export async function push(
  host: PushHost,
  from: PushFrom,
  mutations: readonly PushedMutation[],
): Promise<PushAnswer> {
  const clients = await readClients(host.db, from, mutations);
  if (clients === undefined) return { refusal: await forgotten(host, from), results: [] };
  // Repeated mutations need no lock; the check under the lock below is the one that counts.
  const open = mutations.filter(({ clientID, id }) => id > (clients.last.get(clientID) ?? 0));
  host.metrics.mutated('repeated', mutations.length - open.length);
  if (open.length === 0) await noteSeen(host, from);
  const progress = await processAll({ host, from, isClosed: !clients.isOpen }, open);
  if (progress.stopped === undefined) return { results: progress.results };
  return { refusal: await forgotten(host, from), results: progress.results };
}

/**
 * The server lacks what the client believes to be confirmed: the group was collected, or the database fell back to an earlier
 * state. The device begins a new group and resends the missing mutations.
 */
async function forgotten({ db }: PushHost, from: PushFrom): Promise<SyncRefusal> {
  const clients = await readMutationIds(db, from, -1);
  const lastIds = clients.map(({ id, lastMutationId }) => [id, lastMutationId]);
  return { error: 'ClientStateNotFound', lastMutationIDs: Object.fromEntries(lastIds) };
}

async function processAll(work: Work, mutations: readonly PushedMutation[]): Promise<Progress> {
  const results: MutationResult[] = [];
  for (const some of portions(mutations)) {
    const progress = await processSome(work, some);
    results.push(...progress.results);
    // Access ended between two transactions; mutations processed before are skipped as repeated.
    if (progress.stopped === 'closed') {
      const rest = await processAll({ ...work, isClosed: true }, mutations);
      return { ...rest, results: [...results, ...rest.results] };
    }
    if (progress.stopped !== undefined) return { results, stopped: progress.stopped };
  }
  return { results };
}

/** The mutations in order, cut where a transaction would grow too long. */
function portions(mutations: readonly PushedMutation[]): PushedMutation[][] {
  const cut: PushedMutation[][] = [];
  let bytes = Infinity;
  for (const mutation of mutations) {
    // A branch copies many long messages.
    const size = mutation.name === 'thread.branch' ? TOGETHER_MAX_BYTES : argsBytes(mutation.args);
    const last = cut.at(-1);
    if (last && last.length < TOGETHER_MAX && bytes + size <= TOGETHER_MAX_BYTES) last.push(mutation);
    else {
      cut.push([mutation]);
      bytes = 0;
    }
    bytes += size;
  }
  return cut;
}

interface Work {
  host: PushHost;
  from: PushFrom;
  /** The author may not write in the realm, as a person who was removed or whose workspace is deleted. */
  isClosed: boolean;
}

interface Manner {
  /** Under a savepoint each, so that a refusal undoes one mutation alone. */
  careful: boolean;
  /** Refused without another try, because they have failed often enough. */
  setAside?: boolean;
}

/**
 * Processes some mutations in one transaction. Most are never refused, so they run without savepoints first; when one fails,
 * all are rolled back and retried with savepoints, and after a fault one by one, so that the faulty one is identified.
 */
async function processSome(work: Work, mutations: readonly PushedMutation[]): Promise<Progress> {
  try {
    return await processTogether(work, mutations, { careful: false });
  } catch (error) {
    if (!(error instanceof AppError)) return afterFault(work, mutations, error);
  }
  try {
    return await processTogether(work, mutations, { careful: true });
  } catch (error) {
    if (error instanceof AppError) throw error;
    return afterFault(work, mutations, error);
  }
}

function afterFault(work: Work, mutations: readonly PushedMutation[], error: unknown): Promise<Progress> {
  const [only] = mutations;
  return mutations.length > 1 || only === undefined
    ? processSingly(work, mutations)
    : countFault(work, only, error);
}

async function processSingly(work: Work, mutations: readonly PushedMutation[]): Promise<Progress> {
  const results: MutationResult[] = [];
  for (const mutation of mutations) {
    const progress = await processTogether(work, [mutation], { careful: true }).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      return countFault(work, mutation, error);
    });
    results.push(...progress.results);
    if (progress.stopped !== undefined) return { results, stopped: progress.stopped };
  }
  return { results };
}

/**
 * 6. Everything is rolled back; the failure is counted on a connection of its own. The mutation is set aside when this
 * try was the last of enough; trouble of the database is no failure of the mutation. @throws unavailable otherwise
 */
async function countFault(work: Work, mutation: PushedMutation, error: unknown): Promise<Progress> {
  const { host } = work;
  host.log.error({ error, mutation: mutation.name }, 'a pushed mutation failed');
  host.metrics.mutated('failed');
  if (!isDatabaseTrouble(error)) {
    const isSpent = await countAttempt(host.db, mutation, { error, now: host.clock.now() }).catch(
      (failure: unknown) => {
        host.log.error({ error: failure }, 'the failure could not be counted');
        return false;
      },
    );
    if (isSpent) return processTogether(work, [mutation], { careful: true, setAside: true });
  }
  throw new AppError('unavailable', 'The change could not be saved yet', { retryAfter: 1 });
}

async function processTogether(
  work: Work,
  mutations: readonly PushedMutation[],
  manner: Manner,
): Promise<Progress> {
  const { host, from, isClosed } = work;
  const limited = { ...host, statementTimeoutMs: TIMEOUTS.pushStatement };
  host.metrics.pushTried(manner.careful ? 'again' : 'first');
  // A closed realm is not written: no stranger may move its version or hold its lock.
  const inbox = host.inboxOf?.(from) ?? from.userId;
  const writtenRealm = isClosed ? inbox : from.realmId;
  const { value } = await writeInRealm(limited, writtenRealm, asPerson(from.userId), async (tx) => {
    const outcomes: MutationOutcome[] = [];
    const progress: Progress = { results: [] };
    const before = await readLastIds(tx, from, mutations);
    if (!isClosed && !(await isOpenTo(tx, from))) progress.stopped = 'closed';
    else if (before === undefined) progress.stopped = 'unknown client';
    if (before === undefined || progress.stopped !== undefined) return { progress, outcomes };
    const lastIds: LastIds = new Map(before.last);
    const processed: PushedMutation[] = [];
    for (const mutation of mutations) {
      const last = lastIds.get(mutation.clientID);
      // 2. Repeated, too early, or from a client whose group was forgotten.
      if (mutation.id <= (last ?? 0)) {
        outcomes.push('repeated');
        continue;
      }
      if (mutation.id > (last ?? 0) + 1) {
        progress.stopped = last === undefined ? 'unknown client' : 'gap';
        outcomes.push(last === undefined ? 'unknown_client' : 'early');
        break;
      }
      const { outcome, refusal } = await processOne(work, tx, { mutation, manner, lastIds });
      outcomes.push(outcome);
      // 4. In the same transaction as the id.
      if (refusal) progress.results.push(await storeResult(tx, from, { mutation, refusal }));
      lastIds.set(mutation.clientID, mutation.id);
      processed.push(mutation);
    }
    if (processed.length > 0) await storeLastIds(tx, from, { before, mutations: processed });
    return { progress, outcomes };
  });
  for (const outcome of value.outcomes) host.metrics.mutated(outcome);
  return value.progress;
}

/** Read under the realm's lock: the decision that counts. */
async function isOpenTo(tx: ServerTx, from: PushFrom): Promise<boolean> {
  return from.realmId === from.userId || (await tx.readStanding()) !== undefined;
}

/** Why a mutation or a part of it was refused, and the arguments of that part. */
interface Refusal {
  args: unknown;
  error: AppError;
}

interface Processed {
  outcome: MutationOutcome;
  refusal?: Refusal | undefined;
}

interface Trial {
  mutation: PushedMutation;
  manner: Manner;
  lastIds: LastIds;
}

/** Mutations without anything that a person typed or arranged; their refusal is of no use to the person. */
const BOOKKEEPING = new Set(['sync.ack_results', 'thread.open']);

/** One mutation whose turn it is. */
async function processOne(work: Work, tx: ServerTx, trial: Trial): Promise<Processed> {
  const { from, isClosed } = work;
  const { mutation, manner, lastIds } = trial;
  const whole = (error: AppError): Refusal => ({ args: mutation.args, error });
  if (manner.setAside) {
    const error = new AppError('internal', 'This change failed again and again and was set aside');
    return { outcome: 'set_aside', refusal: whole(error) };
  }
  if (await wasTaken(tx, from, { mutation, lastIds })) return { outcome: 'repeated' };
  if (isClosed) {
    const isSilent = BOOKKEEPING.has(mutation.name);
    const error = new AppError('forbidden', 'You no longer have access to this workspace');
    return { outcome: 'refused', refusal: isSilent ? undefined : whole(error) };
  }
  const refusal = await tryMutation(work, tx, trial);
  return { outcome: refusal === undefined ? 'applied' : 'refused', refusal };
}

/** 3. The refusal of the mutation or of a part. Other errors, and without care refusals too, end the transaction. */
async function tryMutation(
  { host, from }: Work,
  tx: ServerTx,
  { mutation, manner }: Trial,
): Promise<Refusal | undefined> {
  const { args } = mutation;
  if (argsBytes(args) > SYNC.argsMaxBytes) {
    return { args, error: new AppError('too_large', 'This change is too large') };
  }
  const run = async () =>
    applyMutation(host.effects, tx, from.userId, upcast(from.schemaVersion, mutation, host.schemaSteps));
  if (!manner.careful) return (await run()).refused;
  try {
    return (await tx.attempt(run)).refused;
  } catch (error) {
    const reason = asAppError(error);
    if (reason instanceof AppError) return { args, error: reason };
    throw error;
  }
}

/** Stores the reason for the author, with the arguments, so that no typed text is lost. */
async function storeResult(
  tx: ServerTx,
  from: PushFrom,
  { mutation, refusal }: { mutation: PushedMutation; refusal: Refusal },
): Promise<MutationResult> {
  const { clientID, id: mutationID } = mutation;
  const args = storableArgs(refusal.args, SYNC.argsMaxBytes);
  const result: MutationResult = {
    clientID,
    mutationID,
    workspaceId: tx.realmId === from.realmId ? null : from.realmId,
    name: storableText(mutation.name),
    args: args === null ? null : refusal.args,
    code: refusal.error.code,
    message: storableText(refusal.error.detail),
    created: tx.now.toISOString(),
  };
  await sql`
    insert into "sync_mutation_result"
      ("clientId", "mutationId", "userId", "realmId", "workspaceId", "name", "args", "code", "message", "created")
    values (${clientID}, ${mutationID}, ${from.userId}, ${tx.realmId}, ${result.workspaceId}, ${result.name},
      ${args}::jsonb, ${result.code}, ${result.message}, ${result.created})
    on conflict do nothing`.execute(tx.trx);
  await tx.showResult(`${clientID}/${mutationID}`, from.userId);
  return result;
}
