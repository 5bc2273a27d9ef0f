// The one replica of this page, reachable from plain functions (mutations of event handlers, undo, logout). Started by
// the session, ended by logout.
import { AppError } from '#shared/errors.ts';
import type { MutatorName } from '#shared/mutators.ts';
import type { MutateArgs, Replica } from '#client/replica/replica.ts';

let current: Replica | undefined;

/** Makes a replica the one that `mutate` writes to; undefined after logout. */
export function setCurrentReplica(replica: Replica | undefined): void {
  current = replica;
}

/** The replica of this page, if somebody is signed in and it was opened. */
export function currentReplica(): Replica | undefined {
  return current;
}

/**
 * Carries out a mutation at once; the promise resolves when views can see it. Times and ids come from this device.
 * @throws invalid for arguments that no device accepts, else what the mutator throws (forbidden, not_found, conflict)
 */
export async function mutate<N extends MutatorName>(name: N, args: MutateArgs<N>): Promise<void> {
  if (!current) throw new AppError('unauthorized', 'Sign in first');
  await current.mutate(name, args);
}
