/**
 * OAuth clients in the database: displayed fields in columns, protocol fields as the metadata of RFC 7591. Secrets are stored
 * as SHA-256, so they cannot be used to sign or verify anything.
 */
import { sql } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import { isStorableText } from '#shared/define/fields.ts';
import type { Row } from '#shared/entities.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../db/entity-columns.ts';
import { hashToken } from '../http/credentials.ts';
import type { SelfDescription } from '#shared/oauth/client-metadata.ts';

type Parts = Pick<Context, 'db' | 'clock'>;

/** Columns of a client that are public. */
export const PUBLIC_COLUMNS = columnsOf('oauth_client', []);

/** The metadata that the library works with; `client_secret` is the hash. */
export async function findRegistered({ db }: Parts, identifier: string): Promise<AdapterPayload | undefined> {
  if (!isStorableText(identifier)) return undefined;
  const found = await db
    .selectFrom('oauth_client')
    .select(['identifier', 'metadata', 'secretHash', 'workspaceId'])
    .where('identifier', '=', identifier)
    .executeTakeFirst();
  // Clients with an address describe themselves there, and only there.
  if (!found || isDocumentAddress(found.identifier)) return undefined;
  return {
    ...found.metadata,
    client_id: found.identifier,
    ...(found.secretHash !== null && { client_secret: found.secretHash }),
  };
}

/** Whether a client identifies itself by the address of its metadata document. */
function isDocumentAddress(identifier: string): boolean {
  return identifier.startsWith('https://');
}

/** Stores a client that registered itself; its description was checked before. */
export async function storeRegistered({ db, clock }: Parts, payload: AdapterPayload): Promise<void> {
  const { client_id: id, client_secret: secret, client_id_issued_at: _at, ...metadata } = payload;
  const now = clock.now().toISOString();
  const clientId = id as Id<'oauth_client'>;
  await db
    .insertInto('oauth_client')
    .values({
      id: clientId,
      identifier: clientId,
      workspaceId: null,
      createdBy: null,
      ...shownOf(metadata as Partial<SelfDescription>),
      metadata: JSON.stringify(metadata),
      secretHash: typeof secret === 'string' ? hashToken(secret) : null,
      verified: false,
      lastUsedAt: null,
      created: now,
      updated: now,
    })
    .execute();
}

/** Stores a client that has a document under an id of ours, with the present values of the document. */
export async function storeDocumented(
  { db, clock }: Parts,
  identifier: string,
  metadata: Partial<SelfDescription>,
): Promise<void> {
  const now = clock.now().toISOString();
  const shown = { ...shownOf(metadata), metadata: JSON.stringify(metadata), updated: now };
  // Staff verified the client as its document described it then.
  const verified = sql<boolean>`"oauth_client"."verified" and "oauth_client"."metadata" = excluded."metadata"`;
  await db
    .insertInto('oauth_client')
    .values({
      id: newId('oauth_client'),
      identifier,
      workspaceId: null,
      createdBy: null,
      secretHash: null,
      verified: false,
      lastUsedAt: null,
      created: now,
      ...shown,
    })
    .onConflict((conflict) => conflict.column('identifier').doUpdateSet({ ...shown, verified }))
    .execute();
}

function shownOf(metadata: Partial<SelfDescription>) {
  return {
    name: metadata.client_name ?? 'Unnamed application',
    description: null,
    email: metadata.contacts?.[0] ?? null,
    logoUrl: metadata.logo_uri ?? null,
    websiteUrl: metadata.client_uri ?? null,
    privacyPolicyUrl: metadata.policy_uri ?? null,
    termsOfServiceUrl: metadata.tos_uri ?? null,
  } satisfies Partial<Row<'oauth_client'>>;
}

/** A client by our id or by what it calls itself. */
export function findShown({ db }: Pick<Context, 'db'>, name: string) {
  return db
    .selectFrom('oauth_client')
    .select(PUBLIC_COLUMNS)
    .select(['identifier', 'workspaceId', 'workspaceVerified'])
    .where((row) => row.or([row('id', '=', name as Id<'oauth_client'>), row('identifier', '=', name)]))
    .executeTakeFirst();
}
