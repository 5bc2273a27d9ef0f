// Undoes a whole import, the last change first: created rows go to the trash, changed rows get their earlier values. Rows
// changed since stay and are listed. Each chunk deletes its changes in its own transaction, so a killed server continues after
// it and two runs never undo the same twice.
import { sql } from 'kysely';
import { IMPORT } from '#shared/capture/limits.ts';
import { IMPORT_PROBLEMS_MAX, type ImportJob, type ImportKept } from '#shared/capture/import-job.ts';
import { authorize } from '#shared/define/access.ts';
import { AppError } from '#shared/errors.ts';
import type { Head } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import { can, type Actor } from '#shared/permissions.ts';
import { readMemorySubject, placeSubject } from '#shared/spaces/granted-subject.ts';
import { subjectOf } from '#shared/subject.ts';
import { across } from '../db/across.ts';
import { actorIn } from '../db/run-mutation.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { writeInRealm } from '../db/transaction.ts';
import type { Before } from './import-changes.ts';
import { storeUrlKeys } from './import-notes.ts';
import { announce, type ImportHost } from './import-run.ts';
import { asPerson } from '../sync/readable.ts';

const CHUNK = 200;
const CHANGED = 'Changed since the import';
const NOT_YOURS = 'You may not change it';

export interface UndoOrder {
  importId: Id<'upload'>;
  userId: Id<'user'>;
}

/** Undoes for one turn, to the end or until it is queued again. A fault of ours is thrown: the queue tries again. */
export async function runUndo(host: ImportHost, order: UndoOrder): Promise<void> {
  const job = await undoingImport(host, order.importId);
  if (job === undefined) return;
  const end = host.clock.now().getTime() + IMPORT.turnMs;
  try {
    while (await undoChunk(host, job, order.userId)) {
      if (host.clock.now().getTime() > end)
        return await host.jobs.enqueue(host.db, 'import.undo', order, { group: job.workspaceId });
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The person was removed or the workspace closed meanwhile; the rest can still be undone by other people.
    host.log.warn({ error, importId: job.id }, 'an import could not be undone to the end');
    return stopUndo(host, job.id);
  }
  await announce(host, job, { state: 'undone' });
}

/** Lets the rest be undone by another try. */
export async function stopUndo({ db, clock }: ImportHost, importId: Id<'upload'>): Promise<void> {
  await db
    .updateTable('import_job')
    .set({ undo: 'possible', updated: clock.now().toISOString() })
    .where('id', '=', importId)
    .where('undo', '=', 'running')
    .modifyEnd(across('job'))
    .execute();
}

async function undoingImport({ db }: ImportHost, importId: Id<'upload'>): Promise<ImportJob | undefined> {
  return db
    .selectFrom('import_job')
    .selectAll()
    .where('id', '=', importId)
    .where('undo', '=', 'running')
    .modifyEnd(across('job'))
    .executeTakeFirst();
}

interface Change {
  seq: number;
  kind: 'space' | 'memory' | 'text' | 'link' | 'thread';
  entityId: string;
  path: string;
  left: string;
  at: string;
  before: Before | null;
  /** Changed again by a later import that is not undone. */
  isAgain: boolean;
}

interface Undoing {
  job: ImportJob;
  actor: Actor;
  removed: number;
  restored: number;
  kept: ImportKept[];
}

/** One transaction. False when nothing is left to undo. */
async function undoChunk(host: ImportHost, job: ImportJob, userId: Id<'user'>): Promise<boolean> {
  const { value } = await writeInRealm(host, job.workspaceId, asPerson(userId), async (tx) => {
    const actor = await actorIn(tx, userId);
    authorize(actor, 'import.undo', { ownerId: job.createdBy });
    const undoing: Undoing = { job, actor, removed: 0, restored: 0, kept: [] };
    const { rows: changes } = await sql<Change>`
      select c."seq", c."kind", c."entityId", c."path", c."left", c."at", c."before",
        -- A later import may leave the same date, that of the file.
        exists (select 1 from "import_change" later
          where later."workspaceId" = c."workspaceId" and later."entityId" = c."entityId"
          and later."seq" > c."seq" and later."importId" <> c."importId") as "isAgain"
      from "import_change" c
      where c."workspaceId" = ${job.workspaceId} and c."importId" = ${job.id} order by c."seq" desc limit ${CHUNK}`.execute(
      tx.trx,
    );
    for (const run of runsOfKind(changes)) await undoRun(tx, undoing, run);
    await sql`
      delete from "import_change"
      where "workspaceId" = ${job.workspaceId} and "importId" = ${job.id} and "seq" = any(${changes.map(({ seq }) => seq)}::bigint[])`.execute(
      tx.trx,
    );
    const isDone = changes.length < CHUNK;
    await recordUndo(tx, undoing, isDone);
    return !isDone;
  });
  return value;
}

/** Changes of the same kind that follow each other. */
function runsOfKind(changes: readonly Change[]): Change[][] {
  const runs: Change[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === change.kind) last.push(change);
    else runs.push([change]);
  }
  return runs;
}

async function undoRun(tx: ServerTx, undoing: Undoing, run: readonly Change[]): Promise<void> {
  if (run[0]?.kind === 'memory') return removeMade(tx, undoing, run);
  for (const change of run) {
    if (change.kind === 'link') await unlink(tx, undoing, change);
    else if (change.kind === 'text') await bringBack(tx, undoing, change);
    else if (change.kind === 'thread') await removeThread(tx, undoing, change);
    else await removeSpace(tx, undoing, change);
  }
}

/** Memories that the import made go to the trash together. */
async function removeMade(tx: ServerTx, undoing: Undoing, run: readonly Change[]): Promise<void> {
  const ids = run.map(({ entityId }) => entityId);
  const { rows } = await sql<
    Pick<Head<'memory'>, 'id' | 'ownerId' | 'spaceId' | 'updated'> & { filed: string[] }
  >`
    select m."id", m."ownerId", m."spaceId", m."updated", coalesce((
        select jsonb_agg(l."created") from "space_memory" l
        where l."workspaceId" = m."workspaceId" and l."memoryId" = m."id"), '[]') as "filed"
    from "memory" m
    where m."workspaceId" = ${tx.realmId} and m."id" = any(${ids}::text[]) and m."deletedAt" is null`.execute(
    tx.trx,
  );
  const found = new Map<string, (typeof rows)[number]>(rows.map((row) => [row.id, row]));
  const removable: string[] = [];
  for (const { entityId, path, left, at, isAgain } of run) {
    const row = found.get(entityId);
    // One that is deleted already is where undoing would put it.
    if (row === undefined) continue;
    const reason =
      isAgain || row.updated !== left
        ? CHANGED
        : row.filed.some((created) => Date.parse(created) !== Date.parse(at))
          ? 'Added to a space since the import'
          : can(undoing.actor, 'memory.remove', await readMemorySubject(tx, undoing.actor, row))
            ? null
            : NOT_YOURS;
    if (reason === null) removable.push(entityId);
    else undoing.kept.push({ path, reason });
  }
  await tx.updateMany('memory', removable, { deletedAt: tx.now.toISOString() });
  await sql`
    update "import_item" set "undone" = true
    where "workspaceId" = ${tx.realmId} and "memoryId" = any(${removable}::text[])`.execute(tx.trx);
  undoing.removed += removable.length;
}

/** A memory that was there before the import gets back what the import replaced. */
async function bringBack(tx: ServerTx, undoing: Undoing, change: Change): Promise<void> {
  const { job, actor } = undoing;
  const { entityId, path, left, before, isAgain } = change;
  const row = await tx.get('memory', entityId);
  if (before === null || row?.deletedAt != null) return;
  const isChanged = Object.keys(before.fields).length > 0;
  if (isChanged) {
    const reason =
      row === undefined || !can(actor, 'memory.update', await readMemorySubject(tx, actor, row))
        ? NOT_YOURS
        : isAgain || row.updated !== left
          ? CHANGED
          : null;
    if (reason !== null) return void undoing.kept.push({ path, reason });
    await tx.update('memory', entityId, before.fields);
    const { url } = before.fields;
    if (row !== undefined && url !== undefined) await storeUrlKeys(tx, [{ id: row.id, url }]);
    undoing.restored += 1;
  }
  await bringBackItem(tx, job, before.item);
}

/** The next import of the same file compares with the state before this one. */
async function bringBackItem(tx: ServerTx, job: ImportJob, item: Before['item']): Promise<void> {
  const { path, part, contentHash, bodyHash = null } = item;
  const place = sql`"workspaceId" = ${tx.realmId} and "archive" = ${job.filename}
    and "path" = ${path} and "part" = ${part}`;
  await (
    contentHash === undefined
      ? sql`delete from "import_item" where ${place}`
      : sql`update "import_item" set "contentHash" = ${contentHash}, "bodyHash" = ${bodyHash} where ${place}`
  ).execute(tx.trx);
}

/** An existing memory is removed from the space that the import filed it in. */
async function unlink(tx: ServerTx, { actor }: Undoing, { entityId, left }: Change): Promise<void> {
  const link = await tx.get('space_memory', entityId);
  if (link === undefined || link.created !== left) return;
  const space = await tx.get('space', link.spaceId);
  const memory = await tx.get('memory', link.memoryId);
  // If it was moved there since, that is its home.
  if (space === undefined || memory?.spaceId === link.spaceId) return;
  if (can(actor, 'space.file', await placeSubject(tx, actor, space)))
    await tx.remove('space_memory', entityId);
}

async function removeSpace(tx: ServerTx, undoing: Undoing, { entityId, path, left }: Change): Promise<void> {
  const row = await tx.get('space', entityId);
  if (row === undefined || row.deletedAt !== null) return;
  const { rows } = await sql<{ filled: boolean; granted: boolean }>`
    select exists (
        select 1 from "memory" m left join "space_memory" l
          on l."workspaceId" = m."workspaceId" and l."memoryId" = m."id" and l."spaceId" = ${entityId}
        where m."workspaceId" = ${tx.realmId} and m."deletedAt" is null
          and (m."spaceId" = ${entityId} or l."spaceId" is not null)) as "filled",
      exists (select 1 from "grant" where "workspaceId" = ${tx.realmId} and "resourceId" = ${entityId}) as "granted"`.execute(
    tx.trx,
  );
  const [state] = rows;
  const reason =
    row.updated !== left
      ? CHANGED
      : state?.granted === true
        ? 'Shared since the import'
        : state?.filled === true
          ? 'The space still holds memories'
          : can(undoing.actor, 'space.remove', subjectOf(row, row))
            ? null
            : NOT_YOURS;
  if (reason !== null) return void undoing.kept.push({ path, reason });
  await tx.update('space', entityId, { deletedAt: tx.now.toISOString() });
  undoing.removed += 1;
}

async function removeThread(tx: ServerTx, undoing: Undoing, { entityId, path, left }: Change): Promise<void> {
  const row = await tx.get('thread', entityId);
  if (row === undefined || row.deletedAt !== null) return;
  const reason =
    row.updated !== left
      ? CHANGED
      : can(undoing.actor, 'thread.remove', subjectOf(row, row))
        ? null
        : NOT_YOURS;
  if (reason !== null) return void undoing.kept.push({ path, reason });
  await tx.update('thread', entityId, { deletedAt: tx.now.toISOString() });
  undoing.removed += 1;
}

async function recordUndo(
  tx: ServerTx,
  { job, removed, restored, kept }: Undoing,
  isDone: boolean,
): Promise<void> {
  await sql`update "import_job" set
      "removedCount" = "removedCount" + ${removed},
      "restoredCount" = "restoredCount" + ${restored},
      "keptCount" = "keptCount" + ${kept.length},
      "kept" = (select coalesce(jsonb_agg(entry order by at), '[]') from (
        select entry, at from jsonb_array_elements("kept" || ${JSON.stringify(kept)}::jsonb)
          with ordinality as listed(entry, at) order by at limit ${IMPORT_PROBLEMS_MAX}) as first),
      "undo" = case when ${isDone} then 'done' else "undo" end,
      "updated" = ${tx.now.toISOString()}
    where "workspaceId" = ${job.workspaceId} and "id" = ${job.id}`.execute(tx.trx);
}
