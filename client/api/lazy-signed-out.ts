// Loads the code for data of signed-out people on this device only where there is such data.
import { COOKIES } from '#shared/constants.ts';
import { readCookie } from '#client/api/cookies.ts';
import type { Unsent } from '#client/api/signed-out-data.ts';
import { SIGNED_OUT_SETTING } from '#client/api/signed-out-setting.ts';
import { readSetting } from '#client/shell/local-setting.ts';

const PERSON = /^(?:rep:|loci-device-|loci-search-)([0-9a-f]+)/;
const load = () => import('#client/api/signed-out-data.ts');

async function isAnythingLeft(): Promise<boolean> {
  if (readSetting(SIGNED_OUT_SETTING) !== undefined) return true;
  // With a session the databases are most likely those of its person; the dashboard looks closer.
  if (readCookie(COOKIES.session) !== undefined) return false;
  const databases = (await globalThis.indexedDB?.databases?.()) ?? [];
  return databases.some(({ name = '' }) => PERSON.test(name));
}

async function sweep(): Promise<void> {
  try {
    if (await isAnythingLeft()) await (await load()).sweepSignedOut();
  } catch (error) {
    // Code that cannot be fetched now is fetched by a later page; a browser without storage has nothing to sweep.
    console.info('session: data of people who are signed out was not looked for', error);
  }
}

let sweeping: Promise<void> | undefined;

/** At the start of a page: removes, in the background, what people whose session ended left here. */
export function sweepAtStart(): Promise<void> {
  sweeping ??= sweep();
  return sweeping;
}

/** Once the dashboard is open: removes the data of all other people. */
export async function sweepOthers(): Promise<void> {
  await sweeping;
  const databases = (await globalThis.indexedDB?.databases?.()) ?? [];
  const people = new Set(databases.flatMap(({ name = '' }) => PERSON.exec(name)?.[1] ?? []));
  if (people.size < 2 && readSetting(SIGNED_OUT_SETTING) === undefined) return;
  await (await load()).sweepSignedOut();
}

/** Changes of people other than this one that wait here; undefined when there are none. */
export async function findUnsentOfOthers(userId?: string): Promise<Unsent | undefined> {
  await sweeping;
  if (readSetting(SIGNED_OUT_SETTING) === undefined) return undefined;
  return (await load()).unsentOfOthers(userId);
}

/** Removes the stored data of all other people. */
export async function removeOthers(userId: string): Promise<void> {
  await (await load()).wipeOthers(userId);
}
