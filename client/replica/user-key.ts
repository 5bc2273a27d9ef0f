// The name of a person in everything this device stores: a hash, because names of databases outlive a logout in the
// browser's own lists.
import { addressOf } from '#shared/hash.ts';

const DIGITS = 32;

/** The same for the same person on every visit; does not lead back to the id. */
export function userKey(userId: string): string {
  return addressOf(userId).hash.slice(0, DIGITS);
}
