// Writes a chunk of imported notes: new ones as memories, known ones compared with what was imported before, so that
// importing the same archive again changes nothing and a newer one replaces only what was not edited since.
import type { ImportJob } from '#shared/capture/import-job.ts';
import { authorize } from '#shared/define/access.ts';
import { slugify } from '#shared/define/fields.ts';
import type { Head } from '#shared/entities.ts';
import { newId, type Id } from '#shared/ids.ts';
import { memory } from '#shared/memories/memory.ts';
import { memorySubject } from '#shared/spaces/granted-subject.ts';
import { can, type Actor } from '#shared/permissions.ts';
import { space } from '#shared/spaces/space.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { clampTime } from '../db/run-mutation.ts';
import type { ImportNote } from './import-reading.ts';
import type { ImportProgress } from './service.ts';

type Outcome = Omit<ImportProgress, 'processed'>;

interface KnownItem {
  archive: string;
  path: string;
  part: number;
  contentHash: string;
  bodyHash: string | null;
  memoryId: Id<'memory'>;
}

/** @throws forbidden when the person may not create memories any more */
export async function importNotes(
  tx: ServerTx,
  actor: Actor,
  job: ImportJob,
  notes: readonly ImportNote[],
): Promise<Outcome> {
  authorize(actor, 'memory.create');
  const outcome: Outcome = { imported: 0, updatedCount: 0, unchanged: 0, problems: [] };
  const known = await knownItems(tx, job, notes);
  const fresh: ImportNote[] = [];
  for (const note of notes) {
    const item = known.get(itemKey(note));
    if (item === undefined) fresh.push(note);
    else if (item.contentHash === note.contentHash) outcome.unchanged += 1;
    else await refresh(tx, { actor, job, item, note, outcome });
  }
  await insertNotes(tx, actor, job, fresh);
  outcome.imported = fresh.length;
  return outcome;
}

function itemKey({ path, part }: { path: string; part: number }): string {
  return `${part}/${path}`;
}

/** Earlier imports of these files: of the same archive, or of another one when the content is the same. */
async function knownItems(
  tx: ServerTx,
  job: ImportJob,
  notes: readonly ImportNote[],
): Promise<Map<string, KnownItem>> {
  if (notes.length === 0) return new Map();
  const hashes = new Map(notes.map((note) => [itemKey(note), note.contentHash]));
  const rows = await tx.trx
    .selectFrom('import_item')
    .selectAll()
    .where('workspaceId', '=', job.workspaceId)
    .where('path', 'in', [...new Set(notes.map(({ path }) => path))])
    .execute();
  const found = new Map<string, KnownItem>();
  for (const row of rows) {
    const key = itemKey(row);
    const same = row.contentHash === hashes.get(key);
    if (same || (row.archive === job.filename && !found.has(key))) found.set(key, row);
  }
  return found;
}

async function insertNotes(
  tx: ServerTx,
  actor: Actor,
  job: ImportJob,
  notes: readonly ImportNote[],
): Promise<void> {
  if (notes.length === 0) return;
  const rows = notes.map((note) => memoryOf(tx, actor, job, note));
  await tx.insertMany('memory', rows);
  const items = rows.flatMap((row, index) => {
    const note = notes[index];
    if (note === undefined) return [];
    const { path, part, contentHash } = note;
    const { workspaceId, filename: archive } = job;
    return [{ workspaceId, archive, path, part, contentHash, bodyHash: row.bodyHash, memoryId: row.id }];
  });
  await tx.trx
    .insertInto('import_item')
    .values(items)
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'archive', 'path', 'part']).doUpdateSet((set) => ({
        contentHash: set.ref('excluded.contentHash'),
        bodyHash: set.ref('excluded.bodyHash'),
        memoryId: set.ref('excluded.memoryId'),
      })),
    )
    .execute();
  if (job.folders === 'spaces') await fileInSpaces(tx, actor, job, notes, rows);
}

function memoryOf(tx: ServerTx, actor: Actor, job: ImportJob, note: ImportNote): Head<'memory'> {
  return {
    ...memory.defaults,
    id: newId('memory'),
    workspaceId: job.workspaceId,
    ownerId: actor.userId,
    createdBy: actor.userId,
    lastEditedBy: actor.userId,
    spaceId: null,
    type: note.url === null ? 'note' : 'link',
    origin: 'import',
    // The text is what was worth keeping; the page behind the address is not fetched for an import.
    contentStatus: 'completed',
    metadata: {},
    title: note.title,
    description: note.description,
    summary: null,
    url: note.url,
    ...note.body,
    tags: note.tags,
    screenshot: null,
    filename: note.path
      .slice(note.path.lastIndexOf('/') + 1)
      .slice(0, 255)
      .toWellFormed(),
    uploadId: null,
    archived: false,
    created: clampTime(note.created, tx.now),
    updated: clampTime(note.updated, tx.now),
    deletedAt: null,
  };
}

interface Refresh {
  actor: Actor;
  job: ImportJob;
  item: KnownItem;
  note: ImportNote;
  outcome: Outcome;
}

async function refresh(tx: ServerTx, { actor, job, item, note, outcome }: Refresh): Promise<void> {
  const row = await tx.get('memory', item.memoryId);
  const refusal =
    row === undefined || row.deletedAt !== null
      ? 'Changed in the archive, but deleted here: it was left deleted'
      : !can(actor, 'memory.update', await memorySubject(tx, actor, row))
        ? 'Changed in the archive, but you may not change it here: it was left as it is'
        : row.bodyHash !== item.bodyHash
          ? 'Changed in the archive and here: the text here was kept'
          : null;
  if (refusal !== null) {
    outcome.problems.push({ path: note.path, reason: refusal, imported: false });
    return;
  }
  const { body } = note;
  await tx.update('memory', item.memoryId, {
    title: note.title,
    description: note.description,
    url: note.url,
    ...body,
    updated: clampTime(note.updated, tx.now),
    lastEditedBy: actor.userId,
  });
  await tx.trx
    .updateTable('import_item')
    .set({ contentHash: note.contentHash, bodyHash: body.bodyHash })
    .where('workspaceId', '=', job.workspaceId)
    .where('archive', '=', item.archive)
    .where('path', '=', item.path)
    .where('part', '=', item.part)
    .execute();
  outcome.updatedCount += 1;
}

/** The first folder of a path names the space; one of that name that the person may file in is used again. */
async function fileInSpaces(
  tx: ServerTx,
  actor: Actor,
  job: ImportJob,
  notes: readonly ImportNote[],
  rows: readonly Head<'memory'>[],
): Promise<void> {
  const folders = notes.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : null));
  const spaces = new Map<string, Id<'space'>>();
  for (const folder of new Set(folders.filter((name) => name !== null))) {
    spaces.set(folder, await spaceFor(tx, actor, job, folder));
  }
  const links = rows.flatMap((row, index) => {
    const spaceId = spaces.get(folders[index] ?? '');
    if (spaceId === undefined) return [];
    const created = tx.now.toISOString();
    return [{ workspaceId: job.workspaceId, spaceId, memoryId: row.id, createdBy: actor.userId, created }];
  });
  await tx.insertMany('space_memory', links);
}

async function spaceFor(tx: ServerTx, actor: Actor, job: ImportJob, folder: string): Promise<Id<'space'>> {
  const wanted = slugify(folder);
  const taken = await tx.trx
    .selectFrom('space')
    .select(['id', 'slug', 'ownerId', 'visibility', 'deletedAt'])
    .where('workspaceId', '=', job.workspaceId)
    .where('slug', 'like', `${wanted}%`)
    .execute();
  const usable = taken.find(
    (row) => row.slug === wanted && row.deletedAt === null && row.visibility === 'workspace',
  );
  if (usable !== undefined) return usable.id;
  const slugs = new Set(taken.map(({ slug }) => slug));
  let slug = wanted;
  for (let n = 2; slugs.has(slug); n += 1) slug = `${wanted.slice(0, 44)}-${n}`;
  const id = newId('space');
  const now = tx.now.toISOString();
  await tx.insert('space', {
    ...space.defaults,
    id,
    workspaceId: job.workspaceId,
    ownerId: actor.userId,
    createdBy: actor.userId,
    lastEditedBy: actor.userId,
    name: folder.slice(0, 120).toWellFormed().trim() || wanted,
    color: 'slate',
    slug,
    visibility: 'workspace',
    created: now,
    updated: now,
    deletedAt: null,
  });
  return id;
}
