/**
 * Backups of a whole data folder, database and files together: creation, rotation and restore. For the embedded
 * database only; an external one is backed up with PostgreSQL's own tools.
 */
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { copyFolder, readManifest, takeBaseBackup, type BackupManifest } from './base-backup.ts';
import { startEmbeddedPostgres, type EmbeddedPlace } from './embedded-postgres.ts';
import { clusterHome, databaseUser, type RunAs } from './postgres-binaries.ts';
import { CLUSTER_FOLDER } from './postgres-cluster.ts';

/** Folder of uploaded files inside the data folder, and inside a backup. */
const FILES_FOLDER = 'files';

/** How many of the automatic copies stay. */
const KEPT_AUTOMATIC = 5;

const AUTOMATIC_SUFFIX = '-before-migration';

const stamp = (): string => new Date().toISOString().replace(/[:.]/g, '-').replace('Z', '');

/** Backs up a running embedded database and the files beside it; returns the new folder. */
export async function backUp(
  dataDir: string,
  place: EmbeddedPlace,
  options: { reason: string; target?: string },
): Promise<string> {
  const backups = path.join(dataDir, 'backups');
  const target =
    options.target ?? path.join(backups, `${stamp()}${options.reason === '' ? '' : `-${options.reason}`}`);
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  await takeBaseBackup(place, target, options.reason, (folder) => {
    const files = path.join(dataDir, FILES_FOLDER);
    if (existsSync(files)) copyFolder(files, path.join(folder, FILES_FOLDER));
  });
  return target;
}

/** The copy made before each migration; older ones of its kind beyond the last few are removed. */
export async function backUpBeforeMigration(dataDir: string, place: EmbeddedPlace): Promise<string> {
  const target = await backUp(dataDir, place, { reason: AUTOMATIC_SUFFIX.slice(1) });
  const folder = path.dirname(target);
  const automatic = readdirSync(folder)
    .filter((name) => name.endsWith(AUTOMATIC_SUFFIX))
    .sort();
  for (const name of automatic.slice(0, -KEPT_AUTOMATIC))
    rmSync(path.join(folder, name), { recursive: true });
  return target;
}

export interface Restored {
  manifest: BackupManifest;
  /** Folder with the data that was there before; undefined when there was none. */
  previous: string | undefined;
}

export interface RestorePlan {
  dataDir: string;
  log: (line: string) => void;
  /** Work on the restored database, by its address. */
  onRestored?: (url: string) => Promise<void>;
}

/**
 * Restores a backup into the data folder. The previous data is moved aside, not deleted. The restored database is
 * started once, so that a broken backup is found now, and passed to `onRestored` before any other process can use it.
 * @throws DirectoryInUseError
 */
export async function restore({ dataDir, log, onRestored }: RestorePlan, backup: string): Promise<Restored> {
  const manifest = readManifest(backup);
  const runAs = databaseUser();
  const home = clusterHome(dataDir, runAs, log);
  const current = path.join(home, CLUSTER_FOLDER);
  const hadData = existsSync(current);
  // Starting proves that no other process uses the folder; stopping leaves it clean to move.
  if (hadData) await (await startEmbeddedPostgres({ dataDir, log })).close();
  const previous = `${stamp()}-replaced`;
  const incoming = `${current}.incoming`;
  rmSync(incoming, { recursive: true, force: true });
  copyFolder(backup, incoming);
  const files = path.join(incoming, FILES_FOLDER);
  own(incoming, runAs);
  if (hadData) renameSync(current, `${current}.${previous}`);
  const filesHome = path.join(dataDir, FILES_FOLDER);
  if (existsSync(filesHome)) renameSync(filesHome, `${filesHome}.${previous}`);
  if (existsSync(files)) renameSync(files, filesHome);
  renameSync(incoming, current);
  const restored = await startEmbeddedPostgres({ dataDir, log });
  try {
    await onRestored?.(restored.url);
  } finally {
    await restored.close();
  }
  return { manifest, previous: hadData ? `${current}.${previous}` : undefined };
}

function own(folder: string, runAs: RunAs | undefined): void {
  if (!runAs) return;
  chownSync(folder, runAs.uid, runAs.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) own(file, runAs);
    else chownSync(file, runAs.uid, runAs.gid);
  }
}
