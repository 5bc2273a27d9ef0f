// A search that a person begins before the application has loaded: the keys after the shortcut are stored until the palette can
// read them. Part of the first script of the shell, so it must stay tiny.

/** Undefined until the search shortcut is pressed. */
let typed: string | undefined;

function take(text: string | undefined, event: KeyboardEvent): void {
  typed = text;
  // Neither the browser's own search nor a shortcut that handles the rest of a word.
  event.preventDefault();
  event.stopImmediatePropagation();
}

function keep(event: KeyboardEvent): void {
  const { key, target } = event;
  if (target instanceof HTMLElement && target.matches('input, textarea, select')) {
    // Keys in a text field are text, not a search.
    typed = undefined;
    return;
  }
  const isChord = event.ctrlKey || event.metaKey || event.altKey;
  if (typed === undefined) {
    if (key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey) take('', event);
  } else if (key === 'Escape') take(undefined, event);
  else if (key === 'Backspace' && !isChord) take(typed.slice(0, -1), event);
  else if (key.length === 1 && !isChord) take(typed + key, event);
}

/** Starts recording. */
export function keepFirstSearch(): void {
  addEventListener('keydown', keep, true);
}

/** Stops recording; returns the typed text, or undefined when the search shortcut was not pressed. */
export function takeFirstSearch(): string | undefined {
  removeEventListener('keydown', keep, true);
  const text = typed;
  typed = undefined;
  return text;
}
