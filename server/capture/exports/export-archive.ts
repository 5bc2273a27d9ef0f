/**
 * Writes a workspace into a zip, as far as one person reads it: Markdown files and uploaded files in a folder for each home
 * space, threads in a folder of their own, and all of it again as data for an import.
 */
import { Readable } from 'node:stream';
import { WORKSPACE_EXPORT, type ExportJob } from '#shared/capture/export-job.ts';
import type { Id } from '#shared/ids.ts';
import { referenceName } from '#shared/markdown/references.ts';
import { snapshotOf } from '#shared/memories/memory-kinds.ts';
import { isOpenHome } from '#shared/subject.ts';
import type { Context } from '../../context.ts';
import {
  archiveFacts,
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  DATA_FOLDER,
  MANIFEST_NAME,
  type ArchiveManifest,
  type ArchiveRowOf,
} from '../workspace-archive.ts';
import { findPreview } from '../preview-store.ts';
import { addFile } from './archive-file.ts';
import { createDataWriter, type DataWriter } from './archive-data.ts';
import { memoryMarkdown, threadMarkdown, type PathOf, type PathOfTitle } from './archive-markdown.ts';
import { createNames, type ArchiveNames } from './archive-names.ts';
import {
  portionsOf,
  readMemories,
  readMemoryNames,
  readMessages,
  readSpaces,
  readThreads,
  type MemoryName,
} from './export-rows.ts';
import type { ZipWriter } from './zip-writer.ts';
import type { WorkspaceReader } from '../../sync/readable.ts';

export type ArchiveHost = Pick<Context, 'db' | 'clock' | 'files'>;

const UNFILED = 'No space';
const THREADS = 'Threads';

/** How far the export is. @throws when it is to stop */
export type OnProgress = (progress: { total: number; processed: number }) => Promise<void>;

interface Writing {
  host: ArchiveHost;
  job: Pick<ExportJob, 'workspaceId' | 'createdBy' | 'contents' | 'includesFiles' | 'spaceIds'>;
  reader: WorkspaceReader;
  zip: ZipWriter;
  data: DataWriter;
  /** Those in the archive, and all that the person reads. */
  spaces: ReadonlyMap<string, ArchiveRowOf<'space'>>;
  readable: ReadonlyMap<string, ArchiveRowOf<'space'>>;
  pathOf: PathOf;
  pathOfTitle: PathOfTitle;
  progress: () => Promise<void>;
}

/** Writes the archive and returns the spaces and threads in it. */
export async function writeArchive(
  host: ArchiveHost,
  job: Writing['job'],
  zip: ZipWriter,
  onProgress: OnProgress,
): Promise<string[]> {
  const { db, clock } = host;
  const now = clock.now();
  const reader = { userId: job.createdBy, workspaceId: job.workspaceId, spaceIds: job.spaceIds };
  const has = (content: ExportJob['contents'][number]) => job.contents.includes(content);
  const readable = await readSpaces(db, reader);
  const spaces = has('spaces') ? readable : [];
  const memories = has('memories') ? await readMemoryNames(db, reader) : [];
  const threads = has('threads') ? await readThreads(db, reader) : [];
  const names = createNames();
  const paths = pathsOf(memories, foldersOf(spaces), names);
  const data = createDataWriter(zip, now);
  let processed = 0;
  const total = memories.length + threads.length;
  await onProgress({ total, processed });
  const writing: Writing = {
    host,
    job,
    reader,
    zip,
    data,
    spaces: new Map(spaces.map((row) => [row.id, row])),
    readable: new Map(readable.map((row) => [row.id, row])),
    pathOf: (id) => paths.get(id)?.file ?? paths.get(id)?.note,
    pathOfTitle: titlesOf(memories, paths),
    progress: () => onProgress({ total, processed }),
  };
  for (const row of spaces) await data.add(row);
  for (const portion of portionsOf(memories.map(({ id }) => id))) {
    for (const row of await readMemories(db, reader, portion)) await writeMemory(writing, row, paths);
    processed += portion.length;
    await writing.progress();
  }
  for (const thread of threads) {
    const path = names.claim(`${THREADS}/`, thread.name, '.md');
    await writeThread(writing, thread, path);
    processed += 1;
    await writing.progress();
  }
  await writeManifest(writing, now);
  // Memories of a space are in the archive even where the space itself is not.
  return [...readable, ...threads].map(({ id }) => id);
}

/** The folder of each space, distinct from the folders with other meanings. */
function foldersOf(spaces: readonly ArchiveRowOf<'space'>[]): ReadonlyMap<string, string> {
  const names = createNames([UNFILED, THREADS, DATA_FOLDER, MANIFEST_NAME]);
  return new Map(spaces.map(({ id, name }) => [id, `${names.claim('', name, '')}/`]));
}

interface MemoryPaths {
  note: string;
  /** Path of its uploaded file. */
  file?: string;
  /** Path of its saved page. */
  page?: string;
}

function pathsOf(
  memories: readonly MemoryName[],
  folders: ReadonlyMap<string, string>,
  names: ArchiveNames,
): ReadonlyMap<string, MemoryPaths> {
  return new Map(
    memories.map(({ id, type, title, url, filename, spaceId }) => {
      const folder = folders.get(spaceId ?? '') ?? `${UNFILED}/`;
      const words = [title, filename, url].find((each) => each !== null && each.trim() !== '') ?? '';
      const note = names.claim(folder, words, '.md');
      if (type === 'link') return [id, { note, page: names.claim(folder, words, '.html') }];
      if (type !== 'file') return [id, { note }];
      return [id, { note, file: names.claimFile(folder, filename ?? words) }];
    }),
  );
}

/** Knows titles that the name of their file does not show, or that several files have. */
function titlesOf(memories: readonly MemoryName[], paths: ReadonlyMap<string, MemoryPaths>): PathOfTitle {
  const files = new Map<string, string[]>();
  // Of equal titles the newest is meant, as in the app.
  for (const { id, title } of memories.toSorted((one, other) => (one.created < other.created ? 1 : -1))) {
    const name = referenceName(title ?? '');
    const path = paths.get(id)?.note;
    if (name === '' || path === undefined) continue;
    const same = files.get(name);
    if (same === undefined) files.set(name, [path]);
    else same.push(path);
  }
  return (title) => {
    const [path, ...others] = files.get(referenceName(title)) ?? [];
    const isPlain = others.length === 0 && path?.endsWith(`/${title}.md`) === true;
    return isPlain ? undefined : path;
  };
}

type StoredMemory = Awaited<ReturnType<typeof readMemories>>[number];

async function writeMemory(
  writing: Writing,
  { metadata, uploadId, snapshotId, filedIn, spaceId, ...stored }: StoredMemory,
  paths: ReadonlyMap<string, MemoryPaths>,
): Promise<void> {
  const { host, job, zip, data, spaces, pathOf, pathOfTitle } = writing;
  const place = paths.get(stored.id);
  if (place === undefined) return;
  const modified = new Date(stored.updated);
  const filed = filedIn.filter((id) => spaces.has(id));
  const home = homeOf(writing, spaceId, filedIn);
  const add = async (id: Id<'upload'> | null, path: string | undefined) =>
    job.includesFiles && id !== null && path !== undefined
      ? addFile({ files: host.files, zip }, { workspaceId: job.workspaceId, id }, path, modified)
      : null;
  const file = await add(uploadId, place.file);
  const taken = snapshotOf({ metadata })?.taken;
  const page = taken === undefined ? null : await add(snapshotId, place.page);
  const picture = page === null ? null : await addPicture(writing, stored.id, snapshotId, modified);
  const row: ArchiveRowOf<'memory'> = {
    kind: 'memory',
    ...stored,
    spaceId: home,
    spaceIds: filed,
    facts: archiveFacts.safeParse(metadata).data ?? {},
    file,
    savedPage: page === null || taken === undefined ? null : { file: page, taken, picture },
  };
  await data.add(row);
  const namesOf = [...new Set([...(home === null ? [] : [home]), ...filed])];
  const markdown = memoryMarkdown({
    row,
    path: place.note,
    spaces: namesOf.map((id) => spaces.get(id)?.name ?? ''),
    pathOf,
    pathOfTitle,
  });
  await zip.add(place.note, markdown, modified);
}

/** Among the data, because beside the notes it would look like a file of the person. */
async function addPicture(
  { host, job, zip }: Writing,
  memoryId: Id<'memory'>,
  snapshotId: Id<'upload'> | null,
  modified: Date,
): Promise<string | null> {
  const { workspaceId } = job;
  const found = snapshotId === null ? undefined : await findPreview(host, { workspaceId, id: snapshotId });
  if (found === undefined) return null;
  const path = `${DATA_FOLDER}/pictures/${memoryId}.webp`;
  await zip.add(path, Readable.from([found.bytes]), modified);
  return path;
}

/**
 * The home space of a memory in the archive, so that an import shows it to no more people than now. A space that shows the
 * memory replaces a home that the person cannot read. For a closed space that is not in the archive, the id stays: an import
 * refuses its memories.
 */
function homeOf(
  { spaces, readable }: Pick<Writing, 'spaces' | 'readable'>,
  spaceId: Id<'space'> | null,
  filedIn: readonly Id<'space'>[],
): Id<'space'> | null {
  if (spaceId === null) return null;
  const home = readable.get(spaceId) ?? readable.get(filedIn.find((id) => readable.has(id)) ?? '');
  if (home === undefined || (!spaces.has(home.id) && isOpenHome(home))) return null;
  return home.id;
}

/** Read twice, because one file of the zip is written at a time. */
async function writeThread(
  { host: { db }, reader, zip, data, pathOf }: Writing,
  thread: ArchiveRowOf<'thread'>,
  path: string,
): Promise<void> {
  const messages = () => readMessages(db, reader, thread.id);
  const text = Readable.from(threadMarkdown(thread, messages(), pathOf), { objectMode: false });
  await zip.add(path, text, new Date(thread.updated));
  await data.add(thread);
  for await (const message of messages()) await data.add(message);
}

async function writeManifest({ host, job, reader, zip, data }: Writing, now: Date): Promise<void> {
  const { name, description } = await host.db
    .selectFrom('workspace')
    .select(['name', 'description'])
    .where('id', '=', reader.workspaceId)
    .executeTakeFirstOrThrow();
  const manifest: ArchiveManifest = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    exported: now.toISOString(),
    exportedBy: job.createdBy,
    workspace: { name, description },
    data: await data.finish(),
  };
  await zip.add(MANIFEST_NAME, `${JSON.stringify(manifest, null, 2)}\n`, now);
}

/** The name of the archive on the disk of the person. */
export function archiveName(slug: string, now: Date): string {
  return `${slug}-${now.toISOString().slice(0, 10)}.zip`.slice(-WORKSPACE_EXPORT.nameMax);
}
