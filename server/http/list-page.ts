/**
 * Lists as PRODUCT 5 wants them: filters, order and one page of any query, with the total beside it.
 * It knows the parsed query of a list and SQL; which rows a person may see is decided by the query it is given.
 */
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { ListMeta } from '#shared/define/endpoint.ts';
import { filtersOf, type FieldFilter, type PageQuery } from '#shared/define/list-query.ts';
import type { Tables } from '../db/tables.ts';
import type { KeptTotal } from '../sync/kept-totals.ts';

/** How the columns of a list are found. */
export interface ListPlan {
  /** Table or alias that has the filtered columns. */
  table: string;
  query: PageQuery;
  /** Column that makes the order total. */
  tie?: string;
  /** What stands for a column of the order, where readers are shown something else than what is stored. */
  shown?: Readonly<Partial<Record<string, RawBuilder<unknown>>>>;
  /** Columns of the order that may be empty; rows without a value come last. */
  nullable?: readonly string[];
  /** Totals of the realm, when everything that the list reads changes with the realm's version. */
  totals?: Promise<KeptTotal>;
}

/** One page of the rows and what `meta` says about it. */
export async function listPage<TB extends keyof Tables, O>(
  rows: SelectQueryBuilder<Tables, TB, O>,
  { table, query, tie = 'id', shown = {}, nullable = [], totals }: ListPlan,
): Promise<{ result: O[]; meta: ListMeta }> {
  let filtered = rows;
  for (const [field, filter] of filtersOf(query)) {
    filtered = filtered.where(filterCondition(sql.ref(`${table}.${field}`), filter));
  }
  const { page, perPage, orderBy, order } = query;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  // Said only where it matters: with it, an index in the plain order cannot be used.
  const nulls = nullable.includes(orderBy) ? sql`nulls last` : sql``;
  const reading = filtered
    .orderBy(sql`${shown[orderBy] ?? sql.ref(`${table}.${orderBy}`)} ${direction} ${nulls}`)
    .orderBy(sql`${sql.ref(`${table}.${tie}`)} ${direction}`)
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const [result, kept] = await Promise.all([reading, totals]);
  const whole = page === 1 && result.length < perPage;
  const total = whole ? result.length : await countOf(filtered, kept);
  return { result, meta: { page, perPage, total, orderBy, order } };
}

async function countOf<TB extends keyof Tables, O>(
  rows: SelectQueryBuilder<Tables, TB, O>,
  totals: KeptTotal | undefined,
): Promise<number> {
  const counting = rows
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'));
  if (totals === undefined) return (await counting.executeTakeFirstOrThrow()).total;
  const compiled = counting.compile();
  const known = totals.find(compiled);
  if (known !== undefined) return known;
  const { total } = await counting.executeTakeFirstOrThrow();
  totals.keep(compiled, total);
  return total;
}

/** A filter as SQL over a column. */
export function filterCondition(column: RawBuilder<unknown>, filter: FieldFilter): RawBuilder<SqlBool> {
  switch (filter.test) {
    case 'any_of': {
      const values = filter.values.filter((value) => value !== null);
      const listed = values.length > 0 ? sql`${column} in (${sql.join(values)})` : sql`false`;
      return filter.values.includes(null) ? sql`(${listed} or ${column} is null)` : sql`${listed}`;
    }
    case 'overlaps':
      return sql`${column} && ${sql.val(filter.values)}::text[]`;
    case 'between': {
      const { from = '-infinity', to = 'infinity' } = filter;
      // Stored times are finer than ours; the end names the whole millisecond.
      return sql`(${column} >= ${from}::timestamptz and ${column} < ${to}::timestamptz + interval '1 millisecond')`;
    }
    default:
      return sql`${column} @> ${JSON.stringify(filter.value)}::jsonb`;
  }
}
