// Reads the SQLSTATE of a failed statement, by which the server distinguishes failures of the database.

/** SQLSTATE of a database error; undefined for any other, such as a broken connection. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}
