/**
 * `npm run backup [-- folder]` and `npm run restore -- folder`: database and files to a folder and back.
 * With DATABASE_URL the database part is pg_dump and pg_restore, which must be installed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError, readConfig, type Config } from './config.ts';
import { backUp, restore } from './db/backups.ts';
import { openDatabase } from './db/database.ts';
import { DirectoryInUseError } from './db/directory-lock.ts';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { changeEpochs } from './sync/epochs.ts';

/** Bytes of the list of what is in a dump. */
const LIST_MAX = 16 * 1024 ** 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const missing = (tool: string): Error =>
  new Error(`${tool} is needed to back up an external database; install PostgreSQL's client tools.`);

/** Runs one of PostgreSQL's own tools on an external database. @throws Error when it is missing or fails */
function runTool(tool: string, args: readonly string[]): void {
  const { status, error } = spawnSync(tool, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw missing(tool);
  if (status !== 0) throw new Error(`${tool} failed with status ${status ?? 'unknown'}.`);
}

/** The table of contents of a dump without extensions: the database has those it needs, and Citus in it knows the nodes. */
function ownParts(file: string): string {
  const { status, stdout, error } = spawnSync('pg_restore', ['--list', file], {
    encoding: 'utf8',
    maxBuffer: LIST_MAX,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw missing('pg_restore');
  if (status !== 0) throw new Error(`pg_restore could not list ${file}.`);
  return stdout
    .split('\n')
    .filter((line) => !/^\d+; \d+ \d+ (COMMENT - )?EXTENSION /.test(line))
    .join('\n');
}

async function runBackup(config: Config, folder: string | undefined): Promise<void> {
  if (config.databaseUrl !== undefined) {
    const file = path.resolve(folder ?? path.join(config.dataDir, 'backups', `${Date.now()}.dump`));
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    runTool('pg_dump', ['--format=custom', `--file=${file}`, config.databaseUrl]);
    say(`Backed up the database to ${file}`);
    return;
  }
  const running = runningEmbeddedPostgres(config.dataDir, say);
  const started = running ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log: say });
  const place = running ?? started;
  try {
    if (!place) throw new Error('There is no database to back up.');
    const options = folder === undefined ? { reason: '' } : { reason: '', target: path.resolve(folder) };
    say(`Backed up to ${await backUp(config.dataDir, place, options)}`);
  } finally {
    await started?.close();
  }
}

async function runRestore(config: Config, folder: string | undefined): Promise<void> {
  if (folder === undefined) throw new Error('Name the backup: npm run restore -- folder');
  if (config.databaseUrl !== undefined) {
    const file = path.resolve(folder);
    const folderOfList = mkdtempSync(path.join(os.tmpdir(), 'loci-restore-'));
    try {
      const list = path.join(folderOfList, 'parts');
      writeFileSync(list, ownParts(file));
      runTool('pg_restore', [
        '--clean',
        '--if-exists',
        `--use-list=${list}`,
        `--dbname=${config.databaseUrl}`,
        file,
      ]);
    } finally {
      rmSync(folderOfList, { recursive: true });
    }
    await resetReplicas(config.databaseUrl);
    say(`Restored the database from ${folder}`);
    return;
  }
  const plan = { dataDir: config.dataDir, log: say, onRestored: resetReplicas };
  const { manifest, previous } = await restore(plan, path.resolve(folder));
  say(`Restored the backup of ${manifest.created}.`);
  if (previous !== undefined) say(`What was there before lies in ${previous}`);
}

/** Devices have seen versions that the restored database will assign a second time, so they have to start anew. */
async function resetReplicas(url: string): Promise<void> {
  const onError = (error: Error): void => say(String(error));
  const { db, pool, close } = openDatabase({ url, name: 'loci restore', size: 1, onError });
  try {
    const { rows } = await pool.query("select to_regclass('sync_realm') as realms");
    // A backup from before replicas existed has nothing to reset.
    if (rows[0]?.realms !== null) await changeEpochs(db);
  } finally {
    await close();
  }
}

try {
  const [action, folder] = process.argv.slice(2);
  if (action === 'restore') await runRestore(readConfig(), folder);
  else await runBackup(readConfig(), folder);
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof DirectoryInUseError;
  process.stderr.write(`${expected || !(error instanceof Error) ? String(error) : error.message}\n`);
  process.exit(1);
}
