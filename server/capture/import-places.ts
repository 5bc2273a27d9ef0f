/**
 * Maps ids of an imported archive of Loci to ids here. Nothing is written under an id of the archive: new ids derive
 * from the import and the id in the archive, so that references to later rows can be written first.
 */
import { sql } from 'kysely';
import type { ImportJob } from '#shared/capture/import-job.ts';
import type { Head } from '#shared/entities.ts';
import { derivedId } from '#shared/derived-id.ts';
import type { Id } from '#shared/ids.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { readableBy, asPerson } from '../sync/readable.ts';

/** The id that a row of the archive gets; the same in every run of one import, and of no other. */
export const importedId = <K extends 'space' | 'memory' | 'thread' | 'message'>(
  kind: K,
  importId: Id<'upload'>,
  original: string,
): Id<K> => derivedId(kind, `${importId} ${original}`);

/** The key under which a memory of an archive is remembered. */
export const memoryKey = (original: string) => `loci/${original}`;

export type PlaceKind = 'space' | 'thread';

/** The space or thread for one of the archive. */
export interface KnownPlace<K extends PlaceKind> {
  row: Head<K>;
  /** The import that made it; null for one that was there before, with the same id. */
  importId: Id<'upload'> | null;
}

/** The undeleted spaces or threads for those of an archive, as far as the person can read them. */
export async function knownPlaces<K extends PlaceKind>(
  tx: ServerTx,
  kind: K,
  { createdBy }: Pick<ImportJob, 'createdBy'>,
  originals: readonly string[],
): Promise<Map<string, KnownPlace<K>>> {
  const { rows } = await sql<{ original: string; placeId: string; importId: Id<'upload'> | null }>`
    select wanted."original", place."id" as "placeId", known."importId"
    from unnest(${[...new Set(originals)]}::text[]) as wanted("original")
    left join "import_place" known on known."workspaceId" = ${tx.realmId} and known."createdBy" = ${createdBy}
      and known."original" = wanted."original"
    join ${sql.table(kind)} place on place."workspaceId" = ${tx.realmId} and place."deletedAt" is null
      and (place."id" = wanted."original" or place."id" = known."placeId")
    order by place."id" = wanted."original"`.execute(tx.trx);
  const places = new Map<string, KnownPlace<K>>();
  // The original itself, if present, takes precedence over a copy of it.
  for (const { original, placeId, importId } of rows) {
    const row = await tx.get(kind, placeId);
    if (row !== undefined) places.set(original, { row, importId: placeId === original ? null : importId });
  }
  return places;
}

/** Remembers what became of spaces and threads. */
export async function rememberPlaces(
  tx: ServerTx,
  { id: importId, createdBy }: ImportJob,
  made: readonly { original: string; placeId: string }[],
): Promise<void> {
  if (made.length === 0) return;
  const workspaceId = tx.realmId as Id<'workspace'>;
  await tx.trx
    .insertInto('import_place')
    .values(made.map((place) => ({ ...place, workspaceId, createdBy, importId })))
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'createdBy', 'original']).doUpdateSet((set) => ({
        placeId: set.ref('excluded.placeId'),
        importId: set.ref('excluded.importId'),
      })),
    )
    .execute();
}

/** The memory for each id of an archive, or the one that this import will create for it. */
export async function meantMemories(
  tx: ServerTx,
  { id: importId, createdBy }: Pick<ImportJob, 'id' | 'createdBy'>,
  originals: readonly string[],
): Promise<(original: string) => Id<'memory'>> {
  const wanted = [...new Set(originals)];
  const reader = { realmId: tx.realmId, ...asPerson(createdBy) };
  const { rows } =
    wanted.length === 0
      ? { rows: [] }
      : await sql<{ original: string; memoryId: Id<'memory'> }>`
          select wanted."original", "memory"."id" as "memoryId"
          from unnest(${wanted}::text[]) as wanted("original")
          join "memory" on "memory"."workspaceId" = ${tx.realmId} and "memory"."deletedAt" is null
            and ("memory"."id" = wanted."original" or "memory"."id" in (
              select item."memoryId" from "import_item" item where item."workspaceId" = ${tx.realmId}
                and item."path" = ${memoryKey('')} || wanted."original" and not item."undone"))
          where ${readableBy('memory', 'memory', reader)}
          order by "memory"."id" = wanted."original"`.execute(tx.trx);
  const known = new Map(rows.map(({ original, memoryId }) => [original, memoryId]));
  return (original) => known.get(original) ?? importedId('memory', importId, original);
}
