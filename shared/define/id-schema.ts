// The schema of an id, from the table of ids.
import { z } from 'zod';
import { isId, patternOf, type Id, type IdKind } from '../ids.ts';

/** Zod schema of an id; a foreign prefix fails like any malformed text. */
export function idOf<K extends IdKind>(kind: K) {
  return z
    .custom<Id<K>>((value) => isId(kind, value), { error: `Invalid ${kind} id` })
    .meta({ type: 'string', pattern: patternOf(kind).source });
}
