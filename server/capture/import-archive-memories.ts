/**
 * Memories of an archive of Loci, with their spaces, pages and files. An existing one is not changed; a link whose page the
 * workspace already had is merged into that memory.
 */
import { sql } from 'kysely';
import { urlKey } from '#shared/capture/url-key.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { authoredBy } from '#shared/define/authored.ts';
import type { Head } from '#shared/entities.ts';
import { addressOf } from '#shared/hash.ts';
import type { Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { SnapshotFacts } from '#shared/memories/memory-kinds.ts';
import { NEW_MEMORY } from '#shared/memories/memory.ts';
import { can, type Actor } from '#shared/permissions.ts';
import { placeSubject } from '#shared/spaces/granted-subject.ts';
import { anonymousReads } from '#shared/spaces/visibility.ts';
import { clampTime } from '../db/run-mutation.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { readableBy, asPerson } from '../sync/readable.ts';
import { knownUrlKeys, mergeImported } from '../memories/service.ts';
import { rememberChanges, type ImportChange } from './import-changes.ts';
import {
  refresh,
  rememberItems,
  storeUrlKeys,
  type Importing,
  type KnownItem,
  type Outcome,
} from './import-notes.ts';
import { importedId, knownPlaces, meantMemories, memoryKey } from './import-places.ts';
import type { ImportNote } from './import-reading.ts';
import { queuePages } from './page-queue.ts';
import type { StoredSnapshot } from './snapshots/take-snapshot.ts';
import type { StoredItemOf } from './stored-item.ts';

type Item = StoredItemOf<'memory'>;

interface Fresh {
  item: Item;
  note: ImportNote;
  home: Id<'space'> | null;
  filed: Id<'space'>[];
}

const MEMORY_ADDRESS = /\bmemory:(mem_[a-z1-9]{32})/g;

export async function importArchiveMemories(
  tx: ServerTx,
  importing: Importing,
  items: readonly Item[],
  outcome: Outcome,
): Promise<void> {
  if (items.length === 0) return;
  const { actor, job } = importing;
  const notes = await notesOf(tx, importing, items);
  const known = await knownItems(tx, importing, notes);
  const here = await originalsHere(tx, importing, items);
  const placeOf = await usableSpaces(tx, importing, items);
  const changes: ImportChange[] = [];
  const fresh = new Map<string, Fresh>();
  for (const [index, item] of items.entries()) {
    const note = notes[index];
    if (note === undefined) continue;
    const before = known.get(note.key);
    if (here.has(item.row.id) || fresh.has(note.key)) outcome.unchanged += 1;
    else if (before === undefined) {
      const places = placesOf(item, placeOf, outcome);
      if (places !== undefined) fresh.set(note.key, { item, note, ...places });
    } else if (before.contentHash === note.contentHash) outcome.unchanged += 1;
    else await refresh(tx, { actor, job, item: before, note, outcome, changes });
  }
  await rememberChanges(tx, job, changes);
  await write(tx, importing, [...fresh.values()], outcome);
}

/** The rows in the form that imported notes are compared and remembered in. */
async function notesOf(tx: ServerTx, { job }: Importing, items: readonly Item[]): Promise<ImportNote[]> {
  const named = items.flatMap(({ row }) =>
    [...(row.notes ?? '').matchAll(MEMORY_ADDRESS)].map(([, id = '']) => id),
  );
  const memoryOf = await meantMemories(tx, job, named);
  return items.map(({ path, row }) => {
    const notes = row.notes?.replace(MEMORY_ADDRESS, (_, id: string) => `memory:${memoryOf(id)}`) ?? null;
    const { title, description, url, tags, created, updated, archived, filename } = row;
    return {
      key: memoryKey(row.id),
      path,
      part: 0,
      title,
      description,
      url,
      tags,
      folders: [],
      created,
      updated,
      archived,
      page: undefined,
      filename,
      files: [],
      contentHash: addressOf(JSON.stringify([title, description, url, row.notes])).hash,
      body: bodyFields(notes),
    };
  });
}

/** Those that an earlier import of this archive, or of another with the same memory, created. */
async function knownItems(
  tx: ServerTx,
  { actor, job }: Importing,
  notes: readonly ImportNote[],
): Promise<Map<string, KnownItem>> {
  const reader = { realmId: tx.realmId, ...asPerson(actor.userId) };
  const { rows } = await sql<KnownItem>`
    select item.* from "import_item" item
    join "memory" m on m."workspaceId" = item."workspaceId" and m."id" = item."memoryId"
    where item."workspaceId" = ${tx.realmId} and item."part" = 0
      and item."path" = any(${notes.map(({ key }) => key)}::text[])
      and (not item."undone" or m."deletedAt" is null)
      and (m."deletedAt" is not null or ${readableBy('memory', 'm', reader)})
    order by item."archive" = ${job.filename}`.execute(tx.trx);
  return new Map(rows.map((row) => [row.path, row]));
}

/** The ids of memories that are in this workspace themselves. */
async function originalsHere(tx: ServerTx, { job }: Importing, items: readonly Item[]): Promise<Set<string>> {
  const meant = await meantMemories(
    tx,
    job,
    items.map(({ row }) => row.id),
  );
  return new Set(items.flatMap(({ row }) => (meant(row.id) === row.id ? [row.id] : [])));
}

interface UsableSpace {
  id: Id<'space'>;
  /** Why no memory is filed in it. */
  refusal: string | null;
}

/** The spaces that the memories name, and whether the person may file there. */
async function usableSpaces(
  tx: ServerTx,
  { actor, job }: Importing,
  items: readonly Item[],
): Promise<Map<string, UsableSpace>> {
  const named = items.flatMap(({ row }) => [...row.spaceIds, ...(row.spaceId === null ? [] : [row.spaceId])]);
  const usable = new Map<string, UsableSpace>();
  for (const [original, { row }] of await knownPlaces(tx, 'space', job, named)) {
    const refusal = anonymousReads(row.visibility)
      ? `Was not added to the public space “${row.name}”. Add it there yourself.`
      : can(actor, 'space.file', await placeSubject(tx, actor, row))
        ? null
        : `You may not add to the space “${row.name}”`;
    usable.set(original, { id: row.id, refusal });
  }
  return usable;
}

/** The target of a memory; undefined when its own space is unavailable, because elsewhere more people would read it. */
function placesOf(
  { path, row }: Item,
  placeOf: ReadonlyMap<string, UsableSpace>,
  outcome: Outcome,
): Pick<Fresh, 'home' | 'filed'> | undefined {
  const home = row.spaceId === null ? null : placeOf.get(row.spaceId);
  if (home === undefined || (home !== null && home.refusal !== null)) {
    const reason = home?.refusal ?? 'The space it belongs to is not in this workspace';
    outcome.problems.push({ path, reason, imported: false });
    return undefined;
  }
  const filed: Id<'space'>[] = [];
  for (const original of new Set(row.spaceIds)) {
    const place = placeOf.get(original);
    if (place === undefined) continue;
    if (place.refusal === null) filed.push(place.id);
    else outcome.problems.push({ path, reason: place.refusal, imported: true });
  }
  return { home: home === null ? null : home.id, filed };
}

async function write(
  tx: ServerTx,
  importing: Importing,
  fresh: readonly Fresh[],
  outcome: Outcome,
): Promise<void> {
  const { host, actor, job } = importing;
  const { added, merged } = await mergeKnownPages(tx, importing, fresh);
  const rows = added.map((each) => memoryOf(tx, importing, each));
  await tx.insertMany('memory', rows);
  await storeUrlKeys(
    tx,
    rows.filter(({ url }) => url !== null),
  );
  await storePages(tx, importing, added);
  const waiting = rows.filter(({ contentStatus }) => contentStatus === 'pending').map(({ id }) => id);
  await queuePages(host.jobs, tx, waiting.slice(0, Math.max(0, IMPORT.pagesAtOnce - job.processed)));
  const items = [
    ...added.map(({ item, note }) => ({ id: importedId('memory', job.id, item.row.id), note })),
    ...merged.map(({ id, fresh: { note } }) => ({ id, note })),
  ];
  await rememberItems(tx, job, items);
  const links = [
    ...added.flatMap(({ item, filed }) =>
      filed.map((spaceId) => ({ spaceId, memoryId: importedId('memory', job.id, item.row.id) })),
    ),
    ...merged.flatMap(({ id, fresh: { filed } }) => filed.map((spaceId) => ({ spaceId, memoryId: id }))),
  ];
  const { workspaceId } = job;
  const linked = await tx.insertMany(
    'space_memory',
    links.map((ids) => ({ ...ids, workspaceId, createdBy: actor.userId, created: tx.now.toISOString() })),
  );
  await rememberChanges(tx, job, [
    ...rows.map(({ id, updated }, index) => ({
      kind: 'memory' as const,
      entityId: id,
      path: added[index]?.item.path ?? '',
      left: updated,
    })),
    ...merged.map(({ id, before, fresh: { note } }) => ({
      kind: 'text' as const,
      entityId: id,
      path: note.path,
      before: { fields: before, item: { path: note.key, part: note.part } },
    })),
    // The links of memories that go to the trash go with them.
    ...merged.flatMap(({ id, fresh: { note, filed } }) =>
      filed
        .map((spaceId) => `${spaceId}/${id}`)
        .filter((entityId) => linked.has(entityId))
        .map((entityId) => ({ kind: 'link' as const, entityId, path: note.path })),
    ),
  ]);
  outcome.imported += added.length;
  outcome.unchanged += merged.length;
}

interface Merged {
  id: Id<'memory'>;
  before: Partial<Head<'memory'>>;
  fresh: Fresh;
}

/**
 * Only a memory for the whole workspace is merged into an existing one: text from a closed space must not surface elsewhere.
 * Two memories of the archive with the same page stay separate.
 */
async function mergeKnownPages(
  tx: ServerTx,
  { actor, job }: Importing,
  fresh: readonly Fresh[],
): Promise<{ added: Fresh[]; merged: Merged[] }> {
  const keyOf = ({ item: { row }, home }: Fresh) =>
    row.type === 'link' && home === null && row.url !== null ? urlKey(row.url) : null;
  const keys = fresh.flatMap((each) => keyOf(each) ?? []);
  const known = await knownUrlKeys(tx, keys);
  const own = await urlKeysOf(tx, job, keys);
  const now = () => tx.now.toISOString();
  const context = { actor, realmId: tx.realmId, at: now, arrival: now };
  const added: Fresh[] = [];
  const merged: Merged[] = [];
  for (const each of fresh) {
    const key = keyOf(each);
    const { title, description, tags, body } = each.note;
    const copied = { title, description, tags, notes: body.notes };
    const found =
      key !== null && known.has(key) && !own.has(key)
        ? await mergeImported(tx, { key, copied, context })
        : undefined;
    if (found === undefined) added.push(each);
    else merged.push({ ...found, fresh: each });
  }
  return { added, merged };
}

/** The pages for which this import itself created a memory. */
async function urlKeysOf(
  tx: ServerTx,
  { id: importId }: Importing['job'],
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ urlKey: string }>`
    select distinct m."urlKey" from "memory" m
    join "import_change" made
      on made."workspaceId" = m."workspaceId" and made."entityId" = m."id" and made."importId" = ${importId}
    where m."workspaceId" = ${tx.realmId} and m."deletedAt" is null and m."urlKey" = any(${keys}::text[])`.execute(
    tx.trx,
  );
  return new Set(rows.map((row) => row.urlKey));
}

function memoryOf(
  tx: ServerTx,
  { actor, job }: { actor: Actor; job: Importing['job'] },
  { item: { row, upload, snapshot }, note, home }: Fresh,
): Head<'memory'> {
  const { title, description, summary, url, tags, filename, archived, origin, page } = row;
  const type = row.type === 'file' && upload === undefined ? 'note' : row.type;
  const isUnread = row.contentStatus === 'pending' || row.contentStatus === 'processing';
  const created = clampTime(row.created, tx.now);
  const updated = clampTime(row.updated, tx.now);
  return {
    ...NEW_MEMORY,
    ...authoredBy(actor.userId, job.workspaceId, created),
    id: importedId('memory', job.id, row.id),
    spaceId: home,
    type,
    origin,
    contentStatus: type === 'note' ? 'completed' : isUnread ? 'pending' : row.contentStatus,
    metadata: {
      // Before what the archive says of the size, which is that of the original.
      ...snapshot?.picture,
      ...row.facts,
      ...(upload && { bytes: upload.bytes }),
      ...(page && { pageHash: addressOf(page.text).hash }),
      ...(snapshot && { snapshot: factsOf(tx, row, snapshot) }),
    },
    title,
    description,
    summary,
    url,
    ...note.body,
    tags,
    filename,
    archived,
    uploadId: upload?.id ?? null,
    updated: updated < created ? created : updated,
  };
}

function factsOf(
  { now }: ServerTx,
  { savedPage, created }: Item['row'],
  { hash, bytes }: StoredSnapshot,
): SnapshotFacts {
  return { hash, bytes, taken: clampTime(savedPage?.taken ?? created, now) };
}

async function storePages(tx: ServerTx, { job }: Importing, added: readonly Fresh[]): Promise<void> {
  for (const { item } of added) {
    const { id, url, page, savedPage } = item.row;
    const fetched = page?.fetched ?? savedPage?.taken;
    if (fetched === undefined || (page === null && item.snapshot === undefined)) continue;
    await sql`
      insert into "memory_page" ("workspaceId", "memoryId", "queued", "url", "text", "hash", "fetched", "snapshotId")
      values (${tx.realmId}, ${importedId('memory', job.id, id)}, ${tx.now.toISOString()}, ${page === null ? url : page.url},
        ${page?.text ?? null}, ${page === null ? null : addressOf(page.text).hash}, ${clampTime(fetched, tx.now)},
        ${item.snapshot?.uploadId ?? null})`.execute(tx.trx);
  }
}
