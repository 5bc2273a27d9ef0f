// At the start of any page: if somebody's session ended here before, load the code that cleans up after them.
import { DEPARTED_SETTING } from '#client/api/departed-setting.ts';
import { readSetting } from '#client/shell/local-setting.ts';

/** Cleans up in the background; does nothing, and loads nothing, on a device that nobody left. */
export async function sweepLater(): Promise<void> {
  if (readSetting(DEPARTED_SETTING) === undefined) return;
  const { sweepDeparted } = await import('#client/api/departed.ts');
  await sweepDeparted();
}
