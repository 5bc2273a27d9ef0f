// Signed addresses of files and of finished exports: their holder may read them for a few minutes, so that images and downloads
// need no credential in their address.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { FILES } from '#shared/capture/limits.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { cookieSecret } from '../sync/secret.ts';
import type { CredentialName } from './exports/reach.ts';

type SigningContext = Pick<Context, 'db' | 'clock'>;
type Purpose = 'file' | 'export';

const SIGNATURE = /^[\w-]{43}$/;
const KINDS = ['session', 'api_key', 'oauth_token'] as const;

/** The purpose is part of the signed text, so that no other use of the key could make an address. */
async function signatureOf({ db }: SigningContext, purpose: Purpose, signed: string): Promise<string> {
  return createHmac('sha256', await cookieSecret(db))
    .update(`${purpose} ${signed}`)
    .digest('base64url');
}

async function sign(context: SigningContext, purpose: Purpose, parts: readonly string[]) {
  const until = context.clock.now().getTime() + FILES.addressMs;
  const signed = [...parts, until.toString(36)].join('.');
  const signature = await signatureOf(context, purpose, signed);
  return { path: `/v1/files/${signed}.${signature}`, expiresAt: new Date(until).toISOString() };
}

/** The signed parts of an address; none for one that was forged, changed, or has expired. */
async function partsOf(context: SigningContext, purpose: Purpose, address: string): Promise<string[]> {
  const parts = address.split('.');
  const signature = parts.pop() ?? '';
  if (!SIGNATURE.test(signature)) return [];
  const expected = await signatureOf(context, purpose, parts.join('.'));
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return [];
  const until = Number.parseInt(parts.pop() ?? '', 36);
  return until > context.clock.now().getTime() ? parts : [];
}

interface FileAddress {
  workspaceId: Id<'workspace'>;
  memoryId: Id<'memory'>;
}

/** The path of the file and when it stops working. Rights are checked when the address is made. */
export function signFileAddress(context: SigningContext, { workspaceId, memoryId }: FileAddress) {
  return sign(context, 'file', [workspaceId, memoryId]);
}

/** The memory that an address names, if it is valid. */
export async function readFileAddress(
  context: SigningContext,
  address: string,
): Promise<FileAddress | undefined> {
  const [workspaceId, memoryId, ...rest] = await partsOf(context, 'file', address);
  const isValid = isId('workspace', workspaceId) && isId('memory', memoryId) && rest.length === 0;
  return isValid ? { workspaceId, memoryId } : undefined;
}

interface ExportAddress {
  exportId: Id<'export'>;
  /** Whom it was issued to; its rights are looked up again when the file is fetched. */
  credential: CredentialName;
}

/** The path of the archive and when it stops working. */
export function signExportAddress(
  context: SigningContext,
  { exportId, credential: { kind, id } }: ExportAddress,
) {
  return sign(context, 'export', [exportId, kind, id]);
}

/** Whether an address is meant to be that of an export. */
export function isExportAddress(address: string): boolean {
  return address.startsWith('export_');
}

/** The export that an address names, if it is valid. */
export async function readExportAddress(
  context: SigningContext,
  address: string,
): Promise<ExportAddress | undefined> {
  const [exportId, kindName, id, ...rest] = await partsOf(context, 'export', address);
  const kind = KINDS.find((each) => each === kindName);
  if (!isId('export', exportId) || kind === undefined || id === undefined || rest.length > 0)
    return undefined;
  return { exportId, credential: { kind, id } };
}
