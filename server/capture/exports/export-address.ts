// Signed addresses of finished exports: like those of files they work for a few minutes. Each names the credential that it was
// issued to, whose rights are looked up again when the file is fetched.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { FILES } from '#shared/constants.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { Context } from '../../context.ts';
import { cookieSecret } from '../../sync/secret.ts';
import type { CredentialName } from './reach.ts';

export interface ExportAddress {
  exportId: Id<'export'>;
  credential: CredentialName;
}

const SIGNATURE = /^[\w-]{43}$/;
const KINDS = ['session', 'api_key', 'oauth_token'] as const;

function signatureOf(secret: string, signed: string): string {
  return createHmac('sha256', secret).update(`export ${signed}`).digest('base64url');
}

/** The path of the file and when it stops working. */
export async function signExportAddress(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { exportId, credential: { kind, id } }: ExportAddress,
): Promise<{ path: string; expiresAt: string }> {
  const until = clock.now().getTime() + FILES.addressMs;
  const signed = `${exportId}.${kind}.${id}.${until.toString(36)}`;
  const signature = signatureOf(await cookieSecret(db), signed);
  return { path: `/v1/files/${signed}.${signature}`, expiresAt: new Date(until).toISOString() };
}

/** Whether an address is meant to be that of an export. */
export function isExportAddress(address: string): boolean {
  return address.startsWith('export_');
}

/** The export that an address names; undefined for one that was forged, changed, or has expired. */
export async function readExportAddress(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  address: string,
): Promise<ExportAddress | undefined> {
  const [exportId, kindName, id = '', until = '', signature = '', ...rest] = address.split('.');
  const kind = KINDS.find((each) => each === kindName);
  if (!isId('export', exportId) || kind === undefined || rest.length > 0) return undefined;
  if (!SIGNATURE.test(signature)) return undefined;
  const expected = signatureOf(await cookieSecret(db), `${exportId}.${kind}.${id}.${until}`);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined;
  return Number.parseInt(until, 36) > clock.now().getTime()
    ? { exportId, credential: { kind, id } }
    : undefined;
}
