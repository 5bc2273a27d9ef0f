// The cursor of a client that follows a workspace: the cookie of a pull as one text, signed for one person, workspace and view,
// so that a position cannot be used with a key that sees less. Pure but for the HMAC.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export interface CursorOwner {
  userId: string;
  realmId: string;
  /** Everything that decides which changes the client receives. */
  view: string;
}

/** Largest size of the cookie in a cursor, in bytes; none that was issued is larger. */
const COOKIE_MAX = 1_000_000;

function signature(secret: string, { userId, realmId, view }: CursorOwner, content: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['changes', userId, realmId, view, content]))
    .digest();
}

export function sealCursor(secret: string, owner: CursorOwner, cookie: unknown): string {
  const content = deflateRawSync(JSON.stringify(cookie)).toString('base64url');
  return `${content}.${signature(secret, owner, content).toString('base64url')}`;
}

/** The cookie of a cursor that was made for this owner, else undefined. */
export function openCursor(secret: string, owner: CursorOwner, cursor: string): unknown {
  const [content = '', signed = '', ...rest] = cursor.split('.');
  const expected = signature(secret, owner, content);
  const found = Buffer.from(signed, 'base64url');
  if (rest.length > 0 || found.length !== expected.length || !timingSafeEqual(found, expected))
    return undefined;
  return JSON.parse(
    inflateRawSync(Buffer.from(content, 'base64url'), { maxOutputLength: COOKIE_MAX }).toString(),
  );
}
