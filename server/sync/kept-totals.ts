// How many rows a list has, counted once per version of its realm: nothing that a member reads of a realm changes
// without its version, so a page of a long list need not count all of it again. It knows no kind.
import { sql, type CompiledQuery } from 'kysely';
import type { Database } from '../db/database.ts';
import { planOnce } from '../db/prepared-statements.ts';

/** Lists with different filters and readers that are remembered per process. */
const KEPT_MAX = 1_000;

const keptBy = new WeakMap<Database, Map<string, number>>();

/** The total of one list, under the version that the realm had before anything of the list was read. */
export interface KeptTotal {
  find(counting: CompiledQuery): number | undefined;
  keep(counting: CompiledQuery, total: number): void;
}

/** Reads the version; call it before the list is read, so that a total is never older than its version says. */
export async function openTotals(db: Database, realmId: string): Promise<KeptTotal> {
  const { rows } = await sql<{ version: number }>`
    select "version" from "sync_realm" where "realmId" = ${realmId} ${planOnce}`.execute(db);
  const version = rows[0]?.version;
  const kept = keptBy.get(db) ?? new Map<string, number>();
  keptBy.set(db, kept);
  const keyOf = (query: CompiledQuery) => JSON.stringify([realmId, version, query.sql, query.parameters]);
  return {
    find: (counting) => (version === undefined ? undefined : kept.get(keyOf(counting))),
    keep(counting, total) {
      if (version === undefined) return;
      kept.set(keyOf(counting), total);
      const oldest = kept.keys().next().value;
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    },
  };
}
