/**
 * Development builds of Replicache reject store values that are still mutable; its own store freezes what it reads.
 * Production builds neither check nor freeze.
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
