// Time that a test holds: it passes in steps, and between them the work that has become due gets real time to be done.
import { vi } from 'vitest';

/** A busy machine may need so long, by its own clock, for work that is due at once. */
const REAL_PATIENCE_MS = 60_000;
/** Rounds of the event loop between two steps, in which databases and requests of the test go on. */
const TURNS = 5;

/**
 * Lets the time of the test pass until the condition holds. It fails when that took longer than `withinMs` of the test's
 * time, and the machine had time enough to do what was due.
 */
export async function passTimeUntil(
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
  stepMs: number,
): Promise<void> {
  const end = Date.now() + withinMs;
  const realEnd = performance.now() + REAL_PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > end && performance.now() > realEnd) throw new Error('It did not come to that in time');
    await vi.advanceTimersByTimeAsync(stepMs);
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}
