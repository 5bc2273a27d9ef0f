// The one replica of this page, reachable from plain functions (mutations of event handlers, undo, logout). Started by
// the session, ended by logout.
import { AppError } from '#shared/errors.ts';
import type { MutatorName } from '#shared/mutators.ts';
import type { MutateArgs, Mutation, Replica } from '#client/replica/replica.ts';

let current: Replica | undefined;

/** Makes a replica the one that `mutate` writes to; undefined after logout. */
export function setCurrentReplica(replica: Replica | undefined): void {
  current = replica;
}

/** The replica of this page; undefined before it is opened and while signed out. */
export function currentReplica(): Replica | undefined {
  return current;
}

/**
 * Applies a mutation on this device; resolves when views can see it. Times and ids come from this device.
 * @throws invalid for malformed arguments, otherwise what the mutator throws (forbidden, not_found, conflict)
 */
export async function mutate<N extends MutatorName>(name: N, args: MutateArgs<N>): Promise<void> {
  if (!current) throw new AppError('unauthorized', 'Sign in first');
  await current.mutate(name, args);
}

/**
 * Applies mutations in order until one fails; they outlive the page once this was called.
 * @param report called with how many have been applied
 * @throws as `mutate`, for the first that failed
 */
export async function mutateAll(
  mutations: readonly Mutation[],
  report?: (applied: number) => void,
): Promise<void> {
  if (!current) throw new AppError('unauthorized', 'Sign in first');
  await current.mutateAll(mutations, report);
}
