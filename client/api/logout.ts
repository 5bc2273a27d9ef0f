// Logging out on purpose: waiting changes are sent if possible, the server ends the session, and the person's data is removed
// from this device and all its tabs. The caller has asked before whether unsent changes may be discarded.
import { LOGOUT_REDIRECT_DELAY_MS } from '#client/ui/timing.ts';
import { api } from '#client/api/session-client.ts';
import { beginLeaving, forgetSession } from '#client/api/session.ts';
import { removeSharedItems } from '#client/capture/shared-items.ts';
import { announceLeaving, closeReplica, openedReplica } from '#client/replica/open-replica.ts';
import { wipeDevice } from '#client/replica/device-wipe.ts';
import type { Problem } from '#client/replica/status.ts';
import { userKey } from '#client/replica/user-key.ts';
import { textsOf, wipeDrafts } from '#client/shell/drafts.ts';
import { clearUndo } from '#client/shell/undo.ts';

const LAST_PUSH_MS = 3_000;
/** Time for a worker to end by itself. Afterwards its databases are removed by name. */
const WORKER_END_MS = 10_000;

/** Tries to send waiting changes; the returned ones would be lost by logging out, so offer to stay, export or discard. */
export async function sendBeforeLogout(): Promise<readonly Problem[]> {
  const replica = openedReplica()?.replica;
  if (!replica) return [];
  // Lost changes are stored on this device only.
  return [...(await replica.flush(LAST_PUSH_MS)), ...replica.lost];
}

/** Texts that are being typed and saved nowhere else; logging out deletes them as well. */
export async function unsavedTexts(): Promise<readonly string[]> {
  const replica = openedReplica()?.replica;
  if (!replica) return [];
  const key = userKey(replica.userId);
  return textsOf((part) => userKey(part) === key);
}

async function endServerSession(): Promise<void> {
  try {
    await api('auth.logout', {}, { signal: AbortSignal.timeout(LAST_PUSH_MS) });
  } catch (error) {
    // Without network the token dies on this device only; the server's session ends by its own time.
    console.info('session: the server could not be told about the logout', error);
  }
}

/** Waits for a worker to end, but not for one that hangs: the person would stay on a page that is being emptied. */
async function ended(name: string, ending: Promise<unknown>): Promise<void> {
  const isLate = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), WORKER_END_MS));
  if (await Promise.race([ending.then(() => false), isLate])) console.warn(`logout: ${name} did not end`);
}

/** Removes everything of the person from this device. @throws an error naming what could not be removed */
async function wipePerson(): Promise<void> {
  const opened = openedReplica();
  if (!opened) return;
  const key = userKey(opened.replica.userId);
  // First: a tab whose databases vanish would treat it as data loss, and rescue what it can.
  announceLeaving();
  await ended('the search', opened.search.close({ discard: true }));
  await ended('the replica', opened.replica.wipe());
  closeReplica();
  await wipeDrafts((part) => userKey(part) === key);
  await removeSharedItems();
  const left = await wipeDevice(key);
  if (left.length > 0) throw new Error(`Could not be removed from this device: ${left.join(', ')}`);
}

/** Ends the session here and on the server, removes all data, and opens the log-in page. */
export async function logOut(): Promise<void> {
  beginLeaving();
  await endServerSession();
  await leaveDevice('/login?clear=true');
}

/** Removes the person's data from this device, once the server has ended the session, and opens this address. */
export async function leaveDevice(to: string): Promise<void> {
  clearUndo();
  try {
    await wipePerson();
  } finally {
    forgetSession();
    setTimeout(() => globalThis.location.assign(to), LOGOUT_REDIRECT_DELAY_MS);
  }
}
