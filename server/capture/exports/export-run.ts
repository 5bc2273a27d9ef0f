/**
 * Runs one export: reads the workspace as the person who began it, within the limits that are stored with it, and streams
 * the zip into the file store. A run that was killed is followed by one that begins anew; a run that was only believed dead
 * sees that it was replaced and stops.
 */
import { WORKSPACE_EXPORT } from '#shared/capture/export-job.ts';
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../../context.ts';
import { across } from '../../db/across.ts';
import { writeInRealm, type WriteContext } from '../../db/transaction.ts';
import { emit } from '../../events/emit.ts';
import { writeArchive } from './export-archive.ts';
import { exportKey, removeOldest } from './export-store.ts';
import { createZip } from './zip-writer.ts';
import { stillReads, type ExportRow } from './reach.ts';
import { systemActor } from '../../db/server-tx.ts';

export type ExportHost = WriteContext & Pick<Context, 'files' | 'log'>;

/** Another run has claimed the export. */
class ReplacedRun extends Error {}

/** A fault of ours is thrown: the queue tries again. */
export async function runExport(host: ExportHost, exportId: Id<'export'>): Promise<void> {
  const job = await claim(host, exportId);
  if (job === undefined) return;
  try {
    // Remains of a run that was killed.
    await host.files.remove(exportKey(job));
    const { bytes, places } = await writeFile(host, job);
    await complete(host, { ...job, places }, bytes);
  } catch (error) {
    if (error instanceof ReplacedRun) return;
    if (!(error instanceof AppError)) throw error;
    await fail(host, job, error.detail);
  }
}

/** Ends an export whose job failed every time, so that its owner does not wait for ever. */
export async function abandonExport(host: ExportHost, exportId: Id<'export'>): Promise<void> {
  const job = await claim(host, exportId);
  if (job === undefined) return;
  await fail(host, job, 'The export stopped because of a fault of the server. Start it again.');
}

/** Makes this run the one that counts. */
async function claim({ db, clock }: ExportHost, exportId: Id<'export'>): Promise<ExportRow | undefined> {
  return db
    .updateTable('export_job')
    .set({
      status: 'running',
      run: sql<number>`"run" + 1`,
      processed: 0,
      updated: clock.now().toISOString(),
    })
    .where('id', '=', exportId)
    .where('status', 'in', ['pending', 'running'])
    .modifyEnd(across('job'))
    .returningAll()
    .executeTakeFirst();
}

/** Writes to the row as long as this run counts. @throws ReplacedRun */
async function update(
  { db, clock }: ExportHost,
  { workspaceId, id, run }: Pick<ExportRow, 'workspaceId' | 'id' | 'run'>,
  change: Partial<Omit<ExportRow, 'id' | 'run'>>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('export_job')
    .set({ ...change, updated: clock.now().toISOString() })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('run', '=', run)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ReplacedRun();
}

async function writeFile(host: ExportHost, job: ExportRow): Promise<{ bytes: number; places: string[] }> {
  const zip = createZip();
  const onProgress = async (progress: { total: number; processed: number }) => {
    await update(host, job, progress);
    await requireStanding(host, { ...job, places: [] });
  };
  const writing = host.files.write(exportKey(job), zip.stream);
  const filling = writeArchive(host, job, zip, onProgress).then((places) => {
    zip.end();
    return places;
  });
  try {
    // The store settles first only when it fails, and then the zip has no reader any more.
    const places = await Promise.race([filling, writing.then(() => filling)]);
    return { bytes: await writing, places };
  } catch (error) {
    zip.stream.destroy(error instanceof Error ? error : new Error(String(error)));
    await Promise.allSettled([writing]);
    throw error;
  }
}

/** @throws forbidden when the person may no longer read what the file holds */
async function requireStanding({ db }: ExportHost, job: ExportRow): Promise<void> {
  if (!(await stillReads(db, job)))
    throw new AppError('forbidden', 'Your access to the workspace changed during the export.');
}

async function complete(host: ExportHost, job: ExportRow, bytes: number): Promise<void> {
  const now = host.clock.now();
  try {
    await requireStanding(host, job);
  } catch (error) {
    await host.files.remove(exportKey(job));
    throw error;
  }
  await update(host, job, {
    status: 'completed',
    bytes,
    places: job.places,
    expiresAt: new Date(now.getTime() + WORKSPACE_EXPORT.keepDays * DAY_MS).toISOString(),
  });
  await removeOldest(host, job, now);
  await announce(host, job);
}

async function fail(host: ExportHost, job: ExportRow, reason: string): Promise<void> {
  await update(host, job, { status: 'failed', error: reason });
  await host.files.remove(exportKey(job));
  await announce(host, job, reason);
}

/** Notifies the person, unless the workspace is theirs no more. */
async function announce(host: ExportHost, job: ExportRow, failure?: string): Promise<void> {
  const { rows } = await sql<{ slug: string }>`
    select w."slug" from "workspace_member" m join "workspace" w on w."id" = m."workspaceId"
    where m."workspaceId" = ${job.workspaceId} and m."userId" = ${job.createdBy}`.execute(host.db);
  const [workspace] = rows;
  if (workspace === undefined) return;
  await writeInRealm(host, job.createdBy, systemActor, (tx) =>
    emit(tx, 'export.ready', { job, slug: workspace.slug, failure }),
  );
}
