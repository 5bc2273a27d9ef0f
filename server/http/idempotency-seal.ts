/**
 * Protects the stored data of a repeatable request from everyone but its caller: names are keyed hashes, and responses that may
 * hold a secret are encrypted. The key is derived from values that the server never stores.
 */
import { createHmac } from 'node:crypto';
import { deriveKey, openText, sealText } from '../sealed-text.ts';

export interface Seal {
  /** A hash that cannot be compared with guesses without the request's own key. */
  nameOf(text: string): string;
  close(text: string): string;
  open(stored: string): string;
}

/** The seal of one caller's key; `token` is empty on public calls. */
export function createSeal(given: { token: string; key: string; hidesAnswers: boolean }): Seal {
  const derive = (purpose: string) => deriveKey(`${given.token}\n${given.key}`, `idempotency ${purpose}`);
  const nameOf = (text: string) => createHmac('sha256', derive('name')).update(text).digest('base64url');
  if (!given.hidesAnswers) return { nameOf, close: (text) => text, open: (stored) => stored };
  return {
    nameOf,
    close: (text) => sealText(derive('answer'), text),
    open: (stored) => openText(derive('answer'), stored),
  };
}
