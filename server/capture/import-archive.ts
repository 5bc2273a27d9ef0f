/**
 * Writes rows of an archive of Loci: spaces, memories, threads and messages, as the person who imports them. The archive's
 * statements about other people are not trusted: all created rows belong to the importer, none becomes public, and none is
 * filed where the importer may not file.
 */
import { authorize } from '#shared/define/access.ts';
import { authoredBy } from '#shared/define/authored.ts';
import { slugify } from '#shared/define/fields.ts';
import type { Head } from '#shared/entities.ts';
import { can } from '#shared/permissions.ts';
import { placeSubject } from '#shared/spaces/granted-subject.ts';
import { space, spaceSlug } from '#shared/spaces/space.ts';
import { anonymousReads, type Visibility } from '#shared/spaces/visibility.ts';
import { clampTime } from '../db/run-mutation.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { rememberChanges, type ImportChange } from './import-changes.ts';
import { importArchiveMemories } from './import-archive-memories.ts';
import type { Importing, Outcome } from './import-notes.ts';
import { importedId, knownPlaces, meantMemories, rememberPlaces, type PlaceKind } from './import-places.ts';
import { freeSlug } from './import-spaces.ts';
import type { StoredItem, StoredItemOf } from './stored-item.ts';

const isOfKind =
  <K extends StoredItem['row']['kind']>(kind: K) =>
  (item: StoredItem): item is StoredItemOf<K> =>
    item.row.kind === kind;

/** @throws forbidden when the person may not create memories any more */
export async function importArchive(
  tx: ServerTx,
  importing: Importing,
  items: readonly StoredItem[],
): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, updatedCount: 0, unchanged: 0, problems: [] };
  if (items.length === 0) return outcome;
  authorize(importing.actor, 'memory.create');
  for (const { path, remark } of items)
    if (remark !== undefined) outcome.problems.push({ path, reason: remark, imported: true });
  await importSpaces(tx, importing, items.filter(isOfKind('space')), outcome);
  await importArchiveMemories(tx, importing, items.filter(isOfKind('memory')), outcome);
  await importThreads(tx, importing, items.filter(isOfKind('thread')), outcome);
  await importMessages(tx, importing, items.filter(isOfKind('message')), outcome);
  return outcome;
}

/** Publishing needs a confirmation of its own. */
function visibilityHere(visibility: Visibility, path: string, outcome: Outcome): Visibility {
  if (!anonymousReads(visibility)) return visibility;
  const reason = 'Was public: imported for the members of the workspace. Publish it in its share dialog.';
  outcome.problems.push({ path, reason, imported: true });
  return 'workspace';
}

/** Times of a row that was made elsewhere. */
function timesOf({ now }: ServerTx, row: { created: string; updated: string }) {
  const created = clampTime(row.created, now);
  const updated = clampTime(row.updated, now);
  return { created, updated: updated < created ? created : updated };
}

type Place = Pick<StoredItemOf<PlaceKind>['row'], 'id' | 'visibility' | 'created' | 'updated'>;

/** Common columns of an imported space or thread. */
function placeHere<K extends PlaceKind>(
  tx: ServerTx,
  { actor, job }: Importing,
  { kind, row, visibility }: { kind: K; row: Place; visibility: Visibility },
) {
  const { created, updated } = timesOf(tx, row);
  return {
    ...authoredBy(actor.userId, job.workspaceId, created),
    updated,
    id: importedId(kind, job.id, row.id),
    visibility,
  };
}

interface Places<K extends PlaceKind, P extends Place> {
  kind: K;
  items: readonly { path: string; row: P }[];
  outcome: Outcome;
  /** Writes one that is not here yet. */
  insert(row: P, here: ReturnType<typeof placeHere<K>>): Promise<void>;
}

/** Makes the spaces or threads that are not here yet, and remembers what became of each. */
async function importPlaces<K extends PlaceKind, P extends Place>(
  tx: ServerTx,
  importing: Importing,
  { kind, items, outcome, insert }: Places<K, P>,
): Promise<void> {
  if (items.length === 0) return;
  const { actor, job } = importing;
  const originals = items.map(({ row }) => row.id);
  const known = await knownPlaces(tx, kind, job, originals);
  const changes: ImportChange[] = [];
  const made = new Map<string, string>();
  for (const { path, row } of items) {
    if (known.has(row.id) || made.has(row.id)) {
      outcome.unchanged += 1;
      continue;
    }
    authorize(actor, `${kind}.create`);
    const visibility = visibilityHere(row.visibility, path, outcome);
    const here = placeHere(tx, importing, { kind, row, visibility });
    await insert(row, here);
    made.set(row.id, here.id);
    changes.push({ kind, entityId: here.id, path, left: here.updated });
    outcome.imported += 1;
  }
  const places = [...made].map(([original, placeId]) => ({ original, placeId }));
  await rememberPlaces(tx, job, places);
  await rememberChanges(tx, job, changes);
}

function importSpaces(
  tx: ServerTx,
  importing: Importing,
  items: readonly StoredItemOf<'space'>[],
  outcome: Outcome,
): Promise<void> {
  return importPlaces(tx, importing, {
    kind: 'space',
    items,
    outcome,
    async insert({ kind: _kind, slug, ...row }, here) {
      const wanted = spaceSlug.safeParse(slug).success ? slug : slugify(row.name);
      const own = await freeSlug(tx, importing.job, wanted);
      await tx.insert('space', { ...space.defaults, ...row, ...here, slug: own });
    },
  });
}

function importThreads(
  tx: ServerTx,
  importing: Importing,
  items: readonly StoredItemOf<'thread'>[],
  outcome: Outcome,
): Promise<void> {
  return importPlaces(tx, importing, {
    kind: 'thread',
    items,
    outcome,
    async insert({ kind: _kind, ...row }, here) {
      await tx.insert('thread', { ...row, ...here, publicUntil: null });
    },
  });
}

/** Only into threads that this import made: one that was there before has its messages. */
async function importMessages(
  tx: ServerTx,
  { actor, job }: Importing,
  items: readonly StoredItemOf<'message'>[],
  outcome: Outcome,
): Promise<void> {
  if (items.length === 0) return;
  const threads = await knownPlaces(
    tx,
    'thread',
    job,
    items.map(({ row }) => row.threadId),
  );
  const cited = items.flatMap(({ row }) => row.citations.map(({ memoryId }) => memoryId));
  const memoryOf = await meantMemories(tx, job, cited);
  const rows = new Map<string, Head<'message'>>();
  for (const { path, exportedBy, row } of items) {
    const thread = threads.get(row.threadId);
    if (thread === undefined) {
      outcome.problems.push({ path, reason: 'Its thread is not in this workspace', imported: false });
      continue;
    }
    if (
      rows.has(row.id) ||
      thread.importId !== job.id ||
      !can(actor, 'message.create', await placeSubject(tx, actor, thread.row))
    ) {
      outcome.unchanged += 1;
      continue;
    }
    const { kind: _kind, id, threadId: _threadId, replyTo, versionOf, createdBy, citations, ...fields } = row;
    // Messages of other people stay marked as theirs, without their names.
    const isOwn = row.role === 'user' && createdBy === exportedBy;
    rows.set(id, {
      ...fields,
      id: importedId('message', job.id, id),
      workspaceId: job.workspaceId,
      threadId: thread.row.id,
      citations: citations.map(({ memoryId, quote }) => ({ memoryId: memoryOf(memoryId), quote })),
      replyTo: replyTo && importedId('message', job.id, replyTo),
      versionOf: versionOf && importedId('message', job.id, versionOf),
      createdBy: isOwn ? actor.userId : null,
      createdAt: clampTime(row.createdAt, tx.now),
    });
    outcome.imported += 1;
  }
  await tx.insertMany('message', [...rows.values()]);
}
