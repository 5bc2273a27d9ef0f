// Arguments of pushed mutations as text: measured, and made storable. Hostile input must neither fail in the database nor
// return later as a mutation that always fails. Pure.
import { storableText } from '../db/storable-text.ts';

/** No honest client sends arguments deeper than this. */
const MAX_DEPTH = 64;
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((inner): unknown[] =>
      typeof inner === 'object' && inner !== null ? Object.values(inner) : [],
    );
  }
  return false;
}

/** Size in bytes as JSON; Infinity when the nesting alone is refused. */
export function argsBytes(args: unknown): number {
  return tooDeep(args) ? Infinity : Buffer.byteLength(JSON.stringify(args) ?? '');
}

/** JSON for a jsonb column, null when it cannot be stored. */
export function storableArgs(args: unknown, maxBytes: number): string | null {
  if (argsBytes(args) > maxBytes) return null;
  const text = JSON.stringify(args ?? null, (_key, value: unknown) =>
    typeof value === 'string' ? storableText(value) : value,
  );
  return UNSTORABLE.test(text) ? null : text;
}
