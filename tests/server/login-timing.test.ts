/** An unknown address costs a stranger the same time as a known one with a wrong password (SECURITY E1). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn } from '#server/accounts/service.ts';
import { AppError } from '#shared/errors.ts';
import { signUp } from '#tests/support/agent.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const TRIES = 100;
const LARGEST_DIFFERENCE_MS = 20;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await signUp(world, 'known');
});
afterAll(() => world.close());

/** Guesses are not counted here, since a hundred of them are the point. */
const limits = {
  take: async () => ({}),
  guess: async () => ({ forgive: async () => undefined }),
};

async function timeOf(email: string): Promise<number> {
  const begin = performance.now();
  const origin = { address: '192.0.2.1', userAgent: 'test' };
  await expect(logIn(world.context, { email, password: 'a wrong one' }, { origin, limits })).rejects.toThrow(
    AppError,
  );
  return performance.now() - begin;
}

it('the medians of a hundred tries differ by less than 20 ms', async () => {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let n = 0; n < TRIES; n += 1) {
    times.known.push(await timeOf('known@example.com'));
    times.unknown.push(await timeOf('unknown@example.com'));
  }
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[TRIES / 2] ?? 0;
  expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(LARGEST_DIFFERENCE_MS);
  // Both really hash: a refusal without hashing would take a small part of the other's time, on any machine.
  expect(median(times.unknown)).toBeGreaterThan(median(times.known) / 2);
});
