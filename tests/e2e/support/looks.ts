/**
 * How screens are looked at: in light at a desk and on a phone; with LOOKS=full (`npm run looks`) in dark too, every rule
 * in every window. A story of looks carries the tag, which puts it into the project `looks`.
 */
import { devices, type BrowserContextOptions } from '@playwright/test';

/** One way to look at a screen. */
export type Look = 'light' | 'dark' | 'phone';

/** The tag of stories that only look. */
export const LOOKS_TAG = '@looks';

/** Whether every combination is looked at. */
export const IS_WHOLE_MATRIX = process.env['LOOKS'] === 'full';

/** The looks of this run; contrast in dark is looked at with `light` where `dark` is not among them. */
export const LOOKS: readonly Look[] = IS_WHOLE_MATRIX ? ['light', 'dark', 'phone'] : ['light', 'phone'];

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
