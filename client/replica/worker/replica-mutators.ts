// Wraps every shared mutator for Replicache: checks on the first run, and on a rebase a mutator that throws becomes a
// no-op, because Replicache 15.3 would otherwise refuse every later pull. One that is made again after a
// crash becomes a no-op too: the rows it changes may not be on the device until the next pull, and the server decides.
import type { MutatorDefs, WriteTransaction } from 'replicache';
import { AppError, describeIssues, FALLBACK_DETAIL } from '#shared/errors.ts';
import { SYNC } from '#shared/sync/limits.ts';
import type { MutationContext } from '#shared/define/mutator.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { Actor } from '#shared/permissions.ts';
import { findMutator, MUTATORS } from '#shared/mutators.ts';
import type { MutateFailure } from '#client/replica/wire.ts';
import { ClientTx, type KeyMap } from '#client/replica/worker/client-tx.ts';
import { parseReplay, REPLAY } from '#client/replica/worker/replayed.ts';

export interface MutatorEnvironment {
  userId: Id<'user'>;
  realmId: string;
  keys: KeyMap;
  /** How many changes wait for the server. */
  pendingCount(): number;
  /** Called when a mutator throws during a rebase or replay. */
  onReplayFailure(name: string, error: unknown): void;
}

/** The failure that is sent to the page when a mutation was not applied at all. */
export function failureOf(error: unknown): MutateFailure {
  if (error instanceof AppError) return { code: error.code, detail: error.detail };
  console.warn('replica:', error);
  return { code: 'internal', detail: FALLBACK_DETAIL };
}

const encoder = new TextEncoder();

/** Size of a value as sent, in UTF-8 bytes. */
export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value) ?? '').byteLength;
}

/** Positions arrive with the first pull; before it this device refuses nothing that the server may allow. */
async function positionIn(tx: ClientTx, { userId, realmId }: MutatorEnvironment): Promise<Actor['position']> {
  if (!isId('workspace', realmId)) return 'guest';
  const member = await tx.get('workspace_member', userId);
  return member?.position ?? ((await tx.hasPulled()) ? 'guest' : 'owner');
}

async function contextOf(tx: ClientTx, env: MutatorEnvironment): Promise<MutationContext> {
  const { userId, realmId } = env;
  return {
    actor: { userId, position: await positionIn(tx, env) },
    realmId,
    at: (clientTime) => clientTime,
    arrival: (clientTime) => clientTime,
  };
}

async function run(
  tx: WriteTransaction,
  name: string,
  { args, env }: { args: unknown; env: MutatorEnvironment },
) {
  const mutator = findMutator(name);
  if (!mutator) throw new AppError('bad_request', `Unknown mutation ${name}`);
  const clientTx = new ClientTx(tx, env.keys);
  await mutator.run(clientTx, args, await contextOf(clientTx, env));
  await clientTx.flush();
}

function checked(name: string, args: unknown, env: MutatorEnvironment): unknown {
  const mutator = findMutator(name);
  const parsed = mutator?.args.safeParse(args);
  if (!parsed?.success) {
    throw new AppError('invalid', parsed ? describeIssues(parsed.error) : `Unknown mutation ${name}`);
  }
  if (jsonBytes(args) > SYNC.argsMaxBytes)
    throw new AppError('too_large', 'This change is too large to be sent');
  if (env.pendingCount() >= SYNC.maxPending) {
    throw new AppError('rate_limited', `More than ${SYNC.maxPending} changes wait to be sent; connect first`);
  }
  return parsed.data;
}

/** The mutators for Replicache; each returns the id of its mutation. */
export function replicaMutators(env: MutatorEnvironment): MutatorDefs {
  const attempt = async (tx: WriteTransaction, name: string, args: unknown): Promise<void> => {
    try {
      await run(tx, name, { args, env });
    } catch (error) {
      env.onReplayFailure(name, error);
    }
  };
  const define = (name: string) => async (tx: WriteTransaction, args: unknown) => {
    if (tx.reason === 'rebase') await attempt(tx, name, args);
    else await run(tx, name, { args: checked(name, args, env), env });
    return tx.mutationID;
  };
  const again = async (tx: WriteTransaction, replay: unknown) => {
    const { name, args } = parseReplay(replay);
    await attempt(tx, name, tx.reason === 'rebase' ? args : checked(name, args, env));
    return tx.mutationID;
  };
  return {
    ...Object.fromEntries(Object.keys(MUTATORS).map((name) => [name, define(name)])),
    [REPLAY]: again,
  };
}
