// The push (SYNC 2.5): a replica's mutations, in order, in short write transactions together with the ids that say they
// were processed. A refused mutation advances the id too and leaves a result; nothing is applied twice.
import { sql } from 'kysely';
import { SYNC } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { MutationResult, PushedMutation, SyncRefusal } from '#shared/sync/protocol.ts';
import { upcast, type SchemaSteps } from '#shared/sync/upcasters.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { applyMutation, type MutationHost } from '../db/run-mutation.ts';
import { asAppError, writeInRealm } from '../db/transaction.ts';
import { argsBytes, storableArgs, storableText } from './push-args.ts';
import type { MutationOutcome } from './metrics.ts';
import { countAttempt, type Attempts } from './push-attempts.ts';
import { readClients, readLastIds, storeLastIds, type LastIds, type PushFrom } from './push-clients.ts';
import { wasTaken } from './push-repeats.ts';
import { noteSeen } from './seen-groups.ts';

/** Limit of each statement of a push. */
export const PUSH_STATEMENT_TIMEOUT_MS = 3_000;
/** Mutations that share a transaction: few, so that other writers of the realm never wait long. */
const TOGETHER_MAX = 20;
const TOGETHER_MAX_BYTES = 128 * 1024;

/** What a push needs of the server. */
export interface PushHost extends MutationHost {
  /** How older replicas' mutations are rewritten; the product's steps unless a test has others. */
  schemaSteps?: SchemaSteps;
}

/** What a replica is told at once; results also arrive with its next pull. */
export interface PushAnswer {
  refusal?: SyncRefusal;
  results: MutationResult[];
}

/** What became of some mutations: the results of refused ones, and why those after them were not looked at. */
interface Progress {
  results: MutationResult[];
  stopped?: 'gap' | 'unknown client';
}

/**
 * Processes a batch.
 * @throws forbidden for groups and clients of others, unavailable when the database failed and a retry makes sense
 */
export async function push(
  host: PushHost,
  from: PushFrom,
  mutations: readonly PushedMutation[],
): Promise<PushAnswer> {
  const { known, attempts } = await readClients(host.db, from, mutations);
  // Repeated mutations need no lock; the check under the lock below is the one that counts.
  const open = mutations.filter(({ clientID, id }) => id > (known.get(clientID) ?? 0));
  host.metrics.mutated('repeated', mutations.length - open.length);
  const results: MutationResult[] = [];
  for (const some of portions(open)) {
    const progress = await processSome({ host, from, attempts }, some);
    results.push(...progress.results);
    if (progress.stopped === 'unknown client') return { refusal: { error: 'ClientStateNotFound' }, results };
    if (progress.stopped === 'gap') break;
  }
  if (open.length === 0) await noteSeen(host, from);
  return { results };
}

/** The mutations in order, cut where a transaction would grow too long. */
function portions(mutations: readonly PushedMutation[]): PushedMutation[][] {
  const cut: PushedMutation[][] = [];
  let bytes = Infinity;
  for (const mutation of mutations) {
    const size = argsBytes(mutation.args);
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
  attempts: Attempts;
}

/**
 * Processes some mutations in one transaction. Most are never refused, so they run without savepoints first; when one
 * fails everything is undone and tried again with care, and after a fault one by one, so that the fault finds its name.
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
  return mutations.length > 1 ? processSingly(work, mutations) : countFault(work, mutations, error);
}

async function processSingly(work: Work, mutations: readonly PushedMutation[]): Promise<Progress> {
  const results: MutationResult[] = [];
  for (const mutation of mutations) {
    const progress = await processTogether(work, [mutation], { careful: true }).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      return countFault(work, [mutation], error);
    });
    results.push(...progress.results);
    if (progress.stopped !== undefined) return { results, stopped: progress.stopped };
  }
  return { results };
}

/** 6. Everything is rolled back; the failure is counted on a connection of its own. @throws unavailable, always */
async function countFault(
  { host }: Work,
  [mutation]: readonly PushedMutation[],
  error: unknown,
): Promise<never> {
  host.log.error({ error, mutation: mutation?.name }, 'a pushed mutation failed');
  host.metrics.mutated('failed');
  if (mutation !== undefined) {
    await countAttempt(host.db, mutation, { error, now: host.clock.now() }).catch((failure: unknown) => {
      host.log.error({ error: failure }, 'the failure could not be counted');
    });
  }
  throw new AppError('unavailable', 'The change could not be saved yet', { retryAfter: 1 });
}

async function processTogether(
  { host, from, attempts }: Work,
  mutations: readonly PushedMutation[],
  { careful }: { careful: boolean },
): Promise<Progress> {
  const limited = { ...host, statementTimeoutMs: PUSH_STATEMENT_TIMEOUT_MS };
  host.metrics.pushTried(careful ? 'again' : 'first');
  const { value } = await writeInRealm(limited, from.realmId, from, async (tx) => {
    const outcomes: MutationOutcome[] = [];
    const lastIds = await readLastIds(tx, from, mutations);
    const progress: Progress = { results: [] };
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
      const { outcome, refusal } = await processOne(host, tx, { from, mutation, careful, attempts, lastIds });
      outcomes.push(outcome);
      // 4. In the same transaction as the id.
      if (refusal) progress.results.push(await storeResult(tx, from, { mutation, refusal }));
      lastIds.set(mutation.clientID, mutation.id);
      processed.push(mutation);
    }
    if (processed.length > 0) await storeLastIds(tx, from, processed);
    return { progress, outcomes };
  });
  for (const outcome of value.outcomes) host.metrics.mutated(outcome);
  return value.progress;
}

interface Processed {
  outcome: MutationOutcome;
  refusal?: AppError | undefined;
}

/** One mutation whose turn it is. */
async function processOne(
  host: PushHost,
  tx: ServerTx,
  { attempts, lastIds, ...trial }: Trial & { attempts: Attempts; lastIds: LastIds },
): Promise<Processed> {
  const { from, mutation } = trial;
  if (attempts.isPoisoned(mutation, tx.now)) {
    const refusal = new AppError('internal', 'This change failed again and again and was set aside');
    return { outcome: 'set_aside', refusal };
  }
  if (await wasTaken(tx, from, { mutation, lastIds })) return { outcome: 'repeated' };
  const refusal = await tryMutation(host, tx, trial);
  return { outcome: refusal === undefined ? 'applied' : 'refused', refusal };
}

interface Trial {
  from: PushFrom;
  mutation: PushedMutation;
  /** Under a savepoint, so that a refusal undoes this mutation alone. */
  careful: boolean;
}

/** 3. The reason when the mutation is refused. Other errors, and without care refusals too, end the transaction. */
async function tryMutation(
  host: PushHost,
  tx: ServerTx,
  { from, mutation, careful }: Trial,
): Promise<AppError | undefined> {
  if (argsBytes(mutation.args) > SYNC.argsMaxBytes) {
    return new AppError('too_large', 'This change is too large');
  }
  const run = async () =>
    applyMutation(host.effects, tx, from.userId, upcast(from.schemaVersion, mutation, host.schemaSteps));
  if (!careful) {
    await run();
    return undefined;
  }
  try {
    await tx.attempt(run);
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
