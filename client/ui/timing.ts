// Times of the interface in milliseconds.

export const LOGOUT_REDIRECT_DELAY_MS = 200;
export const SHORTCUT_CHAIN_MS = 800;
export const NEWSLETTER_VALIDATION_DELAY_MS = 300;
export const BUILD_CHECK_INTERVAL_MS = 3_600_000;
export const BUILD_CHECK_FIRST_MS = 1_000;
export const RELOAD_GUARD_MS = 10_000;

export const LOADING_BAR = {
  throttleMs: 200,
  durationMs: 2_000,
  hideDelayMs: 500,
  resetDelayMs: 400,
  heightPx: 3,
} as const;

export const TOAST = { closeMs: 5_000, maxVisible: 5, removeDelayMs: 200, hotkey: 'F8' } as const;

/** When the application offers to be installed, and for how long it does not once put away. */
export const INSTALL_OFFER = { afterSaves: 3, snoozeMs: 30 * 24 * 3_600_000 } as const;

export const TOOLTIP = { delayMs: 700, skipDelayMs: 300 } as const;
export const COPIED_RESET_MS = 1_500;
