// The version of all public data of one workspace. Rows of a workspace, names of its members, decisions about reports: each is
// written under the version lock of the realm (triggers refuse other writes), so the version of the realm differs whenever one
// of them does. Whether an owner stays depends on accounts, and is named beside it.
import { sql } from 'kysely';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { planOnce } from '../db/prepared-statements.ts';
import { hasStayingOwner } from '../sync/public.ts';

/** Undefined when no workspace has this slug now; the epoch differs after a restored backup, which reuses versions. */
export async function publicVersion(db: Database, slug: string): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`
    select r."epoch" || ' ' || r."version" || ' ' || ${hasStayingOwner(sql.ref('w.id'))} as "version"
    from "workspace" w join "sync_realm" r on r."realmId" = w."id" where w."slug" = ${slug}
    ${across('address')} ${planOnce}`.execute(db);
  return rows[0]?.version;
}
