/**
 * Hides what is stored of a repeatable request from everyone who does not make the request: names are keyed hashes, and
 * responses that may hold a secret are encrypted. The key is derived from what the server stores nowhere.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** Both directions for one request. */
export interface Seal {
  /** A hash that cannot be compared with guesses without the request's own key. */
  nameOf(text: string): string;
  close(text: string): string;
  open(stored: string): string;
}

/** The seal of one caller's key; `token` is empty on public calls. */
export function createSeal(given: { token: string; key: string; hidesAnswers: boolean }): Seal {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', `${given.token}\n${given.key}`, '', `idempotency ${purpose}`, KEY_BYTES));
  const nameOf = (text: string) => createHmac('sha256', derive('name')).update(text).digest('base64url');
  if (!given.hidesAnswers) return { nameOf, close: (text) => text, open: (stored) => stored };
  return {
    nameOf,
    close(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, derive('answer'), nonce);
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
    },
    open(stored) {
      const bytes = Buffer.from(stored, 'base64');
      const decipher = createDecipheriv(CIPHER, derive('answer'), bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const hidden = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
    },
  };
}
