// Data of people whose session ended on this device without a logout. The next page that opens here removes it, whichever
// person uses it, except for changes that were never sent: those wait, unreadable, for the same person's next login, for some
// days.
import { DAY_MS } from '#shared/constants.ts';
import { UNSENT_KEEP_DAYS } from '#shared/sync/limits.ts';
import { currentPerson, sessionToken } from '#client/api/session.ts';
import { readSignedOut, recordSignedOut } from '#client/api/signed-out-records.ts';
import { lockSweep } from '#client/api/signed-out-setting.ts';
import { storedUsers, wipeDevice } from '#client/replica/device-wipe.ts';
import { reduceToUnsent } from '#client/replica/reduce-device.ts';
import { userKey } from '#client/replica/user-key.ts';
import { hasDraftsOf, wipeDrafts } from '#client/shell/drafts.ts';

/** Changes that wait on this device for people whose session ended. */
export interface Unsent {
  count: number;
  /** When the last of them are removed, in milliseconds. */
  until: number;
}

/** Unsent changes of all accounts except `userId`; undefined when there are none. */
export function unsentOfOthers(userId?: string): Unsent | undefined {
  const key = userId === undefined ? undefined : userKey(userId);
  const others = readSignedOut().filter(
    (other) => other.key !== key && other.unsent > 0 && other.until > Date.now(),
  );
  if (others.length === 0) return undefined;
  return {
    count: others.reduce((sum, { unsent }) => sum + unsent, 0),
    until: Math.max(...others.map(({ until }) => until)),
  };
}

const partsOf = (key: string) => (part: string) => userKey(part) === key;

async function wipe(key: string): Promise<void> {
  await wipeDrafts(partsOf(key));
  if ((await wipeDevice(key)).length === 0) recordSignedOut(key, undefined);
}

/** Removes what other people left behind, unsent changes included; call after the person at the screen agreed. */
export function wipeOthers(userId: string): Promise<void> {
  const own = userKey(userId);
  return lockSweep(async () => {
    for (const { key } of readSignedOut()) if (key !== own) await wipe(key);
  });
}

async function tidy(key: string): Promise<void> {
  const until =
    readSignedOut().find((person) => person.key === key)?.until ?? Date.now() + UNSENT_KEEP_DAYS * DAY_MS;
  if (until <= Date.now()) return wipe(key);
  const unsent = await reduceToUnsent(key);
  const { wipeUndoHistories } = await import('#client/shell/undo-database.ts');
  await wipeUndoHistories(partsOf(key));
  // Text that was being typed stays as long as unsent changes do.
  const isEmpty = unsent === 0 && !(await hasDraftsOf(partsOf(key)));
  recordSignedOut(key, isEmpty ? undefined : { unsent, until });
}

/**
 * Reduces the data of all people except the signed-in one to unsent changes, and removes those after their retention time.
 * Needs no record: a person with a database here and no session is signed out, however it ended.
 */
export function sweepSignedOut(): Promise<void> {
  return lockSweep(async () => {
    const keys = new Set([...readSignedOut().map(({ key }) => key), ...(await storedUsers())]);
    for (const key of keys) {
      // Read each time: the person may have signed in meanwhile.
      const current = currentPerson();
      // A session whose person is not known yet may be that of any of them.
      if (current === undefined && sessionToken() !== undefined) return;
      if (current && userKey(current.user.id) === key) continue;
      await tidy(key).catch((error: unknown) =>
        // The next page tries again.
        console.warn('session: data of a person who is signed out is still in use', error),
      );
    }
  });
}
