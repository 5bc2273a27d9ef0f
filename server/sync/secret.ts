// The key that signs cookies of pulls.
import type { Database } from '../db/database.ts';
import { storedSecret } from '../db/stored-secret.ts';

/** The key; read once per process. */
export function cookieSecret(db: Database): Promise<string> {
  return storedSecret(db, 'cookie');
}
