// The version lock: a write transaction owns the next version of each realm that it touches until it ends.
import { sql, type Transaction } from 'kysely';
import { isId } from '#shared/ids.ts';
import type { Tables } from './tables.ts';

/** Workspaces before accounts, then by id: the same order in every transaction prevents deadlocks. */
function lockOrder(realmIds: Iterable<string>): string[] {
  const rank = (realmId: string) => (isId('workspace', realmId) ? `0${realmId}` : `1${realmId}`);
  return [...new Set(realmIds)].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** The versions that one write transaction owns. */
export class RealmVersions {
  readonly #trx: Transaction<Tables>;
  readonly #versions = new Map<string, number>();

  constructor(trx: Transaction<Tables>) {
    this.#trx = trx;
  }

  /** Version per realm, for the poke after the commit. */
  get all(): ReadonlyMap<string, number> {
    return this.#versions;
  }

  /** Records the versions owned now; call the result after a rollback to a savepoint of this moment. */
  remember(): () => void {
    const owned = new Map(this.#versions);
    return () => {
      for (const realmId of this.#versions.keys()) if (!owned.has(realmId)) this.#versions.delete(realmId);
    };
  }

  /** The version owned in a realm. @throws Error when the realm was not locked: a fault of ours */
  of(realmId: string): number {
    const version = this.#versions.get(realmId);
    if (version === undefined) throw new Error(`Realm ${realmId} is written without its version lock`);
    return version;
  }

  /**
   * Increments the counter of every realm that is not owned yet and locks its row. The setting makes the guard triggers pass in
   * this transaction; an account realm gets its only reader with its first version. The limit applies to the statements that
   * follow.
   */
  async lock(realmIds: Iterable<string>, statementTimeoutMs?: number): Promise<void> {
    const missing = lockOrder(realmIds).filter((realmId) => !this.#versions.has(realmId));
    if (missing.length === 0) return;
    const limit =
      statementTimeoutMs === undefined
        ? sql``
        : sql`, set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`;
    const { rows } = await sql<{ realmId: string; version: number }>`
      with owned as (
        insert into "sync_realm" as realm ("realmId", "version") select id, 1 from unnest(${missing}::text[]) as id
        on conflict ("realmId") do update set "version" = realm."version" + 1, "updated" = excluded."updated"
        returning "realmId", "version"
      )
      select "realmId", "version", set_config('app.sync_version', "version"::text, true) ${limit} from owned`.execute(
      this.#trx,
    );
    for (const { realmId, version } of rows) this.#versions.set(realmId, version);
    await this.#openAccounts(rows.filter(({ realmId, version }) => version === 1 && isId('user', realmId)));
  }

  async #openAccounts(accounts: readonly { realmId: string }[]): Promise<void> {
    if (accounts.length === 0) return;
    await sql`
      insert into "sync_audience_member" ("realmId", "audienceId", "userId")
      select id, 'u:' || id || '@' || id, id from unnest(${accounts.map(({ realmId }) => realmId)}::text[]) as id
      on conflict do nothing`.execute(this.#trx);
  }
}
