// Cached facts of a long list until its realm has another version: its number of rows, and the first row of each part. Nothing
// that a member reads of a realm changes without its version, so a page neither counts the whole list again nor walks over all
// rows before it. Independent of the kind.
import { sql, type CompiledQuery } from 'kysely';
import type { Database } from '../db/database.ts';
import { planOnce } from '../db/prepared-statements.ts';

/** Lists with different filters and readers that are remembered per process. */
const LISTS_MAX = 1_000;

/** A row by its place in the order; times as text, because the database's are finer than ours. */
export interface Anchor {
  value: string;
  tie: string;
}

/** Facts of one list at one version, filled as they become known. */
export interface ListFacts {
  total?: number;
  /** The rows at the places 0, n, 2n and so on. */
  anchors?: readonly Anchor[];
}

const factsBy = new WeakMap<Database, Map<string, ListFacts>>();

/** Reads the version; call it before the list is read, so that no fact is older than its version. */
export async function openListFacts(
  db: Database,
  realmId: string,
): Promise<(list: CompiledQuery) => ListFacts> {
  const { rows } = await sql<{ version: number }>`
    select "version" from "sync_realm" where "realmId" = ${realmId} ${planOnce}`.execute(db);
  const version = rows[0]?.version;
  const lists = factsBy.get(db) ?? new Map<string, ListFacts>();
  factsBy.set(db, lists);
  return (list) => {
    if (version === undefined) return {};
    const key = JSON.stringify([realmId, version, list.sql, list.parameters]);
    const facts = lists.get(key) ?? {};
    lists.set(key, facts);
    const oldest = lists.keys().next().value;
    if (lists.size > LISTS_MAX && oldest !== undefined) lists.delete(oldest);
    return facts;
  };
}
