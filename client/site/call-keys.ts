/**
 * The keys with which a reader tries calls: in this tab alone, deleted when it closes or on request. They are sent to this
 * server only.
 */

const nameOf = (kind: string): string => `loci-try-${kind}`;

/** The stored key of a kind; empty when there is none, or where the browser forbids storage. */
export function readKey(kind: string): string {
  try {
    return sessionStorage.getItem(nameOf(kind)) ?? '';
  } catch {
    // Access itself throws where storage is blocked: the key then stays in its field alone.
    return '';
  }
}

/** Stores a key for this tab, or forgets it when empty. */
export function writeKey(kind: string, key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(nameOf(kind));
    else sessionStorage.setItem(nameOf(kind), key);
  } catch {
    // As in readKey.
  }
}
