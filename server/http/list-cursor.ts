/**
 * Cursors of lists: the place behind a row in the order of its list. A row that is added or removed meanwhile moves no other,
 * unlike with page numbers. They hold only what the row shows its reader, so nothing in them is secret.
 */
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { PageQuery } from '#shared/define/list-query.ts';
import { AppError } from '#shared/errors.ts';

/** Values of a row in the columns of the order, as PostgreSQL writes them; `$` keeps them apart from columns. */
export interface ListPlace {
  $value: string | null;
  $ties: string[];
}

/** Columns of a total order: the chosen one, and those that distinguish rows with the same value. */
export interface ListOrder {
  first: RawBuilder<unknown>;
  ties: readonly RawBuilder<unknown>[];
  /** Rows without a value in `first` are last, in both directions. */
  isNullable: boolean;
  isAscending: boolean;
}

const content = z.tuple([z.string(), z.enum(['asc', 'desc']), z.string().nullable()], z.string());

export function writeCursor({ orderBy, order }: PageQuery, { $value, $ties }: ListPlace): string {
  return Buffer.from(JSON.stringify([orderBy, order, $value, ...$ties])).toString('base64url');
}

/** Undefined without a cursor. @throws bad_request for a cursor of another order, or beside a page number */
export function readCursor(query: PageQuery, { ties }: ListOrder): ListPlace | undefined {
  if (query.cursor === undefined) return undefined;
  if (query.page > 1) throw new AppError('bad_request', 'page: leave it out with a cursor');
  const parsed = content.safeParse(parse(Buffer.from(query.cursor, 'base64url').toString()));
  if (!parsed.success) throw unusable();
  const [orderBy, order, $value, ...$ties] = parsed.data;
  if (orderBy !== query.orderBy || order !== query.order || $ties.length !== ties.length) throw unusable();
  return { $value, $ties };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** For what no answer has given, also when PostgreSQL finds that a value is none of its column. */
export function unusable(): AppError {
  return new AppError('bad_request', 'cursor: it was not made for this list and order; begin without one');
}

/** Columns to select for `writeCursor`. */
export function placeColumns({ first, ties }: ListOrder) {
  return [
    sql<string | null>`${first}::text`.as('$value'),
    sql<string[]>`array[${sql.join(ties.map((tie) => sql`${tie}::text`))}]`.as('$ties'),
  ] as const;
}

/** Condition of the rows behind a place. */
export function isBehind(
  { first, ties, isNullable, isAscending }: ListOrder,
  { $value, $ties }: ListPlace,
): RawBuilder<boolean> {
  const onwards = isAscending ? sql`>` : sql`<`;
  if ($value === null)
    return sql<boolean>`(${first} is null and (${sql.join(ties)}) ${onwards} (${sql.join($ties)}))`;
  const isAfter = sql<boolean>`(${sql.join([first, ...ties])}) ${onwards} (${sql.join([$value, ...$ties])})`;
  return isNullable ? sql<boolean>`(${isAfter} or ${first} is null)` : isAfter;
}
