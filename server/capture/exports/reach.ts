/**
 * Scope of an export and who may download it. The limits of the credential that began it are stored with it: the job
 * reads within them, and a download requires at least the same ones at that moment.
 */
import { sql, type Selectable } from 'kysely';
import { EXPORT_CONTENTS, EXPORT_CONTENT_NAMES, type ExportContent } from '#shared/capture/export-job.ts';
import { isLimitable } from '#shared/api-keys/scopes.ts';
import type { Id } from '#shared/ids.ts';
import { can, POSITIONS, type Position } from '#shared/permissions.ts';
import type { Database } from '../../db/database.ts';
import type { ExportJobTable } from '../../db/capture-tables.ts';
import type { Credential, Person } from '../../http/call.ts';
import { readableBy, asPerson, readerIn } from '../../sync/readable.ts';

export type ExportRow = Selectable<ExportJobTable>;

export interface Reach {
  contents: ExportContent[];
  /** Null means every space that the person reads. */
  spaceIds: Id<'space'>[] | null;
}

/** Contents and spaces that a credential may read in a workspace. */
export function reachOf({ credential, spaceIds }: Pick<Person, 'credential' | 'spaceIds'>): Reach {
  if (credential.kind === 'session') return { contents: [...EXPORT_CONTENT_NAMES], spaceIds: null };
  return reachWithin({ scopes: credential.scopes, spaceIds });
}

type Limits = Pick<Extract<Credential, { kind: 'api_key' }>, 'scopes'> & Pick<Person, 'spaceIds'>;

function reachWithin({ scopes, spaceIds }: Limits): Reach {
  const contents = EXPORT_CONTENT_NAMES.filter((content) => {
    const scope = EXPORT_CONTENTS[content];
    return scopes.includes(scope) && (spaceIds === null || isLimitable(scope));
  });
  return { contents, spaceIds: spaceIds === null ? null : [...spaceIds] };
}

/** Equal for equal limits. */
export function reachName({ contents, spaceIds }: Reach): string {
  return JSON.stringify([contents, spaceIds === null ? null : spaceIds.toSorted()]);
}

/** Whether the first may read all that the second may. */
export function covers(own: Reach, asked: Reach): boolean {
  if (!asked.contents.every((content) => own.contents.includes(content))) return false;
  const { spaceIds } = own;
  return spaceIds === null || (asked.spaceIds?.every((id) => spaceIds.includes(id)) ?? false);
}

/** The position of a member of an open workspace whose account is not being deleted. */
async function positionOf(
  db: Database,
  { workspaceId, createdBy }: Pick<ExportRow, 'workspaceId' | 'createdBy'>,
): Promise<Position | undefined> {
  const { rows } = await sql<{ position: Position }>`
    select m."position" from "workspace_member" m
    join "workspace" w on w."id" = m."workspaceId" and w."deletedAt" is null
    where m."workspaceId" = ${workspaceId} and m."userId" = ${createdBy}
      and not exists (select 1 from "account_deletion" d where d."userId" = m."userId")`.execute(db);
  return rows[0]?.position;
}

const rank = (position: Position) => POSITIONS.indexOf(position);

/**
 * Whether the person still has the standing with which the export was read, and still reads every space and thread in it
 * that is not deleted.
 */
export async function stillReads(
  db: Database,
  job: Pick<ExportRow, 'workspaceId' | 'createdBy' | 'position' | 'places'>,
): Promise<boolean> {
  const position = await positionOf(db, job);
  if (position === undefined || rank(position) > rank(job.position)) return false;
  if (job.places.length === 0) return true;
  const reader = readerIn({ workspaceId: job.workspaceId, ...asPerson(job.createdBy) });
  const { rows } = await sql`
    select 1 from "space" where "space"."workspaceId" = ${job.workspaceId} and "space"."deletedAt" is null
      and "space"."id" = any(${job.places}::text[]) and not ${readableBy('space', 'space', reader)}
    union all
    select 1 from "thread" where "thread"."workspaceId" = ${job.workspaceId} and "thread"."deletedAt" is null
      and "thread"."id" = any(${job.places}::text[]) and not ${readableBy('thread', 'thread', reader)}
    limit 1`.execute(db);
  return rows.length === 0;
}

/** The fields of a credential except its secret. */
export type CredentialName = Pick<Credential, 'kind' | 'id'>;

/** Current limits of the named credential; undefined once it has ended. */
export async function presentReach(
  db: Database,
  { kind, id }: CredentialName,
  { workspaceId, createdBy, now }: Pick<ExportRow, 'workspaceId' | 'createdBy'> & { now: Date },
): Promise<Reach | undefined> {
  const at = now.toISOString();
  if (kind === 'session') {
    const { rows } = await sql`
      select 1 from "session" where "id" = ${id} and "userId" = ${createdBy} and "impersonator" is null
        and "expiresAt" > ${at} and "endsAt" > ${at}`.execute(db);
    return rows.length === 0 ? undefined : { contents: [...EXPORT_CONTENT_NAMES], spaceIds: null };
  }
  if (kind === 'api_key') {
    const position = await positionOf(db, { workspaceId, createdBy });
    if (position === undefined || !can({ userId: createdBy, position }, 'api_key.create')) return undefined;
  }
  const { rows } = await (
    kind === 'api_key'
      ? sql<Limits>`
          select "scopes", "spaceIds" from "api_key"
          where "id" = ${id} and "ownerId" = ${createdBy} and "workspaceId" = ${workspaceId}
            and ("expiresAt" is null or "expiresAt" > ${at})`
      : sql<Limits>`
          select "scopes", "spaceIds" from "oauth_token"
          where "tokenHash" = ${id} and "userId" = ${createdBy} and "workspaceId" = ${workspaceId}
            and "expiresAt" > ${at}`
  ).execute(db);
  return rows[0] && reachWithin(rows[0]);
}
