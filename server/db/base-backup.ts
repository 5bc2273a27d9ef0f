/**
 * Copies of an embedded database while it runs: PostgreSQL's own base backup, made by file copy between its start and
 * stop marks, with the log needed to make the copy consistent. The package has no pg_dump, and this copies everything.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import type { EmbeddedPlace } from './embedded-postgres.ts';

/** Folders whose contents belong to the running server only. */
const EMPTY_IN_COPY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const LEFT_OUT = /^(postmaster\.(pid|opts)|pgsql_tmp.*|backup_label|tablespace_map)$/;

/** Written last, so that a folder with it is a whole backup. */
const MANIFEST = 'backup.json';

const manifestSchema = z.object({
  created: z.string(),
  reason: z.string(),
  serverVersion: z.string(),
  migrations: z.array(z.string()),
});

export type BackupManifest = z.infer<typeof manifestSchema>;

/** Copies files of other rooms into a backup; runs between the marks, so that rows and files agree. */
export type CopyMore = (target: string) => void;

/** Makes a backup in a new folder `target`; returns when it is on disk. @throws Error when the folder exists */
export async function takeBaseBackup(
  place: EmbeddedPlace,
  target: string,
  reason: string,
  copyMore: CopyMore = () => undefined,
): Promise<BackupManifest> {
  if (existsSync(target)) throw new Error(`${target} exists already; a backup needs a new folder.`);
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(path.join(partial, 'data'), { recursive: true, mode: 0o700 });
  const client = new Client({ connectionString: place.url, application_name: 'loci backup' });
  await client.connect();
  try {
    // The slot prevents the log from being recycled during the copy; it is temporary and ends with the connection.
    await client.query(
      "select pg_create_physical_replication_slot('loci_backup_' || pg_backend_pid(), true, true)",
    );
    const begun = await client.query<{ segment: string }>(
      "select pg_walfile_name(pg_backup_start('loci', true)) as segment",
    );
    copyFolder(place.dataFolder, path.join(partial, 'data'), true);
    copyMore(partial);
    const ended = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(path.join(partial, 'data', 'backup_label'), ended.rows[0]?.labelfile ?? '', {
      mode: 0o600,
    });
    copyLog(place.dataFolder, path.join(partial, 'data'), begun.rows[0]?.segment ?? '');
    copyFileSync(path.join(place.dataFolder, '..', 'password'), path.join(partial, 'password'));
    const manifest = await describe(client, reason);
    writeFileSync(path.join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    syncBelow(partial);
    renameSync(partial, target);
    return manifest;
  } finally {
    await client.end();
  }
}

/** Reads the manifest of a backup folder. @throws Error when the backup is not complete */
export function readManifest(folder: string): BackupManifest {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file)) throw new Error(`${folder} is not a whole backup: ${MANIFEST} is missing.`);
  return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

async function describe(client: Client, reason: string): Promise<BackupManifest> {
  const version = await client.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const migrations = await client
    .query<{ name: string }>('select name from schema_migration order by name')
    .catch(() => ({ rows: [] }));
  return {
    created: new Date().toISOString(),
    reason,
    serverVersion: version.rows[0]?.version ?? '',
    migrations: migrations.rows.map(({ name }) => name),
  };
}

/** Copies a tree; files that vanish meanwhile were temporary or are covered by the log. */
export function copyFolder(from: string, to: string, isDataFolder = false): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const source = path.join(from, entry.name);
    const copy = path.join(to, entry.name);
    if (!entry.isDirectory()) copyIfThere(source, copy);
    else if (isDataFolder && EMPTY_IN_COPY.has(entry.name)) mkdirSync(copy, { mode: 0o700 });
    else copyFolder(source, copy);
  }
}

function copyIfThere(source: string, copy: string): void {
  try {
    copyFileSync(source, copy, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Log segments from the start mark on; names sort by age. */
function copyLog(from: string, to: string, firstSegment: string): void {
  const target = path.join(to, 'pg_wal');
  mkdirSync(path.join(target, 'archive_status'), { recursive: true, mode: 0o700 });
  mkdirSync(path.join(target, 'summaries'), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(path.join(from, 'pg_wal'))) {
    const isSegment = /^[0-9A-F]{24}$/.test(name) && name >= firstSegment;
    if (isSegment || name.endsWith('.history'))
      copyIfThere(path.join(from, 'pg_wal', name), path.join(target, name));
  }
}

function syncBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      syncBelow(file);
      continue;
    }
    const handle = openSync(file, 'r');
    fsyncSync(handle);
    closeSync(handle);
  }
}
