// Signed addresses of files: its holder may read the file for a few minutes, so that images and downloads need no
// credential in their address. Rights are checked when the address is made.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { FILES } from '#shared/constants.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { cookieSecret } from '../sync/secret.ts';

export interface FileAddress {
  workspaceId: Id<'workspace'>;
  memoryId: Id<'memory'>;
}

const SIGNATURE = /^[\w-]{43}$/;

function signatureOf(secret: string, signed: string): string {
  return createHmac('sha256', secret).update(`file ${signed}`).digest('base64url');
}

/** The path of the file and when it stops working. */
export async function signFileAddress(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { workspaceId, memoryId }: FileAddress,
): Promise<{ path: string; expiresAt: string }> {
  const until = clock.now().getTime() + FILES.addressMs;
  const signed = `${workspaceId}.${memoryId}.${until.toString(36)}`;
  const signature = signatureOf(await cookieSecret(db), signed);
  return { path: `/v1/files/${signed}.${signature}`, expiresAt: new Date(until).toISOString() };
}

/** The memory that an address names; undefined for one that was forged, changed, or has expired. */
export async function readFileAddress(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  address: string,
): Promise<FileAddress | undefined> {
  const [workspaceId, memoryId, until = '', signature = '', ...rest] = address.split('.');
  if (!isId('workspace', workspaceId) || !isId('memory', memoryId) || rest.length > 0) return undefined;
  if (!SIGNATURE.test(signature)) return undefined;
  const expected = signatureOf(await cookieSecret(db), `${workspaceId}.${memoryId}.${until}`);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined;
  return Number.parseInt(until, 36) > clock.now().getTime() ? { workspaceId, memoryId } : undefined;
}
