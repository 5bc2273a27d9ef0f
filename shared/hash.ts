// Content addresses: the name of a text is the SHA-256 of its UTF-8 bytes. Synchronous and the same on both sides,
// also where the browser offers no crypto.subtle (plain http on a local network).
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Hexadecimal SHA-256 and size in UTF-8 bytes. */
export function addressOf(text: string): { hash: string; bytes: number } {
  const encoded = utf8ToBytes(text);
  return { hash: bytesToHex(sha256(encoded)), bytes: encoded.length };
}
