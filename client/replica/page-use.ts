// Whether the page is in use right now, for work that can be deferred. The browser's own signal (userActivation) is not
// used, because it is also set for scripts that a debugger runs.

/** Longest pause between two keys of a person who is typing. */
const RECENT_MS = 1_000;
const SIGNS = ['keydown', 'pointerdown', 'wheel'] as const;

let usedAt = Number.NEGATIVE_INFINITY;
const note = () => {
  usedAt = performance.now();
};

/** Watches from now on; repeated calls have no effect. */
export function watchPageUse(): void {
  for (const sign of SIGNS) addEventListener(sign, note, { capture: true, passive: true });
}

/** A key, a button or the wheel was used in the last second. */
export function isPageUsed(): boolean {
  return performance.now() - usedAt < RECENT_MS;
}
