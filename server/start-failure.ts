// Why a start failed, in one sentence that an operator can act on. Anything not listed is a fault of ours and is logged with
// its stack.
import { ConfigError } from './config.ts';
import { isDatabaseTrouble } from './db/database-trouble.ts';
import { DirectoryInUseError } from './db/directory-lock.ts';
import { SchemaHistoryError } from './db/migrate.ts';
import { sqlState } from './db/sql-state.ts';

/** A step of the start that failed for a reason outside of the program. */
class StartError extends Error {
  override readonly name = 'StartError';
}

/** The sentence for a failed start; undefined for a fault of ours. */
export function startFailure(error: unknown): string | undefined {
  const expected =
    error instanceof ConfigError ||
    error instanceof DirectoryInUseError ||
    error instanceof SchemaHistoryError ||
    error instanceof StartError;
  return expected ? error.message : undefined;
}

/** Runs a step that needs the folder of the data. @throws StartError */
export function withDataFolder<T>(dataDir: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new StartError(
      `Loci cannot use ${dataDir} as its data folder (${folderReason(codeOf(error))}); set DATA_DIR to a folder that it may create and write.`,
    );
  }
}

function folderReason(code: string): string {
  const known: Readonly<Record<string, string>> = {
    ENOTDIR: 'it or a part of its path is a file',
    EACCES: 'it is not writable',
    EPERM: 'it is not writable',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ENAMETOOLONG: 'the path is too long',
    ENOENT: 'the path does not exist and cannot be created',
  };
  return known[code] ?? code;
}

/** A failure of the external database as a sentence; other failures as they are. The address is named without its password. */
export function asDatabaseFailure(databaseUrl: string, error: unknown): unknown {
  const state = sqlState(error);
  // Of SQL errors only those that prevent access to the database: connection, login, no such database, no more connections.
  const unreachable =
    state === undefined
      ? isDatabaseTrouble(error) || codeOf(error) === 'ENOENT' || refusesEncryption(error)
      : /^(08|28|3D|53|57P)/.test(state);
  if (!unreachable) return error;
  const { host, pathname } = new URL(databaseUrl);
  const reason = messageOf(error) || codeOf(error);
  return new StartError(
    `Loci cannot reach the database ${host}${pathname} (${reason}); check DATABASE_URL and that PostgreSQL runs.`,
  );
}

function refusesEncryption(error: unknown): boolean {
  return messageOf(error).includes('does not support SSL');
}

/** A failure to listen as a sentence; other failures as they are. */
export function asListenFailure(
  { host, port }: { host: string; port: number },
  error: unknown,
  names = { port: 'PORT', host: 'HOST' },
): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is already in use; stop the other program or set ${names.port} to a free one.`,
      );
    case 'EACCES':
      return new StartError(`Loci may not listen on port ${port}; choose a ${names.port} of 1024 or more.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `This machine has no address ${host}; set ${names.host} to one of its addresses.`,
      );
    default:
      return error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown reason';
}

function messageOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? (first.message.split('\n', 1)[0] ?? '') : '';
}
