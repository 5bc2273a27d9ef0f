// Failures of the database itself, as opposed to those of a statement: the same request may succeed later, and nothing
// about the request caused the failure. The one place that classifies the errors of statements.
import { sqlState } from './sql-state.ts';

/**
 * Connection lost, log-in refused, database away, out of disk, memory or connections, shut down, cancelled, locks not
 * available, rolled back for others, read-only after a failover, and errors of the system under it or inside PostgreSQL.
 */
const TROUBLE_STATES =
  /^(08\w{3}|28\w{3}|3D000|53\w{3}|57\w{3}|58\w{3}|XX\w{3}|40\w{3}|55P03|55006|25P0[34]|25006)$/;
/** States after which the connection is closed, because it broke or because the server ended it. */
const LOST_STATES = /^(08\w{3}|57P0\d|25P0[345])$/;

/** Codes of Node for a connection that could not be made or that broke. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);
/** Codes of Node for exhausted resources of the machine. */
const SYSTEM_CODES = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/** The drivers' own errors carry no code. These report that an open connection was lost … */
const LOST_WORDS =
  /Connection terminated|connection is closed|connection error|not queryable|Query read timeout|stopped answering/i;
/** … and these that none could be had. */
const REFUSED_WORDS =
  /timeout exceeded when trying to connect|timeout expired|after calling end on the pool|driver has already been destroyed/i;

/** Whether the database failed for a reason that has nothing to do with the statement. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // First, because EPIPE has the form of a SQLSTATE.
  if (isNetworkTrouble(error) || SYSTEM_CODES.has(codeOf(error))) return true;
  const state = sqlState(error);
  if (state !== undefined) return TROUBLE_STATES.test(state);
  return LOST_WORDS.test(error.message) || REFUSED_WORDS.test(error.message);
}

/** Whether the same may succeed in a moment: no refused log-in, and no database that does not exist. */
export function isPassing(error: unknown): boolean {
  return isDatabaseTrouble(error) && !/^(28\w{3}|3D000)$/.test(sqlState(error) ?? '');
}

/**
 * Whether the connection of the statement is lost or could not be made: there will be no result, and if the statement
 * was a COMMIT, its outcome is unknown.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isNetworkTrouble(error)) return true;
  const state = sqlState(error);
  return state === undefined ? LOST_WORDS.test(error.message) : LOST_STATES.test(state);
}

/** Whether the network between this process and the database failed. */
function isNetworkTrouble(error: unknown): boolean {
  return NETWORK_CODES.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
