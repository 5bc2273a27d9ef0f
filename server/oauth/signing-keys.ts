/**
 * The keys that sign id tokens (ES256). Every process reads them from the database. A new key is published a day before it
 * signs, so that verifiers which cache the key set know it in time, and an old one stays until its last token has ended.
 */
import { exportJWK, generateKeyPair, calculateJwkThumbprint, type JWK } from 'jose';
import { sql } from 'kysely';
import { OAUTH } from '#shared/oauth/limits.ts';
import type { Context } from '../context.ts';
import type { SecretColumns } from '../db/secret-columns.ts';
import { readSecret, sealStored, storeSecret } from '../stored-secret.ts';

const ALG = 'ES256';

type KeyContext = Pick<Context, 'db' | 'clock' | 'secrets' | 'log'>;

const placeOf = (kid: string): string => `oauth_signing_key:${kid}`;

/** Private keys, the one that signs first. */
export interface SigningKeys {
  /** Changes when the set or its order does. */
  version: string;
  keys: readonly JWK[];
}

/** The keys of this moment; creates and deletes keys when due. Keys that this server cannot decrypt do not count. */
export async function readSigningKeys(context: KeyContext): Promise<SigningKeys> {
  const now = context.clock.now().getTime();
  const stored = await storedKeys(context);
  let { rows } = stored;
  const newest = rows.at(-1);
  if (!newest || now - Date.parse(newest.created) >= OAUTH.keyRotationMs - OAUTH.keyPublishedAheadMs) {
    await addKey(context, stored.newestKid);
    ({ rows } = await storedKeys(context));
  }
  const isKnown = ({ created }: { created: string }) =>
    now - Date.parse(created) >= OAUTH.keyPublishedAheadMs;
  // The first key of all signs at once: no client can have cached a set without it.
  const signing = rows.findLast(isKnown) ?? rows[0];
  if (!signing) throw new Error('There is no key to sign id tokens with');
  const ends = (OAUTH.idTokenSeconds + OAUTH.clockToleranceSeconds) * 1_000;
  const ordered = [
    signing,
    ...rows.filter((row, index) => {
      if (row.kid === signing.kid) return false;
      const next = rows[index + 1];
      // The successor began to sign a day after it was made.
      return !next || now - Date.parse(next.created) < OAUTH.keyPublishedAheadMs + ends;
    }),
  ];
  return {
    version: ordered.map(({ kid }) => kid).join(' '),
    keys: ordered.map(({ kid, privateKey }) => ({ ...privateKey, kid, alg: ALG, use: 'sig' })),
  };
}

interface StoredKey {
  kid: string;
  privateKey: JWK;
  created: string;
}

function readKey(secrets: Context['secrets'], kid: string, stored: SecretColumns): JWK | undefined {
  const text = readSecret(secrets, stored, placeOf(kid));
  return text === undefined ? undefined : JSON.parse(text);
}

/** Those that can be read, the oldest first, and the newest of all. */
async function storedKeys({
  db,
  secrets,
  log,
}: KeyContext): Promise<{ rows: StoredKey[]; newestKid: string | undefined }> {
  const stored = await db
    .selectFrom('oauth_signing_key')
    .selectAll()
    .orderBy('created')
    .orderBy('kid')
    .execute();
  if (!secrets.isReady && stored.some(({ sealedSecret }) => sealedSecret !== null))
    throw new Error('The keys that sign id tokens need SECRETS_KEY');
  const rows = stored.flatMap(({ kid, created, ...secret }) => {
    const privateKey = readKey(secrets, kid, secret);
    if (privateKey === undefined) log.warn({ kid }, 'a signing key was encrypted with another SECRETS_KEY');
    return privateKey === undefined ? [] : [{ kid, created, privateKey }];
  });
  return { rows, newestKid: stored.at(-1)?.kid };
}

/** Encrypts values stored before this server had a key. */
export const sealSigningKeys = (context: Pick<Context, 'db' | 'secrets'>): Promise<void> =>
  sealStored(context, { table: 'oauth_signing_key', key: ['kid'], placeOf: ({ kid }) => placeOf(kid) });

/** Two processes that find the same key too old make one new key between them. */
async function addKey({ db, clock, secrets }: KeyContext, newestKid: string | undefined): Promise<void> {
  const { privateKey } = await generateKeyPair(ALG, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await sql`lock table "oauth_signing_key" in share row exclusive mode`.execute(tx);
    const newest = await tx
      .selectFrom('oauth_signing_key')
      .select('kid')
      .orderBy('created', 'desc')
      .orderBy('kid', 'desc')
      .executeTakeFirst();
    if (newest?.kid !== newestKid) return;
    await tx
      .insertInto('oauth_signing_key')
      .values({
        kid,
        ...storeSecret(secrets, JSON.stringify(jwk), placeOf(kid)),
        created: now.toISOString(),
      })
      .execute();
    const forgotten = new Date(now.getTime() - 2 * OAUTH.keyRotationMs).toISOString();
    await tx.deleteFrom('oauth_signing_key').where('created', '<', forgotten).execute();
  });
}
