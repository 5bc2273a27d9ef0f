// Ids that follow from a text: the same each time and on each side, where a repeated write must find its own rows again.
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { ID_ALPHABET, ID_KINDS, isId, type Id } from './ids.ts';

/** Kinds whose ids are no longer than the hash. */
type Derived = 'space' | 'memory' | 'thread' | 'message';

export function derivedId<K extends Derived>(kind: K, from: string): Id<K> {
  const { prefix, length } = ID_KINDS[kind];
  const bytes = [...sha256(utf8ToBytes(from)).subarray(0, length)];
  const id = `${prefix}_${bytes.map((byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('')}`;
  if (!isId(kind, id)) throw new Error(`The id of a derived ${kind} is malformed`);
  return id;
}
