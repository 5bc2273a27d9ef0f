// What a visitor does on a rendered page before the application is there: it is kept, the application is fetched at once, and
// then the same thing is done again. Part of every page's first script, so it must stay tiny.

import { whenIdle } from '#client/shell/quiet-moment.ts';

/** Signs that somebody is about to use the page. */
const SIGNS = ['pointermove', 'pointerdown', 'focusin'] as const;
const KEPT = ['click', 'keydown', 'input', 'focusout'] as const;

/** Links that lead away or stay on this page need nobody; other links and buttons are answered by the application. */
function answersLater({
  target,
  button,
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
}: MouseEvent): HTMLElement | undefined {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element))
    return undefined;
  const control = target.closest<HTMLElement>('a[href], button');
  if (!(control instanceof HTMLAnchorElement)) return control ?? undefined;
  const leadsAway =
    control.origin !== location.origin || control.target !== '' || control.hasAttribute('download');
  return leadsAway || control.getAttribute('href')?.startsWith('#') ? undefined : control;
}

function isField(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** What to do again for an event, or nothing. Takes the event away from the browser where both would answer. */
function repetition(event: Event): (() => void) | undefined {
  const { target } = event;
  if (event instanceof MouseEvent) {
    const control = answersLater(event);
    if (!control) return undefined;
    event.preventDefault();
    event.stopImmediatePropagation();
    return () => control.click();
  }
  if (event instanceof KeyboardEvent) {
    const isSearch = event.key === '/' || (event.key === 'k' && (event.metaKey || event.ctrlKey));
    if (isField(target) && !isSearch) return undefined;
    if (isSearch && !(isField(target) && event.key === '/')) event.preventDefault();
    return () => void target?.dispatchEvent(new KeyboardEvent(event.type, event));
  }
  return isField(target)
    ? () => void target.dispatchEvent(new Event(event.type, { bubbles: true }))
    : undefined;
}

/**
 * Watches until the application has started; answers the function that starts it without waiting for a sign.
 * When it cannot be loaded, what was done is left to the browser, and the next sign tries again.
 */
export function keepFirstActions(start: () => Promise<void>): () => void {
  let kept: (() => void)[] = [];
  let isStarting = false;
  const repeatAll = (): void => {
    const actions = kept;
    kept = [];
    for (const repeat of actions) repeat();
  };
  const tryToStart = async (): Promise<void> => {
    try {
      await start();
      ignore();
    } catch (error) {
      console.warn('No script', error);
      ignore();
      isStarting = false;
      watch(SIGNS, begin);
    }
    repeatAll();
  };
  const begin = (): void => {
    if (isStarting) return;
    isStarting = true;
    void tryToStart();
  };
  const keep = (event: Event): void => {
    const repeat = repetition(event);
    if (repeat) kept.push(repeat);
    begin();
  };
  const ignore = (): void => {
    for (const type of SIGNS) removeEventListener(type, begin, true);
    for (const type of KEPT) removeEventListener(type, keep, true);
  };
  const watch = (types: readonly string[], listener: (event: Event) => void): void => {
    for (const type of types)
      addEventListener(type, listener, { capture: true, passive: listener === begin });
  };
  watch(SIGNS, begin);
  watch(KEPT, keep);
  return begin;
}

/** Calls when the page is loaded and painted and the browser has time; in the background, once somebody looks. */
export function afterFirstPaint(run: () => void): void {
  const whenLoaded = () => requestAnimationFrame(() => setTimeout(() => whenIdle(run)));
  if (document.readyState === 'complete') whenLoaded();
  else addEventListener('load', whenLoaded, { once: true });
}
