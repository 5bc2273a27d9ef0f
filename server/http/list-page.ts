/**
 * One form of lists for the whole API: filters, order and one page of any query, with the total beside it. It combines the
 * parsed query of a list with SQL; the query passed by the caller decides which rows a person may see.
 */
import { DatabaseError } from 'pg';
import { sql, type CompiledQuery, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { ListMeta } from '#shared/define/endpoint.ts';
import { filtersOf, type FieldFilter, type PageQuery } from '#shared/define/list-query.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Anchor, ListFacts } from '../sync/list-facts.ts';
import { isBehind, placeColumns, readCursor, unusable, writeCursor } from './list-cursor.ts';

export interface ListPlan {
  /** Table or alias that has the filtered columns. */
  table: string;
  query: PageQuery;
  /** Column that makes the order total. */
  tie?: string;
  /** A second one, where the first does not distinguish rows; for lists without facts. */
  secondTie?: string;
  /** Expressions that replace columns of the order, where readers see another value than the stored one. */
  shown?: Readonly<Partial<Record<string, RawBuilder<unknown>>>>;
  /** Columns of the order that may be empty; rows without a value are last. */
  nullable?: readonly string[];
  /** Facts of the realm's lists, when all data of the list changes with the realm's version. */
  facts?: { db: Database; of: Promise<(list: CompiledQuery) => ListFacts> };
}

/** Maximum rows between the start of a page and a row of known position. */
const ANCHOR_STEP = 500;
/** Columns that every list has, as times and never empty. */
const ANCHORED: ReadonlySet<string> = new Set(['created', 'updated']);

/** One page of the rows and what `meta` says about it. */
export async function listPage<TB extends keyof Tables, O>(
  rows: SelectQueryBuilder<Tables, TB, O>,
  { table, query, tie = 'id', secondTie, shown = {}, nullable = [], facts }: ListPlan,
): Promise<{ result: O[]; meta: ListMeta }> {
  let filtered = rows;
  for (const [field, filter] of filtersOf(query)) {
    filtered = filtered.where(filterCondition(sql.ref(`${table}.${field}`), filter));
  }
  const { page, perPage, orderBy, order } = query;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  // Said only where it matters: with it, an index in the plain order cannot be used.
  const nulls = nullable.includes(orderBy) ? sql`nulls last` : sql``;
  const first = shown[orderBy] ?? sql.ref(`${table}.${orderBy}`);
  const last = sql.ref(`${table}.${tie}`);
  const ties = secondTie === undefined ? [last] : [last, sql.ref(`${table}.${secondTie}`)];
  const listOrder = { first, ties, isNullable: nullable.includes(orderBy), isAscending: order === 'asc' };
  const cursor = readCursor(query, listOrder);
  const sorted = ties.reduce(
    (list, each) => list.orderBy(sql`${each} ${direction}`),
    filtered.orderBy(sql`${first} ${direction} ${nulls}`),
  );
  const known = facts && (await facts.of)(sorted.compile());
  const skipped = (page - 1) * perPage;
  let reading = cursor ? sorted.where(isBehind(listOrder, cursor)) : sorted.offset(skipped);
  if (facts && known && skipped >= ANCHOR_STEP && ANCHORED.has(orderBy) && shown[orderBy] === undefined) {
    known.anchors ??= await anchorsOf(facts.db, sorted.clearSelect(), { first, last });
    const anchor = known.anchors[Math.floor(skipped / ANCHOR_STEP)];
    if (anchor) {
      const onwards = order === 'asc' ? sql`>=` : sql`<=`;
      reading = sorted
        .where(sql<boolean>`(${first}, ${last}) ${onwards} (${anchor.value}::timestamptz, ${anchor.tie})`)
        .offset(skipped % ANCHOR_STEP);
    }
  }
  const found = await reading
    .select(placeColumns(listOrder))
    .limit(perPage + 1)
    .execute()
    .catch((error: unknown) => {
      throw cursor && isWrongValue(error) ? unusable() : error;
    });
  const result = found.slice(0, perPage);
  const end = result.at(-1);
  const nextCursor = end && found.length > perPage ? writeCursor(query, end) : null;
  for (const row of result) {
    Reflect.deleteProperty(row, '$value');
    Reflect.deleteProperty(row, '$ties');
  }
  const whole = page === 1 && cursor === undefined && nextCursor === null;
  const total = whole ? result.length : (known?.total ?? (await countOf(filtered)));
  if (known) known.total = total;
  return { result, meta: { page, perPage, total, orderBy, order, nextCursor } };
}

/** A text that is no value of the type it is compared with: PostgreSQL's class 22, data exceptions. */
function isWrongValue(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('22') === true;
}

/** One walk over the list, by its index where there is one, for every page behind it. */
async function anchorsOf<TB extends keyof Tables, O>(
  db: Database,
  sorted: SelectQueryBuilder<Tables, TB, O>,
  { first, last }: { first: RawBuilder<unknown>; last: RawBuilder<unknown> },
): Promise<Anchor[]> {
  const list = sorted
    .select([first.$castTo<string>().as('value'), last.$castTo<string>().as('tie')])
    .as('list');
  const { rows } = await sql<Anchor>`
    select "value"::text as "value", "tie" from (
      select "list".*, row_number() over () as "place" from ${list}) as "placed"
    where ("place" - 1) % ${sql.lit(ANCHOR_STEP)} = 0 order by "place"`.execute(db);
  return rows;
}

async function countOf<TB extends keyof Tables, O>(rows: SelectQueryBuilder<Tables, TB, O>): Promise<number> {
  const counting = rows.clearSelect().select(sql<number>`count(*)`.as('total'));
  return (await counting.executeTakeFirstOrThrow()).total;
}

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
