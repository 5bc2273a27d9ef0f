/**
 * Development builds of Replicache refuse values of a store that somebody could still change; its own store freezes what
 * it reads. Builds for production neither look nor pay for it.
 */
import type { ReadonlyJSONValue } from 'replicache';

/** The value itself, with everything in it frozen in development. */
export function frozen(value: ReadonlyJSONValue): ReadonlyJSONValue {
  if (!import.meta.env.PROD) freeze(value);
  return value;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
