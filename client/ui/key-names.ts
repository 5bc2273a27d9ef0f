/**
 * Turns a key binding in tinykeys syntax into the labels printed on key caps, for Apple keyboards and all others.
 */

const ARROWS = { ArrowUp: '↑', ArrowDown: '↓' } as const;

const APPLE: Readonly<Record<string, string>> = {
  ...ARROWS,
  $mod: '⌘',
  Meta: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Control: '⌃',
  Enter: '↵',
  Escape: 'Esc',
};

const OTHER: Readonly<Record<string, string>> = {
  ...ARROWS,
  $mod: 'Ctrl',
  Control: 'Ctrl',
  Escape: 'Esc',
  Enter: 'Enter',
};

const SPOKEN: Readonly<Record<string, string>> = {
  '⌘': 'Command',
  '⇧': 'Shift',
  '⌥': 'Option',
  '⌃': 'Control',
  '↵': 'Enter',
  '↑': 'Up',
  '↓': 'Down',
};

/** Whether this keyboard has a Command key; false where there is no browser. */
export function isApplePlatform(): boolean {
  return /Mac|iPod|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');
}

/** The caps of each press in order: `g h` → [[G], [H]], `$mod+k` → [[⌘, K]]. Optional modifiers are left out. */
export function keyCaps(keys: string, apple: boolean): string[][] {
  const names = apple ? APPLE : OTHER;
  return keys.split(' ').map((press) => {
    const parts = press.split(/(?<=\w|\])\+/).filter((part) => !/^\[\w+\]$/.test(part));
    return parts.map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  });
}

/** The same keys as a phrase for a screen reader: "G then H", "Command K". */
export function spokenKeys(keys: string, apple: boolean): string {
  return keyCaps(keys, apple)
    .map((press) => press.map((cap) => SPOKEN[cap] ?? cap).join(' '))
    .join(' then ');
}
