/** The first sign of a reader: a move, a touch, a key. Expensive requests can wait for it; robots produce none. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Browsers say that the pointer moved also when the page moved below it, or was drawn for the first time. */
function isFromPage(event: Event): boolean {
  return (
    event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY
  );
}

/** Runs it once. */
export function atFirstSign(run: () => void): void {
  const begun = new AbortController();
  const begin = (event: Event) => {
    if (isFromPage(event)) return;
    begun.abort();
    run();
  };
  for (const sign of SIGNS) addEventListener(sign, begin, { passive: true, signal: begun.signal });
}
