// Exports as rows: begun once, read by the person who began them, and deleted with their files when their time is over.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { captureEndpoints } from '#shared/capture/endpoints.ts';
import { exportJob, WORKSPACE_EXPORT, type ExportJob, type ExportShown } from '#shared/capture/export-job.ts';
import { DAY_MS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../../context.ts';
import { across } from '../../db/across.ts';
import { writeOnce } from '../../db/idempotency-log.ts';
import { emit } from '../../events/emit.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Member } from '../../http/call.ts';
import { listPage } from '../../http/list-page.ts';
import { archiveName } from './export-archive.ts';
import { readExportAddress, signExportAddress } from '../signed-address.ts';
import { covers, presentReach, reachName, reachOf, stillReads } from './reach.ts';

const SHOWN = exportJob.keyof().options;

export function exportKey({ workspaceId, id }: Pick<ExportJob, 'workspaceId' | 'id'>): string {
  return `${workspaceId}/${id}`;
}

/**
 * Begins an export within the limits of the credential, or returns the one of the same limits that is under way.
 * @throws conflict while another one of the person is under way
 */
export async function startExport(
  { db, clock, idempotencyLog, origin }: Pick<Context, 'db' | 'clock' | 'idempotencyLog' | 'origin'>,
  jobs: Pick<JobQueue, 'enqueue'>,
  actor: Member,
  { includeFiles }: { includeFiles: boolean },
): Promise<ExportJob> {
  const { workspaceId, userId, position } = actor;
  if (position === 'guest') throw new AppError('forbidden', 'Only members may export a workspace');
  const reach = reachOf(actor);
  const now = clock.now();
  const { id } = await writeOnce(idempotencyLog, (store) =>
    db.transaction().execute(async (trx) => {
      // Two concurrent requests run one after the other.
      const { rows } = await sql<{ slug: string }>`
        select w."slug" from "workspace_member" m join "workspace" w on w."id" = m."workspaceId"
        where m."workspaceId" = ${workspaceId} and m."userId" = ${userId} for update of m`.execute(trx);
      const [workspace] = rows;
      if (workspace === undefined) throw new AppError('forbidden', 'You are not a member of this workspace');
      const running = await trx
        .selectFrom('export_job')
        .select(['id', 'reach', 'includesFiles'])
        .where('workspaceId', '=', workspaceId)
        .where('createdBy', '=', userId)
        .where('status', 'in', ['pending', 'running'])
        .executeTakeFirst();
      if (running !== undefined) {
        if (running.reach !== reachName(reach) || running.includesFiles !== includeFiles)
          throw new AppError('conflict', 'Another export of yours is still running', { retryAfter: 30 });
        await store(trx, { id: running.id });
        return { id: running.id };
      }
      const id = newId('export');
      await trx
        .insertInto('export_job')
        .values({
          id,
          workspaceId,
          createdBy: userId,
          position,
          ...reach,
          reach: reachName(reach),
          includesFiles: includeFiles,
          status: 'pending',
          filename: archiveName(workspace.slug, now),
          created: now.toISOString(),
          updated: now.toISOString(),
        })
        .execute();
      await jobs.enqueue(trx, 'export.run', { exportId: id }, { group: workspaceId });
      await emit({ trx, now, origin }, 'workspace.exported', {
        actor,
        contents: reach.contents.join(', '),
        spaces: reach.spaceIds?.length ?? null,
      });
      await store(trx, { id });
      return { id };
    }),
  );
  return db
    .selectFrom('export_job')
    .select(SHOWN)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The exports of a member that the credential may read. */
function exportsFor(db: Context['db'], actor: Member) {
  const own = reachOf(actor);
  const rows = db
    .selectFrom('export_job')
    .where('export_job.workspaceId', '=', actor.workspaceId)
    .where('export_job.createdBy', '=', actor.userId)
    .where(sql<boolean>`"export_job"."contents" <@ ${own.contents}::text[]`);
  if (own.spaceIds === null) return rows;
  return rows.where(
    sql<boolean>`"export_job"."spaceIds" is not null and "export_job"."spaceIds" <@ ${own.spaceIds}::text[]`,
  );
}

type ListQuery = z.output<(typeof captureEndpoints)['export.list']['query']>;

export function listExports(db: Context['db'], member: Member, query: ListQuery) {
  return listPage(exportsFor(db, member).select(SHOWN), { table: 'export_job', query });
}

/**
 * One export with the address of its file. Without the rights with which it was made, there is no file any more.
 * @throws not_found when it is another person's, or shows more than the credential may read
 */
export async function getExport(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  member: Member,
  id: Id<'export'>,
): Promise<ExportShown> {
  const found = await exportsFor(context.db, member)
    .select([...SHOWN, 'position', 'places'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Export not found'));
  const { position, places, ...job } = found;
  if (job.status !== 'completed' || isOver(job, context.clock.now())) return { ...job, download: null };
  if (!(await stillReads(context.db, { ...job, position, places }))) {
    const error = 'You may no longer read everything in this export. Start a new one.';
    return { ...job, status: 'expired', error, download: null };
  }
  const address = { exportId: job.id, credential: member.credential };
  const { path, expiresAt } = await signExportAddress(context, address);
  return { ...job, download: { url: `${context.config.appOrigin}${path}`, expiresAt } };
}

const isOver = ({ expiresAt }: Pick<ExportJob, 'expiresAt'>, now: Date) =>
  expiresAt !== null && expiresAt <= now.toISOString();

/**
 * The finished file at a signed address, if the person and the credential that the address was made for may still read
 * everything in it.
 */
export async function findExportFile(
  context: Pick<Context, 'db' | 'clock' | 'files'>,
  signed: string,
): Promise<{ stream: AsyncIterable<Uint8Array>; filename: string; bytes: number } | undefined> {
  const { db, clock, files } = context;
  const address = await readExportAddress(context, signed);
  if (address === undefined) return undefined;
  const job = await db
    .selectFrom('export_job')
    .selectAll()
    .where('id', '=', address.exportId)
    .where('status', '=', 'completed')
    .modifyEnd(across('credential'))
    .executeTakeFirst();
  const now = clock.now();
  if (job === undefined || job.bytes === null || isOver(job, now)) return undefined;
  const reach = await presentReach(db, address.credential, { ...job, now });
  if (reach === undefined || !covers(reach, job) || !(await stillReads(db, job))) return undefined;
  const stream = await files.read(exportKey(job));
  return stream && { stream: chunksOf(stream), filename: job.filename, bytes: job.bytes };
}

/** A disconnected client ends the iteration, which closes the file. */
async function* chunksOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* stream;
}

/** Deletes expired files and those of deleted people or workspaces, and later their rows. */
export async function removeExports({ db, files }: Pick<Context, 'db' | 'files'>, now: Date): Promise<void> {
  const { rows } = await sql<Pick<ExportJob, 'id' | 'workspaceId'>>`
    select "id", "workspaceId" from "export_job" e
    where "status" = 'completed' and ("expiresAt" <= ${now.toISOString()} or not exists (
        select 1 from "workspace_member" m join "workspace" w on w."id" = m."workspaceId"
        where m."workspaceId" = e."workspaceId" and m."userId" = e."createdBy" and w."deletedAt" is null))
      or "status" in ('completed', 'failed') and not exists (select 1 from "workspace" w where w."id" = e."workspaceId")
    ${across('purge')}`.execute(db);
  await expire({ db, files }, rows, now);
  const before = new Date(now.getTime() - WORKSPACE_EXPORT.listedDays * DAY_MS).toISOString();
  await sql`
    delete from "export_job" e where "status" in ('failed', 'expired') and ("created" < ${before}
      or not exists (select 1 from "workspace" w where w."id" = e."workspaceId")) ${across('purge')}`.execute(
    db,
  );
}

/** Leaves a person the newest files in a workspace. */
export async function removeOldest(
  host: Pick<Context, 'db' | 'files'>,
  { workspaceId, createdBy }: Pick<ExportJob, 'workspaceId' | 'createdBy'>,
  now: Date,
): Promise<void> {
  const rows = await host.db
    .selectFrom('export_job')
    .select(['id', 'workspaceId'])
    .where('workspaceId', '=', workspaceId)
    .where('createdBy', '=', createdBy)
    .where('status', '=', 'completed')
    .orderBy('created', 'desc')
    .orderBy('id')
    .offset(WORKSPACE_EXPORT.keptMax)
    .execute();
  await expire(host, rows, now);
}

/** The file is deleted before the row is updated: after a crash in between, the next clean-up finishes. */
async function expire(
  { db, files }: Pick<Context, 'db' | 'files'>,
  jobs: readonly Pick<ExportJob, 'id' | 'workspaceId'>[],
  now: Date,
): Promise<void> {
  for (const job of jobs) {
    await files.remove(exportKey(job));
    await db
      .updateTable('export_job')
      .set({ status: 'expired', updated: now.toISOString() })
      .where('workspaceId', '=', job.workspaceId)
      .where('id', '=', job.id)
      .execute();
  }
}
