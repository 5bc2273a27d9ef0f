/** The copy button of a block of code. */
import { COPIED_RESET_MS } from '#client/ui/timing.ts';

const WORDS = { rest: 'Copy code', done: 'Copied' } as const;
const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

function show(button: HTMLElement, isDone: boolean): void {
  button.toggleAttribute('data-copied', isDone);
  button.ariaLabel = isDone ? WORDS.done : WORDS.rest;
}

/** Copies the code beside the button, which shows the result for COPIED_RESET_MS. */
export async function copyCode(button: HTMLElement): Promise<void> {
  const text = button.parentElement?.querySelector('pre')?.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    // A refused clipboard leaves the button as it is: the text can still be selected.
    return console.warn('The code was not copied', error);
  }
  show(button, true);
  clearTimeout(timers.get(button));
  timers.set(
    button,
    setTimeout(() => show(button, false), COPIED_RESET_MS),
  );
}
