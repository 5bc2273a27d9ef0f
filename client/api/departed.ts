// People whose session ended on this device without a logout. Their data goes at the next chance, unless changes of
// theirs were never sent: those wait, unreadable, for the same person's next login (PRODUCT 5.5).
import { z } from 'zod';
import { UNSENT_KEEP_DAYS } from '#shared/constants.ts';
import { DEPARTED_SETTING } from '#client/api/departed-setting.ts';
import { wipeDevice } from '#client/replica/device-wipe.ts';
import { userKey } from '#client/replica/user-key.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

const departed = z.array(z.object({ key: z.string(), unsent: z.number(), until: z.number() }));
type Departed = z.output<typeof departed>;

const DAY_MS = 86_400_000;

function read(): Departed {
  try {
    return departed.safeParse(JSON.parse(readSetting(DEPARTED_SETTING) ?? '[]')).data ?? [];
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

/** Changes of other people that wait on this device; who logs in now is asked before they are thrown away. */
export function unsentOfOthers(userId: string): number {
  const key = userKey(userId);
  return read()
    .filter((other) => other.key !== key && other.until > Date.now())
    .reduce((sum, other) => sum + other.unsent, 0);
}

async function wipe(chosen: (person: Departed[number]) => boolean): Promise<void> {
  for (const person of read().filter(chosen)) {
    const left = await wipeDevice(person.key);
    if (left.length === 0) write(read().filter((other) => other.key !== person.key));
  }
}

/** Removes what other people left behind, unsent changes included; call after the person at the screen agreed. */
export async function wipeOthers(userId: string): Promise<void> {
  const key = userKey(userId);
  await wipe((person) => person.key !== key);
}

/** Removes what need not be kept any longer. */
export async function sweepDeparted(): Promise<void> {
  await wipe((person) => person.until <= Date.now());
}
