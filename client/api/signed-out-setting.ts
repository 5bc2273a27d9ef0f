// Where this device records whose session ended on it, and the lock of the page that removes what they left. Its own
// file, so that a page start can look without loading more.

/** Key in local storage. */
export const SIGNED_OUT_SETTING = 'loci-signed-out';

/** Held while the data of people who are signed out is removed. */
const LOCK = 'loci-signed-out';

/** Runs alone among the pages of this origin, so that none removes what another is about to write. */
export function lockSweep(act: () => Promise<void>): Promise<void> {
  const { locks } = globalThis.navigator;
  return locks ? locks.request(LOCK, act) : act();
}

/**
 * Resolves when no page is removing data. A replica that opens while its own database is being reduced could adopt a change
 * from the copy and lose it with the database; a removal that begins later sees that the person is signed in.
 */
export async function untilSwept(): Promise<void> {
  await globalThis.navigator?.locks?.request(LOCK, { mode: 'shared' }, () => undefined);
}
