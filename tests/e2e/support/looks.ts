/**
 * How screens are looked at: in light, in dark and on a phone. `npm test` looks at the main screens, in light with the
 * contrast in dark; the whole run (`npm run looks`) at every screen in all three, by every rule.
 */
import { devices, type BrowserContextOptions } from '@playwright/test';
import { LONG_TAG } from '../../support/whole-run.ts';

/** One way to look at a screen. */
export type Look = 'light' | 'dark' | 'phone';

/** The tag of stories that only look, which puts them into the project `looks`. */
export const LOOKS_TAG = '@looks';

/** Details of a look that only the whole run takes. */
export const LONG_LOOK = { tag: [LOOKS_TAG, LONG_TAG] };

/** Every look. */
export const LOOKS: readonly Look[] = ['light', 'dark', 'phone'];

/** Details of a look that `npm test` takes in the named ways, and the whole run in all. */
export const lookIn = (look: Look, ...core: readonly Look[]) =>
  core.includes(look) ? { tag: LOOKS_TAG } : LONG_LOOK;

const DESK = { width: 1280, height: 800 };

/** The window of a look; the width of the phone is that of a small one unless given. */
export function windowOf(look: Look, phone: { width: number; height: number } = { width: 360, height: 740 }) {
  const windows = {
    light: { colorScheme: 'light', viewport: DESK },
    dark: { colorScheme: 'dark', viewport: DESK },
    phone: { ...devices['Pixel 7'], viewport: phone },
  } satisfies Record<Look, BrowserContextOptions>;
  return windows[look];
}
