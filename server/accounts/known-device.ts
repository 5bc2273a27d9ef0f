/**
 * Devices that have logged in to an account before, so that wrong passwords from other devices delay none of them. A browser
 * stores a random id and, for each account it has logged in to, a signature of both (the device cookies of OWASP). The cookie
 * grants no access: its bearer only guesses passwords under a separate counter.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { storedSecret } from '../db/stored-secret.ts';
import type { Reply } from '../http/call.ts';
import { findCookie, isSecure } from '../http/cookies.ts';
import type { Origin, SignedIn } from './sessions.ts';

const NAME = 'known_device';
const MAX_AGE_SECONDS = 365 * 86_400;
/** Number of accounts that recognize one browser. */
const ACCOUNTS_MAX = 8;
const ID = /^[\w-]{22}$/;
const ID_BYTES = 16;

/** The id of the device, if it has logged in to this account before. */
export async function knownDevice(
  { db }: Pick<Context, 'db'>,
  userId: Id<'user'> | undefined,
  { cookies }: Origin,
): Promise<string | undefined> {
  const { id, signatures } = readCookie(cookies);
  if (userId === undefined || id === undefined) return undefined;
  const expected = Buffer.from(await sign(db, id, userId));
  const isSigned = signatures.some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? id : undefined;
}

/** The reply to a log-in, after which the account recognizes the device. */
export async function replySignedIn(
  { db, config }: Pick<Context, 'db' | 'config'>,
  result: SignedIn,
  { cookies }: Origin,
): Promise<Reply<SignedIn>> {
  const { id = randomBytes(ID_BYTES).toString('base64url'), signatures } = readCookie(cookies);
  const own = await sign(db, id, result.user.id);
  const all = [own, ...signatures.filter((each) => each !== own)].slice(0, ACCOUNTS_MAX);
  const attributes = `Max-Age=${MAX_AGE_SECONDS}; Path=/v1/auth; HttpOnly; SameSite=Strict`;
  const secure = isSecure(config) ? '; Secure' : '';
  return { result, headers: { 'Set-Cookie': `${NAME}=${[id, ...all].join('.')}; ${attributes}${secure}` } };
}

function readCookie(cookies: string | undefined): { id?: string; signatures: readonly string[] } {
  const [id = '', ...signatures] = (findCookie(cookies, NAME) ?? '').split('.');
  return ID.test(id) ? { id, signatures: signatures.slice(0, ACCOUNTS_MAX) } : { signatures: [] };
}

async function sign(db: Context['db'], id: string, userId: Id<'user'>): Promise<string> {
  const key = await storedSecret(db, 'known device');
  return createHmac('sha256', key).update(`${id} ${userId}`).digest('base64url');
}
