// Writes a chunk of imported notes: new ones as memories, known ones compared with the earlier import, so that importing the
// same export again changes nothing and a newer one replaces only texts that were not edited since. A link whose page the
// workspace already has is merged into that memory.
import { sql, type Selectable } from 'kysely';
import { urlKey } from '#shared/capture/url-key.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { authorize } from '#shared/define/access.ts';
import { authoredBy } from '#shared/define/authored.ts';
import type { Head } from '#shared/entities.ts';
import { addressOf } from '#shared/hash.ts';
import { newId, type Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { NEW_MEMORY } from '#shared/memories/memory.ts';
import { readMemorySubject } from '#shared/spaces/granted-subject.ts';
import { can, type Actor } from '#shared/permissions.ts';
import type { Database } from '../db/database.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { Tables } from '../db/tables.ts';
import { clampTime } from '../db/run-mutation.ts';
import { knownUrlKeys, mergeImported, replacedBy } from '../memories/service.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { rememberChanges, type ImportChange } from './import-changes.ts';
import type { ImportNote } from './import-reading.ts';
import { fileInSpaces } from './import-spaces.ts';
import { queuePages } from './page-queue.ts';
import type { ImportProgress } from './service.ts';

export type Outcome = Omit<ImportProgress, 'processed' | 'total'>;

export interface Importing {
  host: { jobs: Pick<JobQueue, 'enqueue'> };
  actor: Actor;
  job: ImportJob;
}

export type KnownItem = Omit<Selectable<Tables['import_item']>, 'workspaceId'>;

/** @throws forbidden when the person may not create memories any more */
export async function importNotes(
  tx: ServerTx,
  importing: Importing,
  notes: readonly ImportNote[],
): Promise<Outcome> {
  const { actor, job } = importing;
  authorize(actor, 'memory.create');
  const outcome: Outcome = { imported: 0, updatedCount: 0, unchanged: 0, problems: [] };
  const known = await knownItems(tx, job, notes);
  const fresh: ImportNote[] = [];
  const changes: ImportChange[] = [];
  for (const note of notes) {
    const item = known.get(itemKey(note));
    if (item === undefined) fresh.push(note);
    else if (item.contentHash === note.contentHash) outcome.unchanged += 1;
    else await refresh(tx, { actor, job, item, note, outcome, changes });
  }
  const { added, merged } = await mergeKnownPages(tx, actor, fresh);
  await insertNotes(tx, importing, added);
  const items = [...added.flatMap(({ id, items: own }) => own.map((note) => ({ id, note }))), ...merged];
  await rememberItems(tx, job, items);
  const filed = items.map(({ id, note }) => ({ id, folders: note.folders }));
  const { spaces, links } =
    job.folders === 'spaces' ? await fileInSpaces(tx, actor, job, filed) : { spaces: [], links: [] };
  const paths = new Map(items.map(({ id, note }) => [id, note.path]));
  const completed = new Set(merged.map(({ id }) => id));
  // In an order for undoing the last first: the content of a space before the space itself.
  await rememberChanges(tx, job, [
    ...spaces.map(({ id, folder }) => ({ kind: 'space' as const, entityId: id, path: folder })),
    ...added.map(({ id, note }) => ({
      kind: 'memory' as const,
      entityId: id,
      path: note.path,
      left: timesOf(tx, note).updated,
    })),
    ...changes,
    ...merged.map(({ id, note, before }) => ({
      kind: 'text' as const,
      entityId: id,
      path: note.path,
      before: { fields: before, item: { path: note.key, part: note.part } },
    })),
    // The links of memories that go to the trash go with them.
    ...links
      .filter(({ memoryId }) => completed.has(memoryId))
      .map(({ spaceId, memoryId }) => ({
        kind: 'link' as const,
        entityId: `${spaceId}/${memoryId}`,
        path: paths.get(memoryId) ?? '',
      })),
  ]);
  outcome.imported = added.length;
  outcome.unchanged += fresh.length - added.length;
  return outcome;
}

/** Names an item among those of one archive. */
export function itemKey({ key, path, part }: { key?: string; path: string; part: number }): string {
  return `${part}/${key ?? path}`;
}

/** Earlier imports into the workspace. Items removed by an undo may be imported again, unless they were restored. */
export function earlierItems({ trx }: { trx: Database }, { workspaceId }: Pick<ImportJob, 'workspaceId'>) {
  return trx
    .selectFrom('import_item')
    .innerJoin('memory', (join) =>
      join
        .onRef('memory.workspaceId', '=', 'import_item.workspaceId')
        .onRef('memory.id', '=', 'import_item.memoryId'),
    )
    .where('import_item.workspaceId', '=', workspaceId)
    .where((is) => is.or([is('import_item.undone', '=', false), is('memory.deletedAt', 'is', null)]));
}

/** Earlier imports of these items: of the same archive, or of another one when the content is the same. */
export async function knownItems(
  tx: { trx: Database },
  job: ImportJob,
  notes: readonly Pick<ImportNote, 'key' | 'path' | 'part' | 'contentHash'>[],
): Promise<Map<string, KnownItem>> {
  if (notes.length === 0) return new Map();
  const hashes = new Map(notes.map((note) => [itemKey(note), note.contentHash]));
  const rows = await earlierItems(tx, job)
    .selectAll('import_item')
    .where('import_item.path', 'in', [...new Set(notes.map(({ key }) => key))])
    .execute();
  const found = new Map<string, KnownItem>();
  for (const row of rows) {
    const key = itemKey(row);
    const same = row.contentHash === hashes.get(key);
    if (same || (row.archive === job.filename && !found.has(key))) found.set(key, row);
  }
  return found;
}

/** A memory to create, with all items of this chunk for the same page. */
interface Added {
  id: Id<'memory'>;
  note: ImportNote;
  items: ImportNote[];
}

interface Item {
  id: Id<'memory'>;
  note: ImportNote;
}

/** An item that was merged into an existing memory. */
interface Merged extends Item {
  before: Partial<Head<'memory'>>;
}

/** One page is one memory: links that the workspace has, or that occur twice, are not added again. */
async function mergeKnownPages(
  tx: ServerTx,
  actor: Actor,
  notes: readonly ImportNote[],
): Promise<{ added: Added[]; merged: Merged[] }> {
  const now = () => tx.now.toISOString();
  const context = { actor, realmId: tx.realmId, at: now, arrival: now };
  const known = await knownUrlKeys(
    tx,
    notes.flatMap((note) => pageKeyOf(note) ?? []),
  );
  const added: Added[] = [];
  const byPage = new Map<string, Added>();
  const merged: Merged[] = [];
  for (const note of notes) {
    const key = pageKeyOf(note);
    const first = key === undefined ? undefined : byPage.get(key);
    if (first !== undefined && canJoin(first.note, note)) {
      first.note = joined(first.note, note);
      first.items.push(note);
      continue;
    }
    const { title, description, tags, body } = note;
    const copied = { title, description, tags, notes: body.notes };
    const found =
      key !== undefined && known.has(key) ? await mergeImported(tx, { key, copied, context }) : undefined;
    if (found !== undefined) {
      merged.push({ ...found, note });
      continue;
    }
    const memoryToBe = { id: newId('memory'), note, items: [note] };
    added.push(memoryToBe);
    if (key !== undefined && first === undefined) byPage.set(key, memoryToBe);
  }
  return { added, merged };
}

/** Only for links; a note with an address is a separate text. */
function pageKeyOf({ page, url }: ImportNote): string | undefined {
  return page === undefined || url === null ? undefined : (urlKey(url) ?? undefined);
}
/** Nothing is cut: what would be too long together stays two. */
function canJoin(first: ImportNote, other: ImportNote): boolean {
  const { length } = first.body.notes ?? '';
  return length + (other.body.notes?.length ?? 0) + 2 <= LIMITS.notes;
}

/** Fills fields that the first of two bookmarks of a page lacks from the second. */
function joined(first: ImportNote, other: ImportNote): ImportNote {
  const [text, more] = [first.body.notes, other.body.notes];
  const isNew = more !== null && text?.includes(more) !== true;
  return {
    ...first,
    title: first.title ?? other.title,
    description: first.description ?? other.description,
    tags: [...new Set([...first.tags, ...other.tags])].slice(0, LIMITS.tagCount),
    body: isNew ? bodyFields([text, more].filter((part) => part !== null).join('\n\n')) : first.body,
    archived: first.archived && other.archived,
    page: typeof first.page === 'object' ? first.page : other.page,
  };
}

async function insertNotes(
  tx: ServerTx,
  { host, actor, job }: Importing,
  added: readonly Added[],
): Promise<void> {
  if (added.length === 0) return;
  const rows = added.map(({ id, note }) => memoryOf(tx, { actor, job, id, note }));
  await tx.insertMany('memory', rows);
  await storeUrlKeys(
    tx,
    rows.filter(({ url }) => url !== null),
  );
  await storePages(tx, added);
  const waiting = rows.filter(({ contentStatus }) => contentStatus === 'pending').map(({ id }) => id);
  // Of a large import the first pages are queued at once; the others are found hourly as links without a job.
  const room = Math.max(0, IMPORT.pagesAtOnce - job.processed);
  await queuePages(host.jobs, tx, waiting.slice(0, room));
}

/** Not part of replicas, so writing it increments no version. */
export async function storeUrlKeys(
  tx: ServerTx,
  rows: readonly Pick<Head<'memory'>, 'id' | 'url'>[],
): Promise<void> {
  const links = rows.map(({ id, url }) => ({ id, key: url === null ? null : urlKey(url) }));
  await sql`
    update "memory" set "urlKey" = link."key"
    from unnest(${links.map(({ id }) => id)}::text[], ${links.map(({ key }) => key)}::text[]) as link("id", "key")
    where "memory"."workspaceId" = ${tx.realmId} and "memory"."id" = link."id"`.execute(tx.trx);
}

/** The text of a page in the export, stored as if it had been fetched. */
async function storePages(tx: ServerTx, added: readonly Added[]): Promise<void> {
  for (const { id, note } of added) {
    if (typeof note.page !== 'object') continue;
    const { text } = note.page;
    await sql`
      insert into "memory_page" ("workspaceId", "memoryId", "queued", "url", "text", "hash", "fetched")
      values (${tx.realmId}, ${id}, ${tx.now.toISOString()}, ${note.url}, ${text}, ${addressOf(text).hash},
        ${tx.now.toISOString()})`.execute(tx.trx);
  }
}

export async function rememberItems(tx: ServerTx, job: ImportJob, items: readonly Item[]): Promise<void> {
  const rows = new Map(
    items.map(({ id: memoryId, note }) => {
      const { key: path, part, contentHash, body } = note;
      const { workspaceId, filename: archive } = job;
      const row = {
        workspaceId,
        archive,
        path,
        part,
        contentHash,
        bodyHash: body.bodyHash,
        memoryId,
        undone: false,
      };
      // The same page twice in the same folder is one item.
      return [itemKey(note), row] as const;
    }),
  );
  if (rows.size === 0) return;
  await tx.trx
    .insertInto('import_item')
    .values([...rows.values()])
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'archive', 'path', 'part']).doUpdateSet((set) => ({
        contentHash: set.ref('excluded.contentHash'),
        bodyHash: set.ref('excluded.bodyHash'),
        memoryId: set.ref('excluded.memoryId'),
        undone: set.ref('excluded.undone'),
      })),
    )
    .execute();
}

interface NewRow {
  actor: Actor;
  job: ImportJob;
  id: Id<'memory'>;
  note: ImportNote;
}

function memoryOf(tx: ServerTx, { actor, job, id, note }: NewRow): Head<'memory'> {
  const { title, description, url, body, tags, filename, archived, page } = note;
  const pageHash = typeof page === 'object' ? addressOf(page.text).hash : undefined;
  const { created, updated } = timesOf(tx, note);
  return {
    ...NEW_MEMORY,
    ...authoredBy(actor.userId, job.workspaceId, created),
    updated,
    id,
    type: url === null ? 'note' : 'link',
    origin: 'import',
    // For a bookmark, the page matters. For a note with an address, the text was saved on purpose.
    contentStatus: page === 'fetch' ? 'pending' : 'completed',
    metadata: pageHash === undefined ? {} : { pageHash },
    title,
    description,
    url,
    ...body,
    tags,
    filename,
    archived,
  };
}

function timesOf({ now }: ServerTx, note: Pick<ImportNote, 'created' | 'updated'>) {
  const created = note.created === null ? now.toISOString() : clampTime(note.created, now);
  const updated = note.updated === null ? created : clampTime(note.updated, now);
  return { created, updated: updated < created ? created : updated };
}

interface Refresh {
  actor: Actor;
  job: ImportJob;
  item: KnownItem;
  note: ImportNote;
  outcome: Outcome;
  changes: ImportChange[];
}

/** Brings a memory of an earlier import up to date, unless it was changed here since. */
export async function refresh(
  tx: ServerTx,
  { actor, job, item, note, outcome, changes }: Refresh,
): Promise<void> {
  const row = await tx.get('memory', item.memoryId);
  const leave = (reason: string): void =>
    void outcome.problems.push({
      path: note.path,
      reason: `Changed in the archive${reason}`,
      imported: false,
    });
  if (row === undefined || row.deletedAt !== null) return leave(', but deleted here: it was left deleted');
  if (!can(actor, 'memory.update', await readMemorySubject(tx, actor, row)))
    return leave(', but you may not change it here: it was left as it is');
  if (note.page !== undefined && row.origin !== 'import')
    return leave(', but saved here before: it was left as it is');
  if (row.bodyHash !== item.bodyHash) return leave(' and here: the text here was kept');
  const { body } = note;
  const change = {
    // A link without a title of its own has that of its page.
    title: note.title ?? row.title,
    description: note.description,
    url: note.url,
    ...body,
    updated: note.updated === null ? tx.now.toISOString() : clampTime(note.updated, tx.now),
    lastEditedBy: actor.userId,
  };
  await tx.update('memory', item.memoryId, change);
  if (row.url !== change.url) await storeUrlKeys(tx, [{ id: row.id, url: change.url }]);
  const { path, part, contentHash, bodyHash } = item;
  changes.push({
    kind: 'text',
    entityId: item.memoryId,
    path: note.path,
    left: change.updated,
    before: { fields: replacedBy(row, change), item: { path, part, contentHash, bodyHash } },
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
