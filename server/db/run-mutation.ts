// Runs mutators for REST, push and jobs, so that all writes by people pass the same steps. It resolves the position
// inside the transaction, parses arguments, clamps times and runs effects.
import type { z } from 'zod';
import { OLDEST_TIME } from '#shared/sync/limits.ts';
import type { MutationContext, MutatorConfig, RefusedPart } from '#shared/define/mutator.ts';
import { AppError, describeIssues } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import { findMutator, type MutatorArgs, type MutatorName } from '#shared/mutators.ts';
import type { Actor } from '#shared/permissions.ts';
import type { RawMutation } from '#shared/sync/upcasters.ts';
import type { Effect, Effects } from './effect.ts';
import type { ServerTx } from './server-tx.ts';
import { writeInRealm, type WriteContext } from './transaction.ts';
import type { Reader } from '../sync/readable.ts';

export interface MutationHost extends WriteContext {
  effects: Effects;
}

/** A mutation by name, for calls from the server's own code. */
export interface MutationCall<N extends MutatorName> {
  /** The person; the position is read again inside the transaction. */
  actor: Reader & { userId: Id<'user'> };
  realmId: string;
  name: N;
  args: MutatorArgs<N>;
}

/** Runs one mutation in its own transaction. @throws AppError with the mutator's codes, invalid, forbidden */
export async function runMutation<N extends MutatorName>(
  host: MutationHost,
  call: MutationCall<N>,
): Promise<{ version: number } & Applied> {
  const { version, value } = await writeInRealm(host, call.realmId, call.actor, (tx) =>
    applyMutation(host.effects, tx, call.actor.userId, call),
  );
  return { version, ...value };
}

export interface Applied {
  /** Result of the effect, for callers over REST. */
  result?: unknown;
  /** The part of the mutation that was not applied. */
  refused?: RefusedPart | undefined;
}

/** Runs one mutation inside an open transaction; push wraps it in a savepoint. @throws AppError */
export async function applyMutation(
  effects: Effects,
  tx: ServerTx,
  userId: Id<'user'>,
  { name, args }: RawMutation,
): Promise<Applied> {
  const mutator = findMutator(name);
  if (mutator === undefined) throw new AppError('bad_request', `Unknown mutation ${name.slice(0, 64)}`);
  const actor = await actorIn(tx, userId);
  checkRealm(mutator, tx.realmId, userId);
  const context: MutationContext = {
    actor,
    realmId: tx.realmId,
    at: (time) => clampTime(time, tx.now),
    arrival: () => tx.now.toISOString(),
  };
  return runWithEffect(mutator, findEffect(effects, name), {
    tx,
    args: parseArgs(mutator, args),
    context,
  });
}

async function runWithEffect(
  mutator: MutatorConfig<z.ZodType>,
  effect: Effect<unknown> | undefined,
  call: { tx: ServerTx; args: unknown; context: MutationContext },
): Promise<Applied> {
  const decision = await effect?.before?.(call);
  if (decision?.done) return { result: decision.result };
  const ran = await runFound(mutator, effect, { ...call, args: decision?.args ?? call.args });
  if (ran === undefined) return {};
  return { result: await effect?.after?.({ ...call, args: ran.args }), refused: ran.refused };
}

interface Ran {
  /** The arguments it ran with. */
  args: unknown;
  refused: RefusedPart | undefined;
}

/** Runs the mutator; undefined when no work was needed. Nothing is written before not_found. */
async function runFound(
  mutator: MutatorConfig<z.ZodType>,
  effect: Effect<unknown> | undefined,
  call: { tx: ServerTx; args: unknown; context: MutationContext },
): Promise<Ran | undefined> {
  const { tx, args, context } = call;
  const run = async (given: unknown): Promise<Ran> => {
    const refused = await mutator.run(tx, given, context);
    return { args: given, refused: refused ?? undefined };
  };
  try {
    return await run(args);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    const other = await effect?.otherwise?.(call);
    if (other === undefined) throw error;
    if (other.done) return undefined;
    return run(other.args);
  }
}

/** Methods of effects have their own argument types; the schema that parsed them has the same name. */
function findEffect(effects: Effects, name: string): Effect<unknown> | undefined {
  return new Map<string, Effect<unknown>>(Object.entries(effects)).get(name);
}

function parseArgs(mutator: MutatorConfig<z.ZodType>, args: unknown): unknown {
  const parsed = mutator.args.safeParse(args);
  if (!parsed.success) throw new AppError('invalid', describeIssues(parsed.error));
  return parsed.data;
}

/** The person with the position of this moment, as member or guest, under the realm's lock. @throws forbidden for strangers and in deleted workspaces */
export async function actorIn(tx: ServerTx, userId: Id<'user'>): Promise<Actor> {
  if (tx.realmId === userId) return { userId, position: 'guest' };
  const position = await tx.readStanding(userId);
  if (position === undefined) throw new AppError('forbidden', 'You are not a member of this workspace');
  return { userId, position };
}

function checkRealm(mutator: MutatorConfig<z.ZodType>, realmId: string, userId: string): void {
  const realm = realmId === userId ? 'account' : 'workspace';
  if (realm === 'workspace' && !isId('workspace', realmId))
    throw new AppError('not_found', 'Workspace not found');
  if (mutator.realm !== 'any' && mutator.realm !== realm) {
    throw new AppError('bad_request', `This mutation belongs to the ${mutator.realm} realm`);
  }
}

/** A client's time, never in the future of the server and never before OLDEST_TIME. */
export function clampTime(clientTime: string, now: Date): string {
  const time = Date.parse(clientTime);
  if (Number.isNaN(time) || time > now.getTime()) return now.toISOString();
  return new Date(Math.max(time, Date.parse(OLDEST_TIME))).toISOString();
}
