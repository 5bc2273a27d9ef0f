// Grants as the audit log describes them: the space or thread by its name, and the person or position that is named.
import { sql, type Kysely } from 'kysely';
import { isId } from '#shared/ids.ts';
import type { GrantLevel } from '#shared/spaces/grant-level.ts';
import type { Tables } from '../db/tables.ts';

interface GrantTx {
  trx: Kysely<Tables>;
  realmId: string;
}

export interface GrantKey {
  resourceId: string;
  holder: string;
}

interface KnownGrant extends GrantKey {
  level: GrantLevel;
}

/** The grant as it is stored; undefined when there is none. */
export async function grantedOn(
  { trx, realmId }: GrantTx,
  { resourceId, holder }: GrantKey,
): Promise<KnownGrant | undefined> {
  const { rows } = await sql<KnownGrant>`
    select "resourceId", "holder", "level" from "grant"
    where "workspaceId" = ${realmId} and "resourceId" = ${resourceId} and "holder" = ${holder}`.execute(trx);
  return rows[0];
}

/** The grants on one space or thread that a person holds by account or by a proven address. */
export async function grantsHeldOn(
  { trx, realmId }: GrantTx,
  { resourceId, userId }: { resourceId: string; userId: string },
): Promise<KnownGrant[]> {
  const { rows } = await sql<KnownGrant>`
    select "resourceId", "holder", "level" from "grant"
    where "workspaceId" = ${realmId} and "resourceId" = ${resourceId} and "userId" = ${userId}
    order by "created", "holder"`.execute(trx);
  return rows;
}

/** Target and details of an event about a grant. An address is named as it was written, an account by its name. */
export async function grantDescription(
  { trx, realmId }: GrantTx,
  { resourceId, holder }: GrantKey,
  facts: Readonly<Record<string, string>>,
) {
  const kind = isId('space', resourceId) ? 'space' : 'thread';
  const { rows } = await sql<{ place: string | null; person: string | null }>`
    select (select "name" from ${sql.table(kind)}
        where "workspaceId" = ${realmId} and "id" = ${resourceId}) as "place",
      (select coalesce(nullif(trim(concat_ws(' ', "forename", "surname")), ''), "username", "email")
        from "user" where "id" = ${holder}) as "person"`.execute(trx);
  const named = isId('user', holder) ? (rows[0]?.person ?? null) : holder;
  return {
    target: { kind, id: resourceId, name: rows[0]?.place ?? null },
    details: { holder: named, ...facts },
  };
}
