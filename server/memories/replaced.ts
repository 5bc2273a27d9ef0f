// Values that a change of a memory replaces, for undo.
import { isDeepStrictEqual } from 'node:util';
import type { Head } from '#shared/entities.ts';

/** The previous values of the fields that the change modifies. */
export function replacedBy(row: Head<'memory'>, change: Partial<Head<'memory'>>): Partial<Head<'memory'>> {
  const entries = Object.entries(row).filter(
    ([field]) => field in change && !isDeepStrictEqual(Reflect.get(row, field), Reflect.get(change, field)),
  );
  return Object.fromEntries(entries);
}
