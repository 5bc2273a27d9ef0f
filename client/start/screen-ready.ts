/**
 * When the application shows its first screen: from then on the snapshot in its place is removed, and files that no row needs
 * may be fetched. Part of the first script of the shell, so it must stay small.
 */

import { keepEarlyKeys } from '#client/start/early-keys.ts';
import { keepEarlyPaste } from '#client/start/early-paste.ts';

/** Drawn by the service worker before #root; see client/service-worker. */
const SNAPSHOT = '#screen-snapshot';
const SIGNS_OF_USE = ['keydown', 'pointerdown'] as const;

interface Watch {
  ready: Promise<void>;
  /** The first screen is there, or the person uses the page and must not wait for it. */
  wanted: Promise<void>;
}

let watch: Watch | undefined;
/** Its screen has been painted. */
let isOver = false;

/** Resolves after the next paint; soon where the page is not seen. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'hidden') setTimeout(resolve);
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? element.textContent ?? '';

/** Live counterpart of an element of the snapshot. */
function liveOf(element: Element, root: Element): HTMLElement | undefined {
  const href = element.getAttribute('href');
  const wanted = href === null ? element.localName : `a[href="${CSS.escape(href)}"]`;
  const alike = [...root.querySelectorAll<HTMLElement>(wanted)];
  return alike.find((live) => nameOf(live) === nameOf(element));
}

/** Puts text into a field as if it had been typed there. */
function type(field: HTMLTextAreaElement, text: string): void {
  const whole = text.startsWith(field.value) ? text : field.value + text;
  // React replaces the setter of the element itself, to distinguish its own changes from those of others.
  const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
  set?.call(field, whole);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Stores the key presses and the typing on the snapshot for the screen that replaces it. */
function keepUse(snapshot: Element): (root: Element) => void {
  let pressed: Element | undefined;
  snapshot.addEventListener('click', (event) => {
    if (!(event instanceof MouseEvent) || !(event.target instanceof Element)) return;
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    pressed = event.target.closest('a, button') ?? pressed;
    event.preventDefault();
  });
  return (root) => {
    const fields = [...snapshot.querySelectorAll('textarea')];
    const focused = fields.find((field) => field === document.activeElement);
    snapshot.remove();
    for (const field of fields) {
      const live = liveOf(field, root);
      if (!(live instanceof HTMLTextAreaElement)) continue;
      if (field === focused) live.focus({ preventScroll: true });
      if (field.value !== field.defaultValue) type(live, field.value);
    }
    if (pressed) liveOf(pressed, root)?.click();
  };
}

/** A page with a heading and no element that is still loading. */
function isReady(root: Element): boolean {
  return root.querySelector('h1, h2') !== null && root.querySelector('[aria-busy="true"]') === null;
}

/** Calls back in the same task in which the screen was drawn, before it is painted. */
function onReady(root: Element, run: () => void): void {
  if (isReady(root)) return run();
  const observer = new MutationObserver(() => {
    if (!isReady(root)) return;
    observer.disconnect();
    run();
  });
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['aria-busy'] });
}

/** A screen that showed a list, and now does not, may show what its person may not see any more. */
async function forgetWithoutList(root: Element): Promise<void> {
  if (root.querySelector('[data-collection]') !== null) return;
  const { removeSnapshots } = await import('#client/start/snapshot-store.ts');
  await removeSnapshots();
}

const rootElement = (): Element => document.querySelector('#root') ?? document.body;

/** Watches for the first screen of `root`, which replaces the snapshot, if there is one. */
export function watchScreen(root: Element, snapshot: Element | null): Watch {
  const replace = snapshot ? keepUse(snapshot) : undefined;
  const ready = new Promise<void>((resolve) => {
    onReady(root, () => {
      replace?.(root);
      if (snapshot) void forgetWithoutList(root);
      void afterPaint().then(resolve);
    });
  });
  const used = new Promise<void>((resolve) => {
    for (const sign of SIGNS_OF_USE) addEventListener(sign, () => resolve(), { capture: true, once: true });
  });
  return { ready, wanted: Promise.race([ready, used]) };
}

function startWatch(): Watch {
  keepEarlyPaste();
  keepEarlyKeys();
  const started = watchScreen(rootElement(), document.querySelector(SNAPSHOT));
  void started.ready.then(() => {
    isOver = true;
  });
  return started;
}

/** Of the first screen; once that is over, of the one that is on its way, as the first list is after a log-in. */
function currentWatch(): Watch {
  watch ??= startWatch();
  return isOver ? watchScreen(rootElement(), null) : watch;
}

/** Watches for the first screen from now on; resolves when the snapshot, if there is one, has been painted. */
export async function watchFirstScreen(): Promise<void> {
  watch ??= startWatch();
  if (document.querySelector(SNAPSHOT)) await afterPaint();
}

/** Resolves when the first screen has been painted, or the one that is on its way. */
export function whenScreenReady(): Promise<void> {
  return currentWatch().ready;
}

/** The same, or earlier when the page is being used. */
export function whenScreenReadyOrUsed(): Promise<void> {
  return currentWatch().wanted;
}
