/**
 * A copy of a person's own data as a zip, written while it is read, so that its size is no matter of memory. `account.json` has
 * profile, sessions, ways to log in, memberships, connected apps, notification settings, and the memories the person owns
 * where they are still a member, whose files and saved pages stand beside it. What proves a log-in (hashes, keys, codes) is not
 * among it.
 */
import { Readable } from 'node:stream';
import type { Id } from '#shared/ids.ts';
import { addFile, createNames, createZip, type ZipWriter } from '../capture/service.ts';
import { across } from '../db/across.ts';
import type { Context } from '../context.ts';
import type { SessionPerson } from '../http/call.ts';
import { readSettings } from '../notifications/service.ts';
import { connectedAppsOf } from '../oauth/service.ts';
import { listPasskeys } from './passkeys.ts';
import { waysInOf } from './ways-in.ts';

/** Memories read at once; each may hold 100,000 characters. */
const AT_ONCE = 100;

type ExportContext = Pick<Context, 'db' | 'clock' | 'identity' | 'files'>;

/** The bytes of the zip. What is not a memory is read before the first one, so that a failure can still be answered. */
export async function exportAccount(
  context: ExportContext,
  { user }: Pick<SessionPerson, 'user'>,
): Promise<AsyncIterable<Uint8Array>> {
  const facts = {
    exported: context.clock.now().toISOString(),
    profile: user,
    sessions: await sessionsOf(context, user.id),
    waysIn: await waysInOf(context, user.id),
    passkeys: await listPasskeys(context, user.id),
    memberships: await membershipsOf(context, user.id),
    connectedApps: await connectedAppsOf(context, user.id),
    notificationSettings: await readSettings(context.db, user.id),
  };
  const zip = createZip();
  void writeZip(context, zip, facts).catch((error: unknown) =>
    zip.stream.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return zip.stream;
}

interface Facts {
  profile: { id: Id<'user'> };
}

async function writeZip(context: ExportContext, zip: ZipWriter, facts: Facts): Promise<void> {
  const { profile } = facts;
  const files = await writeFiles(context, zip, profile.id);
  const json = Readable.from(jsonOf(facts, memoriesOf(context, profile.id), files), { objectMode: false });
  await zip.add('account.json', json, context.clock.now());
  zip.end();
}

/** Paths in the zip. */
interface MemoryFiles {
  file: string | null;
  savedPage: string | null;
}

const NO_FILES: MemoryFiles = { file: null, savedPage: null };

/** Writes the files of all memories; returned are the paths of those that still have their bytes. */
async function writeFiles(
  { db, files }: ExportContext,
  zip: ZipWriter,
  userId: Id<'user'>,
): Promise<ReadonlyMap<Id<'memory'>, MemoryFiles>> {
  const names = createNames();
  const paths = new Map<Id<'memory'>, MemoryFiles>();
  const rows = inPortions((after) =>
    ownMemories(db, userId, after)
      .leftJoin('memory_page', (join) =>
        join
          .onRef('memory_page.workspaceId', '=', 'memory.workspaceId')
          .onRef('memory_page.memoryId', '=', 'memory.id'),
      )
      .select(['memory.id', 'memory.workspaceId', 'memory.title', 'memory.filename', 'memory.url'])
      .select(['memory.updated', 'memory.uploadId', 'memory_page.snapshotId', 'workspace.slug'])
      .where((where) =>
        where.or([where('memory.uploadId', 'is not', null), where('memory_page.snapshotId', 'is not', null)]),
      )
      .execute(),
  );
  for await (const { id, workspaceId, slug, updated, ...row } of rows) {
    const add = (uploadId: Id<'upload'> | null, path: () => string) =>
      uploadId === null
        ? null
        : addFile({ files, zip }, { workspaceId, id: uploadId }, path(), new Date(updated));
    paths.set(id, {
      file: await add(row.uploadId, () => names.claimFile(`${slug}/`, row.filename ?? row.title ?? '')),
      savedPage: await add(row.snapshotId, () =>
        names.claim(`${slug}/`, row.title ?? row.url ?? '', '.html'),
      ),
    });
  }
  return paths;
}

async function* jsonOf(
  facts: Facts,
  memories: AsyncIterable<{ id: Id<'memory'> }>,
  files: ReadonlyMap<Id<'memory'>, MemoryFiles>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(facts, null, 2).replace(/\n\}$/, '')},\n  "memories": [`;
  let before = '\n';
  for await (const memory of memories) {
    yield `${before}    ${JSON.stringify({ ...memory, ...(files.get(memory.id) ?? NO_FILES) })}`;
    before = ',\n';
  }
  yield '\n  ]\n}\n';
}

function sessionsOf({ db }: ExportContext, userId: Id<'user'>) {
  return (
    db
      .selectFrom('session')
      .select(['id', 'userAgent', 'created', 'updated', 'expiresAt'])
      .where('userId', '=', userId)
      // A session of staff is theirs.
      .where('impersonator', 'is', null)
      .orderBy('created')
      .execute()
  );
}

function membershipsOf({ db }: ExportContext, userId: Id<'user'>) {
  return db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspaceId')
    .select(['workspace.id', 'workspace.slug', 'workspace.name'])
    .select(['workspace_member.position', 'workspace_member.created'])
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null)
    .orderBy('workspace_member.created')
    .modifyEnd(across('account'))
    .execute();
}

function memoriesOf({ db }: ExportContext, userId: Id<'user'>) {
  return inPortions((after) =>
    ownMemories(db, userId, after)
      .select(['memory.id', 'memory.workspaceId', 'memory.spaceId', 'memory.type', 'memory.origin'])
      .select(['memory.title', 'memory.description', 'memory.summary', 'memory.url', 'memory.notes'])
      .select(['memory.tags', 'memory.filename', 'memory.archived', 'memory.created', 'memory.updated'])
      .execute(),
  );
}

/** The next ones by id that the person owns and may still read. */
function ownMemories(db: Context['db'], userId: Id<'user'>, after: Id<'memory'> | undefined) {
  const rows = db
    .selectFrom('memory')
    .innerJoin('workspace_member', (join) =>
      join
        .onRef('workspace_member.workspaceId', '=', 'memory.workspaceId')
        .on('workspace_member.userId', '=', userId),
    )
    .innerJoin('workspace', 'workspace.id', 'memory.workspaceId')
    .where('memory.ownerId', '=', userId)
    .where('memory.deletedAt', 'is', null)
    .where('workspace.deletedAt', 'is', null)
    .orderBy('memory.id')
    .modifyEnd(across('account'))
    .limit(AT_ONCE);
  return after === undefined ? rows : rows.where('memory.id', '>', after);
}

async function* inPortions<R extends { id: Id<'memory'> }>(
  read: (after: Id<'memory'> | undefined) => Promise<R[]>,
): AsyncGenerator<R> {
  let last: Id<'memory'> | undefined;
  for (;;) {
    const page = await read(last);
    yield* page;
    last = page.at(-1)?.id;
    if (page.length < AT_ONCE) return;
  }
}
