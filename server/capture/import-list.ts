/** The imports that a member started in a workspace, counted instead of listed file by file. */
import { sql } from 'kysely';
import type { z } from 'zod';
import type { captureEndpoints } from '#shared/capture/endpoints.ts';
import type { ImportSummary } from '#shared/capture/import-job.ts';
import type { Database } from '../db/database.ts';

type Query = z.output<(typeof captureEndpoints)['import.list']['query']>;

/** One page, newest first by default. */
export async function listImports(
  db: Database,
  by: { workspaceId: string; userId: string },
  { page, perPage, orderBy, order }: Query,
) {
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<ImportSummary & { all: number }>`
    select "id", "workspaceId", "createdBy", "filename", "folders", "status", "total", "processed", "imported",
      "updatedCount", "unchanged", "newSpaces", "error", "undo", "removedCount", "restoredCount", "keptCount",
      "created", "updated",
      jsonb_array_length("problems") as "remarks",
      (select count(*) from jsonb_array_elements("problems") as file where file ->> 'imported' = 'false') as "leftOut",
      count(*) over () as "all"
    from "import_job"
    where "workspaceId" = ${by.workspaceId} and "createdBy" = ${by.userId}
    order by "created" ${direction}, "id" ${direction}
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(db);
  const total = rows[0]?.all ?? 0;
  return {
    result: rows.map(({ all: _all, ...job }) => job),
    meta: { page, perPage, total, orderBy, order },
  };
}
