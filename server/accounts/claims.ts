/** Accounts that name the same e-mail address: signing up claims one, and the account that proves it has it. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * The accounts with an address, compared without regard to case: the one that has proven it first, then the newest claim.
 * The address is in the form of `normalizeEmail`, as it is stored.
 */
export function claimsOf(db: Database, email: string) {
  return db
    .selectFrom('user')
    .where(sql<boolean>`lower(${sql.ref('user.email')}) = ${email.toLowerCase()}`)
    .orderBy('user.emailVerified', 'desc')
    .orderBy('user.created', 'desc')
    .orderBy('user.id');
}
