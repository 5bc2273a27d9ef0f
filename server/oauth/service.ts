/** OAuth for other parts of the server: token resources, connected apps, and the removal of expired rows. */
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { OAUTH } from '#shared/oauth/limits.ts';
import type { Database } from '../db/database.ts';

export { connectedAppsOf } from './connected-apps.ts';
export { mcpResourceOf } from './resources.ts';

/** Removes expired values, consents without any, and registered clients that were never used again. */
export async function forgetOauth(db: Database, now: Date): Promise<void> {
  const at = now.toISOString();
  await sql`delete from "oauth_code" where "expiresAt" < ${at}`.execute(db);
  await sql`delete from "oauth_token" where "expiresAt" < ${at}`.execute(db);
  await sql`delete from "oauth_refresh" where "expiresAt" < ${at}`.execute(db);
  const idle = new Date(now.getTime() - OAUTH.idleGrantDays * DAY_MS).toISOString();
  await sql`
    delete from "oauth_grant" g where g."lastUsedAt" < ${idle}
      and not exists (select 1 from "oauth_refresh" r where r."grantId" = g."id")
      and not exists (select 1 from "oauth_token" t where t."grantId" = g."id")`.execute(db);
  const unused = new Date(now.getTime() - OAUTH.unusedClientDays * DAY_MS).toISOString();
  await sql`
    delete from "oauth_client" where "workspaceId" is null and not "verified" and "lastUsedAt" is null
      and "created" < ${unused}`.execute(db);
}
