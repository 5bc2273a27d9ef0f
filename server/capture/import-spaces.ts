// The spaces that folders of an import become.
import { sql } from 'kysely';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { authoredBy } from '#shared/define/authored.ts';
import { slugify } from '#shared/define/fields.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Actor } from '#shared/permissions.ts';
import { hueOf } from '#shared/spaces/space-looks.ts';
import { space } from '#shared/spaces/space.ts';
import type { Database } from '../db/database.ts';
import type { ServerTx } from '../db/server-tx.ts';

/** A memory with each place where it was filed, outermost folder first. */
export interface Filed {
  id: Id<'memory'>;
  folders: readonly (readonly string[])[];
}

interface FiledAway {
  /** Spaces that were made, with the folder that each was made for. */
  spaces: { id: Id<'space'>; folder: string }[];
  links: { spaceId: Id<'space'>; memoryId: Id<'memory'> }[];
}

/** The first folder of a path names the space; one of that name that the person may file in is used again. */
export async function fileInSpaces(
  tx: ServerTx,
  actor: Actor,
  job: ImportJob,
  filed: readonly Filed[],
): Promise<FiledAway> {
  const made: FiledAway['spaces'] = [];
  const spaces = new Map<string, Id<'space'>>();
  const links = new Map<string, { spaceId: Id<'space'>; memoryId: Id<'memory'> }>();
  for (const { id: memoryId, folders } of filed) {
    for (const [folder] of folders) {
      if (folder === undefined) continue;
      const spaceId = spaces.get(folder) ?? (await spaceFor(tx, { actor, job, folder, made }));
      spaces.set(folder, spaceId);
      links.set(`${spaceId}/${memoryId}`, { spaceId, memoryId });
    }
  }
  const { workspaceId } = job;
  const link = { workspaceId, createdBy: actor.userId, created: tx.now.toISOString() };
  const rows = [...links.values()].map((ids) => ({ ...link, ...ids }));
  const added = await tx.insertMany('space_memory', rows);
  return { spaces: made, links: [...links].flatMap(([key, ids]) => (added.has(key) ? [ids] : [])) };
}

interface SpaceOfFolder {
  actor: Actor;
  job: ImportJob;
  folder: string;
  made: FiledAway['spaces'];
}

async function spaceFor(tx: ServerTx, { actor, job, folder, made }: SpaceOfFolder): Promise<Id<'space'>> {
  const wanted = slugify(folder);
  const usable =
    (await madeBefore(tx, job, folder)) ??
    (await usableSpaces(tx.trx, job.workspaceId, [wanted])).get(wanted);
  if (usable !== undefined) return usable;
  const slug = await freeSlug(tx, job, wanted);
  const id = newId('space');
  const name = spaceName(folder);
  await tx.insert('space', {
    ...space.defaults,
    ...authoredBy(actor.userId, job.workspaceId, tx.now.toISOString()),
    id,
    name,
    color: hueOf(name),
    slug,
    visibility: 'workspace',
  });
  made.push({ id, folder });
  return id;
}

/** The space that an earlier chunk of the import made for a folder; its address may differ, where a closed space has that one. */
async function madeBefore(
  tx: ServerTx,
  { workspaceId, id }: ImportJob,
  folder: string,
): Promise<Id<'space'> | undefined> {
  const { rows } = await sql<{ id: Id<'space'> }>`
    select "space"."id" from "import_change" made
    join "space" on "space"."workspaceId" = ${workspaceId} and "space"."id" = made."entityId"
    where made."workspaceId" = ${workspaceId} and made."importId" = ${id} and made."kind" = 'space'
      and made."path" = ${folder} and "space"."deletedAt" is null limit 1`.execute(tx.trx);
  return rows[0]?.id;
}

/** Name of the space that a folder becomes. */
export function spaceName(folder: string): string {
  return folder.slice(0, 120).toWellFormed().trim() || slugify(folder);
}

/** The spaces by the last part of their address that an import uses again instead of making new ones. */
export async function usableSpaces(
  db: Database,
  workspaceId: Id<'workspace'>,
  slugs: readonly string[],
): Promise<Map<string, Id<'space'>>> {
  const rows = await db
    .selectFrom('space')
    .select(['id', 'slug'])
    .where('workspaceId', '=', workspaceId)
    .where(sql<boolean>`"slug" = any(${slugs}::text[])`)
    .where('deletedAt', 'is', null)
    .where('visibility', '=', 'workspace')
    .execute();
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

/** The wanted last part of an address, with a number if it is in use. */
export async function freeSlug(
  tx: ServerTx,
  { workspaceId }: Pick<ImportJob, 'workspaceId'>,
  wanted: string,
): Promise<string> {
  const taken = await tx.trx
    .selectFrom('space')
    .select('slug')
    .where('workspaceId', '=', workspaceId)
    .where('slug', 'like', `${wanted.slice(0, 40)}%`)
    .execute();
  const slugs = new Set(taken.map(({ slug }) => slug));
  let slug = wanted;
  for (let n = 2; slugs.has(slug); n += 1) slug = `${wanted.slice(0, 40).replace(/-$/, '')}-${n}`;
  return slug;
}
