/** When the worker lets Replicache write to disk. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleMoments } from '#client/replica/worker/idle-moments.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * Milliseconds until an idle callback requested now runs, while rows arrive at this interval for this long and the page
 * is in use.
 */
function waitWhile({ everyMs, forMs }: { everyMs: number; forMs: number }): number {
  const idle = new IdleMoments();
  const begin = Date.now();
  let came: number | undefined;
  idle.request(() => (came = Date.now() - begin));
  for (let passed = 0; passed < 20_000 && came === undefined; passed += everyMs) {
    if (passed < forMs) idle.busy();
    vi.advanceTimersByTime(everyMs);
  }
  return came ?? Number.POSITIVE_INFINITY;
}

test('a worker with nothing to do is idle at once', () => {
  expect(waitWhile({ everyMs: 10, forMs: 0 })).toBeLessThanOrEqual(50);
});

test('while many rows arrive, the disk waits for the end of them', () => {
  const wait = waitWhile({ everyMs: 100, forMs: 1_000 });
  expect(wait).toBeGreaterThanOrEqual(1_000);
  expect(wait).toBeLessThan(1_700);
});

test('a copy that takes long is written now and then', () => {
  const wait = waitWhile({ everyMs: 100, forMs: 60_000 });
  expect(wait).toBeGreaterThan(3_000);
  expect(wait).toBeLessThan(4_200);
});

test('rows that arrive slowly leave idle moments between them', () => {
  expect(waitWhile({ everyMs: 1_000, forMs: 60_000 })).toBeLessThan(700);
});
