/**
 * How PostgreSQL values become JavaScript values on every connection of ours: the same shapes the wire uses.
 * Instants are ISO strings in UTC with milliseconds, days are strings, whole numbers are numbers or an error.
 */
import { types, type CustomTypesConfig } from 'pg';

const ARRAYS = { int8: 1016, date: 1182, timestamptz: 1185 } as const;

/** A count or version as a number. @throws RangeError beyond 2^53, where a number would silently lose digits */
function parseWholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`int8 value ${text} does not fit a JavaScript number`);
  return value;
}

/** `2026-07-01 12:00:00.123456+00` → `2026-07-01T12:00:00.123Z`; connections run in UTC, so the offset is always +00. */
function parseInstant(text: string): string {
  if (text.length < 22 || !text.endsWith('+00')) return new Date(text).toISOString();
  const fraction = text.length > 22 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

const same = (text: string): string => text;

/** Items of these array types contain no commas or quotes, so splitting is enough. */
const listOf =
  (parse: (text: string) => unknown) =>
  (text: string): unknown[] =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((item) => (item === 'NULL' ? null : parse(item.replaceAll('"', ''))));

const PARSERS = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, parseWholeNumber],
  [types.builtins.TIMESTAMPTZ, parseInstant],
  [types.builtins.TIMESTAMP, same],
  [types.builtins.DATE, same],
  [ARRAYS.int8, listOf(parseWholeNumber)],
  [ARRAYS.timestamptz, listOf(parseInstant)],
  [ARRAYS.date, listOf(same)],
]);

/** The parsers for a `pg` client or pool; unlisted types use the driver's own. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (id, format) =>
    (format === 'binary' ? undefined : PARSERS.get(id)) ?? types.getTypeParser(id, format),
};
