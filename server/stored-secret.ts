/**
 * A secret in a row: encrypted in `sealedSecret`, or as it is in `secret`, where this server has no key or the row is older
 * than the encryption.
 */
import { sql } from 'kysely';
import { across } from './db/across.ts';
import type { Database } from './db/database.ts';
import type { SecretColumns } from './db/secret-columns.ts';
import type { SecretBox } from './sealed-text.ts';

/** The columns of a new secret. The place binds it to its row: copied into another one it cannot be read. */
export function storeSecret(box: SecretBox, text: string, place: string): SecretColumns {
  return box.isReady
    ? { secret: null, sealedSecret: box.seal(text, place) }
    : { secret: text, sealedSecret: null };
}

/** The secret of a row; undefined when it was encrypted with another key or belongs to another row. */
export function readSecret(
  box: SecretBox,
  { secret, sealedSecret }: SecretColumns,
  place: string,
): string | undefined {
  return sealedSecret === null ? (secret ?? undefined) : box.open(sealedSecret, place);
}

interface SecretTable<K extends string> {
  table: 'webhook' | 'mail_address' | 'authenticator_app' | 'oauth_signing_key' | 'push_key';
  key: readonly K[];
  placeOf: (row: Record<K, string>) => string;
}

/** Encrypts values stored in a table before this server had a key. */
export async function sealStored<K extends string>(
  { db, secrets }: { db: Database; secrets: SecretBox },
  { table, key, placeOf }: SecretTable<K>,
): Promise<void> {
  if (!secrets.isReady) return;
  const { rows } = await sql<Record<K, string> & { secret: string }>`
    select ${sql.join([...key, 'secret'].map((column) => sql.ref(column)))} from ${sql.table(table)}
    where "secret" is not null ${across('upkeep')}`.execute(db);
  for (const row of rows) {
    const isRow = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
    await sql`
      update ${sql.table(table)} set "secret" = null, "sealedSecret" = ${secrets.seal(row.secret, placeOf(row))}
      where ${sql.join(isRow, sql` and `)} and "secret" = ${row.secret}`.execute(db);
  }
}
