/** Reads of workspaces and members beyond plain rows: by address, with names, with what the reader may see. */
import { sql } from 'kysely';
import { slugify } from '#shared/define/fields.ts';
import { LIMITS } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { columnsOf } from '../db/entity-columns.ts';
import { isReservedSlug } from './reserved-slugs.ts';

const COLUMNS = columnsOf('workspace', ['deletedAt']);

const MEMBER_COLUMNS = [
  ...columnsOf('workspace_member', []),
  'user.forename',
  'user.surname',
  'user.username',
] as const;

/** The open workspaces in which the user is a member, or one of them. */
export function workspacesOf(db: Database, userId: Id<'user'>, only?: Id<'workspace'>) {
  const all = db
    .selectFrom('workspace')
    .innerJoin('workspace_member', 'workspace_member.workspaceId', 'workspace.id')
    .select(COLUMNS)
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null);
  return only === undefined ? all.modifyEnd(across('account')) : all.where('workspace.id', '=', only);
}

/** The workspace that has or had this address. */
export async function findIdBySlug(
  db: Database,
  slug: string,
  now: Date,
): Promise<Id<'workspace'> | undefined> {
  const { rows } = await sql<{ id: Id<'workspace'> }>`
    select "id" from "workspace" where "slug" = ${slug}
    union all
    select "targetId" as "id" from "slug_redirect"
    where "scope" = '' and "slug" = ${slug} and "until" > ${now.toISOString()}
    limit 1 ${across('address')}`.execute(db);
  return rows[0]?.id;
}

/** Members with their names; addresses only for readers whose position allows it, one's own always. */
export function membersOf(
  db: Database,
  workspaceId: Id<'workspace'>,
  reader: { userId: Id<'user'>; readsEmails: boolean },
) {
  return db
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.userId')
    .select(MEMBER_COLUMNS)
    .select((row) =>
      row
        .case()
        .when(sql<boolean>`${reader.readsEmails} or ${sql.ref('user.id')} = ${reader.userId}`)
        .then(row.ref('user.email'))
        .end()
        .as('email'),
    )
    .where('workspace_member.workspaceId', '=', workspaceId);
}

/** True when neither the product nor another workspace has the address, now or within the time of redirects. */
export async function isSlugFree(
  db: Database,
  slug: string,
  { except, now }: { except?: string; now: Date },
): Promise<boolean> {
  const holder = await findIdBySlug(db, slug, now);
  if (holder !== undefined) return holder === except;
  return !isReservedSlug(slug);
}

/** Until the transaction ends, no other looks for an address of this name, so that each sees the names of the others. */
export async function reserveName(trx: Database, slugOrName: string): Promise<void> {
  const lock = `workspace slug ${slugify(slugOrName)}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
}

/** A free address derived from a name: the plain form, else with the smallest free number. */
export async function freeSlug(db: Database, name: string, now: Date): Promise<string> {
  const base = slugify(name);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const slug = `${base.slice(0, LIMITS.slugMax - suffix.length).replace(/-+$/, '')}${suffix}`;
    if (await isSlugFree(db, slug, { now })) return slug;
  }
}
