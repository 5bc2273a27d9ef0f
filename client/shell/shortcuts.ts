/**
 * The keyboard of the product: which handler a key or a chain of keys runs now.
 * Reads tinykeys' grammar but matches itself, so that screens coming and going never lose a half-typed chain.
 */
import { matchKeybindingPress, parseKeybinding, type KeybindingPress } from 'tinykeys';
import { createStore } from '#client/shell/store.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';
import { SHORTCUT_CHAIN_MS } from '#client/ui/timing.ts';
import { shortcutRow, type ShortcutId } from '#client/shell/shortcut-catalogue.ts';

/** A handler for a row of the table; a later registration of the same keys wins while it is enabled. */
export interface ShortcutHandler {
  id: ShortcutId;
  run: (event: KeyboardEvent) => void;
  /** Also while the focus is inside a dialog: for what the dialog itself offers. */
  inDialog?: boolean;
  enabled?: () => boolean;
}

interface Binding extends ShortcutHandler {
  presses: readonly KeybindingPress[];
  typing: boolean;
  repeat: boolean;
  /** A key without modifier, which readers may switch off (WCAG 2.1.4). */
  bare: boolean;
}

const OFF_KEY = 'loci-shortcuts';
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph']);
const NOT_TYPED = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);

let bindings: readonly Binding[] = [];
let pending = new Map<Binding, number>();
let chainTimer: ReturnType<typeof setTimeout> | undefined;

/** Whether shortcuts without a modifier are on. */
export const shortcutsEnabledStore = createStore(true);

function bind(handler: ShortcutHandler, keys: string): Binding {
  const row = shortcutRow(handler.id);
  const presses = parseKeybinding(keys);
  const bare = !presses.some(([required]) => required.some((modifier) => modifier !== 'Shift'));
  return { ...handler, presses, bare, typing: row.whileTyping ?? !bare, repeat: row.repeat ?? false };
}

/** Registers the handler of a shortcut; call the result to remove it. */
export function registerShortcut(handler: ShortcutHandler): () => void {
  const added = shortcutRow(handler.id).keys.map((keys) => bind(handler, keys));
  // Newest first, chains before single keys: "g s" must not also share with "s".
  bindings = [...added, ...bindings].sort((a, b) => b.presses.length - a.presses.length);
  return () => {
    bindings = bindings.filter((binding) => !added.includes(binding));
  };
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type);
  return target.isContentEditable || target.matches('textarea, select');
}

function isPlace(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** Whether a dialog or sheet covers the page, wherever the focus is: while its parts load it is on none of them. */
const isUnderDialog = () =>
  document.querySelector('[data-surface][role$="dialog"][data-state="open"]') !== null;

function allowed(binding: Binding, event: KeyboardEvent): boolean {
  const { target } = event;
  if (binding.bare && !shortcutsEnabledStore.get()) return false;
  if (event.repeat && !binding.repeat) return false;
  if (!binding.typing && isTyping(target)) return false;
  if (binding.bare && isPlace(target, '[role="menu"], [role="listbox"]')) return false;
  if (!binding.inDialog && (isPlace(target, DIALOG) || (binding.bare && isUnderDialog()))) return false;
  // Enter and Space belong to the focused control; a link reacts to Enter only.
  if (event.key === 'Enter' && isPlace(target, 'a')) return false;
  if ((event.key === 'Enter' || event.key === ' ') && isPlace(target, 'button, summary, input')) return false;
  return binding.enabled?.() ?? true;
}

/** How many presses of the binding are done after this event; 0 when it does not fit. */
function advance(binding: Binding, event: KeyboardEvent): number {
  const done = pending.get(binding) ?? 0;
  const next = binding.presses[done];
  if (next && matchKeybindingPress(event, next)) return done + 1;
  const first = binding.presses[0];
  return done > 0 && first && matchKeybindingPress(event, first) ? 1 : 0;
}

/** Runs the handler that the key completes, or remembers it as part of a chain for 800 ms. */
function handleShortcutKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || !event.key || MODIFIERS.has(event.key)) return;
  clearTimeout(chainTimer);
  const begun = new Map<Binding, number>();
  for (const binding of bindings) {
    if (!allowed(binding, event)) continue;
    const done = advance(binding, event);
    if (done === 0) continue;
    if (done === binding.presses.length) {
      pending = new Map();
      event.preventDefault();
      binding.run(event);
      return;
    }
    begun.set(binding, done);
  }
  pending = begun;
  if (begun.size > 0) chainTimer = setTimeout(() => (pending = new Map()), SHORTCUT_CHAIN_MS);
}

let watchers = 0;

function onStorage(event: StorageEvent): void {
  if (event.key === OFF_KEY || event.key === null) shortcutsEnabledStore.set(readSetting(OFF_KEY) !== 'off');
}

/** Listens on the window until every caller has stopped; returns the function that stops for this one. */
export function watchShortcuts(): () => void {
  watchers += 1;
  if (watchers === 1) {
    shortcutsEnabledStore.set(readSetting(OFF_KEY) !== 'off');
    globalThis.addEventListener('keydown', handleShortcutKey);
    globalThis.addEventListener('storage', onStorage);
  }
  return () => {
    watchers -= 1;
    if (watchers > 0) return;
    globalThis.removeEventListener('keydown', handleShortcutKey);
    globalThis.removeEventListener('storage', onStorage);
  };
}

/** Switches shortcuts without a modifier on or off for this browser; mod combinations always work. */
export function setShortcutsEnabled(enabled: boolean): void {
  writeSetting(OFF_KEY, enabled ? undefined : 'off');
  shortcutsEnabledStore.set(enabled);
}
