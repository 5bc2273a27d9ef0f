/**
 * Secrets that are mailed to prove an address: a link and, for an address that is to become the account's, a code of six
 * digits. Only hashes are stored, each works once, and a new one replaces the one before.
 */
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { EMAIL_CODE, EMAIL_LINK_MS } from '#shared/accounts/limits.ts';
import type { Id } from '#shared/ids.ts';
import type { Database } from '../db/database.ts';
import { hashToken } from '../http/credentials.ts';

/**
 * `verify` proves the address of an account, `change` its new one, `reset` allows choosing a new password, `restore` the same
 * and moves the account back to the address it had before.
 */
export type EmailPurpose = 'verify' | 'reset' | 'change' | 'restore';
type CodePurpose = Extract<EmailPurpose, 'verify' | 'change'>;

const hasCode = (purpose: EmailPurpose) => purpose === 'verify' || purpose === 'change';

export interface EmailSecrets {
  token: string;
  code: string;
}

const TOKEN_BYTES = 32;

const hashCode = (userId: string, code: string) => hashToken(`${userId} ${code}`);

/** Stores new secrets in place of earlier ones and returns them. */
export async function mintEmailToken(
  db: Database,
  { userId, purpose, email, now }: { userId: Id<'user'>; purpose: EmailPurpose; email: string; now: Date },
): Promise<EmailSecrets> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
  const row = {
    userId,
    purpose,
    email,
    tokenHash: hashToken(token),
    expiresAt: after(EMAIL_LINK_MS[purpose]),
    codeHash: hasCode(purpose) ? hashCode(userId, code) : null,
    codeExpiresAt: hasCode(purpose) ? after(EMAIL_CODE.ms) : null,
    codeTries: 0,
  };
  await db
    .insertInto('email_token')
    .values(row)
    .onConflict((conflict) => conflict.columns(['userId', 'purpose']).doUpdateSet(row))
    .execute();
  return { token, code };
}

/** The hash of the link in the same mail as this code; undefined when the code is wrong, too old or tried too often. */
export async function checkCode(
  db: Database,
  { userId, purpose, code, now }: { userId: Id<'user'>; purpose: CodePurpose; code: string; now: Date },
): Promise<string | undefined> {
  // Counted before it is compared, so that parallel tries cannot exceed the limit.
  const { rows } = await sql<{ codeHash: string; tokenHash: string }>`
    update "email_token" set "codeTries" = "codeTries" + 1
    where "userId" = ${userId} and "purpose" = ${purpose} and "codeTries" < ${EMAIL_CODE.tries}
      and "codeExpiresAt" > ${now.toISOString()}
    returning "codeHash", "tokenHash"`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const right = timingSafeEqual(Buffer.from(hashCode(userId, code)), Buffer.from(row.codeHash));
  return right ? row.tokenHash : undefined;
}

/** The live row of a link for one of these purposes, which is not consumed, with facts about its person. */
export function findEmailToken(
  db: Database,
  { token, purposes, now }: { token: string; purposes: readonly EmailPurpose[]; now: Date },
) {
  return db
    .selectFrom('email_token')
    .innerJoin('user', 'user.id', 'email_token.userId')
    .select(['email_token.userId', 'email_token.email', 'email_token.tokenHash', 'email_token.purpose'])
    .select(['user.forename', 'user.surname', 'user.username', 'user.emailVerified'])
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', 'in', purposes)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst();
}

/** Uses a secret up and returns the address it proves; undefined when another request was faster. */
export async function useEmailToken(db: Database, tokenHash: string): Promise<string | undefined> {
  const used = await db
    .deleteFrom('email_token')
    .where('tokenHash', '=', tokenHash)
    .returning('email')
    .executeTakeFirst();
  return used?.email;
}

/** The earlier address that can still be restored. */
export async function findRestoreAddress(
  db: Database,
  { userId, now }: { userId: Id<'user'>; now: Date },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('email_token')
    .select('email')
    .where('userId', '=', userId)
    .where('purpose', '=', 'restore')
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst();
  return found?.email;
}
