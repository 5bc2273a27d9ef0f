/** The first sign of a reader: a move, a touch, a key. What costs the server something can wait for it; robots give none. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Runs it once. */
export function atFirstSign(run: () => void): void {
  const begun = new AbortController();
  const begin = () => {
    begun.abort();
    run();
  };
  for (const sign of SIGNS) addEventListener(sign, begin, { passive: true, signal: begun.signal });
}
