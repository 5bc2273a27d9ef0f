// The question of an import that would make many spaces: counts them before anything is written, and takes the person's
// answer.
import type { Selectable, Updateable } from 'kysely';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { slugify } from '#shared/define/fields.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../db/tables.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { ArchiveBytes } from './archive-bytes.ts';
import { itemKey, knownItems } from './import-notes.ts';
import { readFolders } from './import-reader.ts';
import { spaceName, usableSpaces } from './import-spaces.ts';
import { getImport, importNotFound } from './service.ts';

/** A job with the columns that clients do not see. */
export type StoredImport = Selectable<Tables['import_job']>;

type Host = Pick<Context, 'db' | 'clock'>;

/** Names stored with the question. */
const NAMED = 3;

/**
 * Counts the spaces that the import would make, for one turn, and asks when they are too many. Items that are here already
 * are not filed again, so their folders do not count.
 */
export async function countSpaces(
  host: Host,
  job: StoredImport,
  archive: ArchiveBytes,
): Promise<'settled' | 'unfinished' | { newSpaces: number }> {
  const { spacesMax } = job;
  if (spacesMax === null || job.folders !== 'spaces') return 'settled';
  const end = host.clock.now().getTime() + IMPORT.turnMs;
  const spaces = new Map(job.countedSpaces);
  let { counted } = job;
  for await (const { files, notes } of readFolders(archive, { name: job.filename, skip: counted })) {
    const known = await knownItems({ trx: host.db }, job, notes);
    const folders = notes.filter((note) => !known.has(itemKey(note))).flatMap((note) => note.folders);
    for (const [folder] of folders) {
      const slug = folder && slugify(folder);
      if (slug && !spaces.has(slug)) spaces.set(slug, spaceName(folder));
    }
    counted += files;
    if (host.clock.now().getTime() <= end) continue;
    await recordCount(host, job, { counted, countedSpaces: JSON.stringify([...spaces]) });
    return 'unfinished';
  }
  const used = await usableSpaces(host.db, job.workspaceId, [...spaces.keys()]);
  const names = [...spaces].flatMap(([slug, name]) => (used.has(slug) ? [] : [name]));
  if (names.length <= spacesMax) {
    await recordCount(host, job, { spacesMax: null, countedSpaces: '[]' });
    return 'settled';
  }
  const newSpaces = names.length;
  const newSpaceNames = JSON.stringify(names.slice(0, NAMED));
  await recordCount(host, job, { status: 'asking', newSpaces, newSpaceNames, countedSpaces: '[]' });
  return { newSpaces };
}

/** @throws when another run of the job has counted further or settled it */
async function recordCount(
  { db, clock }: Host,
  { workspaceId, id, counted }: StoredImport,
  values: Updateable<Tables['import_job']>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('import_job')
    .set({ ...values, updated: clock.now().toISOString() })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('spacesMax', 'is not', null)
    .where('counted', '=', counted)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`Import ${id} is being run twice`);
}

/** Takes the answer and lets the import begin. @throws conflict when it does not ask, unless that was the answer */
export async function chooseFolders(
  { db, clock }: Host,
  jobs: Pick<JobQueue, 'enqueue'>,
  { workspaceId, id }: Pick<ImportJob, 'workspaceId' | 'id'>,
  folders: ImportJob['folders'],
): Promise<ImportJob> {
  await db.transaction().execute(async (trx) => {
    // Two answers at once are taken one after the other.
    const job = await trx
      .selectFrom('import_job')
      .select(['status', 'folders', 'answered'])
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(importNotFound);
    if (job.answered !== null && job.folders === folders) return;
    if (job.status !== 'asking') throw new AppError('conflict', 'This import is not waiting for an answer');
    const now = clock.now().toISOString();
    await trx
      .updateTable('import_job')
      .set({ folders, status: 'pending', spacesMax: null, answered: now, updated: now })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    await jobs.enqueue(trx, 'import.run', { importId: id }, { group: workspaceId });
  });
  return getImport(db, workspaceId, id);
}
