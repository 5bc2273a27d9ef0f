// Additions of the server to a mutator, which a replica cannot make: work before and after it, in the same transaction.
// Features export their effects as plain objects; server/effects.ts collects them under the mutators' names.
import type { z } from 'zod';
import type { MutationContext } from '#shared/define/mutator.ts';
import type { MUTATORS, MutatorName } from '#shared/mutators.ts';
import type { ServerTx } from './server-tx.ts';

/** One run of a mutator: its transaction, its parsed arguments and the actor. */
export interface EffectCall<A> {
  tx: ServerTx;
  args: A;
  context: MutationContext;
}

/** Result of `before`: other arguments for the mutator, or that the work is already done. */
interface Decision<A> {
  args?: A;
  /** The mutator and `after` do not run; `result` is what the caller gets. */
  done?: true;
  result?: unknown;
}

/** Additions to one mutator; methods, so that effects of all mutators fit into one table. */
export interface Effect<A> {
  /** @throws AppError to refuse the mutation */
  before?(call: EffectCall<A>): Promise<Decision<A> | void>;
  /**
   * Called when the mutator finds no row for its arguments: returns other arguments to run it with, or that no work is needed.
   */
  otherwise?(call: EffectCall<A>): Promise<Decision<A> | undefined>;
  /** Its value is the result for callers over REST; replicas never see it. */
  after?(call: EffectCall<A>): Promise<unknown>;
}

/** Mutator name → its effect, with the argument type of the mutator's schema. */
export type Effects = { [N in MutatorName]?: Effect<z.output<(typeof MUTATORS)[N]['args']>> };
