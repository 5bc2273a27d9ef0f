// Keys pressed before the application has the shortcuts and dialogs that they are for. Part of the first script of the
// shell, so it must stay small.
import { isEditable } from '#client/start/early-paste.ts';

/** Milliseconds after which a key press no longer counts. */
const KEPT_MS = 10_000;
/** Enough for two chains; a key that is held down repeats, and counts once. */
const MOST = 4;

let kept: { event: KeyboardEvent; at: number }[] = [];

function keep(event: KeyboardEvent): void {
  if (!event.isTrusted || event.repeat || event.isComposing || isEditable(event.target)) return;
  // Shortcuts that are there already listen behind this.
  setTimeout(() => {
    if (!event.defaultPrevented) kept = [...kept, { event, at: performance.now() }].slice(-MOST);
  });
}

/** Listens until `replayEarlyKeys`. */
export function keepEarlyKeys(): void {
  addEventListener('keydown', keep);
}

/** Dispatches the recorded keys that nothing has handled, and stops listening. */
export function replayEarlyKeys(): void {
  removeEventListener('keydown', keep);
  const recent = kept.filter(({ at }) => performance.now() - at <= KEPT_MS);
  kept = [];
  for (const { event } of recent) {
    const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
    const again = { key, code, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true };
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', again));
  }
}
