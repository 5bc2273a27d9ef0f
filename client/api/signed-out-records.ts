// People whose session ended on this device without a logout, and the number of their unsent changes. Small, because every
// dashboard loads it; signed-out-data.ts acts on it.
import { DAY_MS } from '#shared/constants.ts';
import { UNSENT_KEEP_DAYS } from '#shared/sync/limits.ts';
import { SIGNED_OUT_SETTING } from '#client/api/signed-out-setting.ts';
import { userKey } from '#client/replica/user-key.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

export interface SignedOutPerson {
  key: string;
  /** Changes and files that were never sent. */
  unsent: number;
  /** When their remaining data is removed, in milliseconds. */
  until: number;
}

function isSignedOut(value: unknown): value is SignedOutPerson {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'unsent' in value &&
    typeof value.unsent === 'number' &&
    'until' in value &&
    typeof value.until === 'number'
  );
}

/** All people whose session ended here with data left. */
export function readSignedOut(): SignedOutPerson[] {
  try {
    const list: unknown = JSON.parse(readSetting(SIGNED_OUT_SETTING) ?? '[]');
    return Array.isArray(list) ? list.filter(isSignedOut) : [];
  } catch (error) {
    console.info('session: the list of people who are signed out could not be read', error);
    return [];
  }
}

function write(list: readonly SignedOutPerson[]): void {
  writeSetting(SIGNED_OUT_SETTING, list.length === 0 ? undefined : JSON.stringify(list));
}

/** Replaces what is recorded of a person; undefined removes it. */
export function recordSignedOut(key: string, person: Omit<SignedOutPerson, 'key'> | undefined): void {
  const others = readSignedOut().filter((other) => other.key !== key);
  write(person ? [...others, { key, ...person }] : others);
}

/** Records that the session ended here with this many unsent changes. */
export function recordSignOut(userId: string, unsent: number): void {
  recordSignedOut(userKey(userId), { unsent, until: Date.now() + UNSENT_KEEP_DAYS * DAY_MS });
}

/** The person signed in again: what waited for them is theirs and will be sent. */
export function clearSignOut(userId: string): void {
  recordSignedOut(userKey(userId), undefined);
}
