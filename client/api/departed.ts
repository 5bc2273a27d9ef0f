// People whose session ended on this device without a logout. Their data goes at the next chance, unless changes of
// theirs were never sent: those wait, unreadable, for the same person's next login (PRODUCT 5.5).
import { UNSENT_KEEP_DAYS } from '#shared/constants.ts';
import { DEPARTED_SETTING } from '#client/api/departed-setting.ts';
import { wipeDevice } from '#client/replica/device-wipe.ts';
import { hasDraftsOf, wipeDrafts } from '#client/shell/drafts.ts';
import { userKey } from '#client/replica/user-key.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

interface DepartedPerson {
  key: string;
  unsent: number;
  until: number;
  /** Only text that was being typed is left; it goes when the time is over. */
  draftsOnly?: boolean;
}
type Departed = DepartedPerson[];

function isDeparted(value: unknown): value is DepartedPerson {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'unsent' in value &&
    typeof value.unsent === 'number' &&
    'until' in value &&
    typeof value.until === 'number' &&
    (!('draftsOnly' in value) || typeof value.draftsOnly === 'boolean')
  );
}

const DAY_MS = 86_400_000;

function read(): Departed {
  try {
    const list: unknown = JSON.parse(readSetting(DEPARTED_SETTING) ?? '[]');
    return Array.isArray(list) && list.every(isDeparted) ? list : [];
  } catch (error) {
    console.info('session: the list of departed people could not be read', error);
    return [];
  }
}

function write(list: Departed): void {
  writeSetting(DEPARTED_SETTING, list.length === 0 ? undefined : JSON.stringify(list));
}

/** Notes that the person's session ended here with so many changes unsent. */
export function noteDeparture(userId: string, unsent: number): void {
  const key = userKey(userId);
  const until = unsent === 0 ? 0 : Date.now() + UNSENT_KEEP_DAYS * DAY_MS;
  write([...read().filter((other) => other.key !== key), { key, unsent, until }]);
}

/** The person is back: what waited for them is theirs again and will be sent. */
export function noteReturn(userId: string): void {
  const key = userKey(userId);
  write(read().filter((other) => other.key !== key));
}

/** Changes that wait on this device for people whose session ended. */
export interface Unsent {
  count: number;
  /** When the last of them are removed, in milliseconds. */
  until: number;
}

/** What waits for people other than this one (for anybody without one); undefined when nothing does. */
export function unsentOfOthers(userId?: string): Unsent | undefined {
  const key = userId === undefined ? undefined : userKey(userId);
  const others = read().filter((other) => other.key !== key && other.unsent > 0 && other.until > Date.now());
  if (others.length === 0) return undefined;
  return {
    count: others.reduce((sum, { unsent }) => sum + unsent, 0),
    until: Math.max(...others.map(({ until }) => until)),
  };
}

const partsOf = (key: string) => (part: string) => userKey(part) === key;

async function wipe(person: Departed[number], { drafts }: { drafts: boolean }): Promise<void> {
  const left = await wipeDevice(person.key);
  if (left.length > 0) return;
  const rest = read().filter((other) => other.key !== person.key);
  if (!drafts && (await hasDraftsOf(partsOf(person.key)))) {
    const until = Date.now() + UNSENT_KEEP_DAYS * DAY_MS;
    return write([...rest, { key: person.key, unsent: 0, until, draftsOnly: true }]);
  }
  await wipeDrafts(partsOf(person.key));
  write(rest);
}

/** Removes what other people left behind, unsent changes included; call after the person at the screen agreed. */
export async function wipeOthers(userId: string): Promise<void> {
  const key = userKey(userId);
  for (const person of read()) if (person.key !== key) await wipe(person, { drafts: true });
}

/** Removes what need not be kept any longer; text that was being typed stays as long as unsent changes do. */
export async function sweepDeparted(): Promise<void> {
  for (const person of read()) {
    if (person.until <= Date.now()) await wipe(person, { drafts: person.draftsOnly === true });
  }
}
