// The way to what people left on this device, for pages that rarely need it: nothing is loaded where nobody left.
import type { Unsent } from '#client/api/departed.ts';
import { DEPARTED_SETTING } from '#client/api/departed-setting.ts';
import { readSetting } from '#client/shell/local-setting.ts';

/** Changes of people other than this one that wait here; undefined when there are none. */
export async function findUnsentOfOthers(userId?: string): Promise<Unsent | undefined> {
  if (readSetting(DEPARTED_SETTING) === undefined) return undefined;
  return (await import('#client/api/departed.ts')).unsentOfOthers(userId);
}

/** Removes them for good. */
export async function removeOthers(userId: string): Promise<void> {
  await (await import('#client/api/departed.ts')).wipeOthers(userId);
}
