/** An unknown address costs a stranger the same time as a known one with a wrong password. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn } from '#server/accounts/service.ts';
import { AppError } from '#shared/errors.ts';
import { signUp } from '#tests/support/agent.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const TRIES = 100;
/** Of the time that a try with a wrong password takes; without hashing the difference would be nearly all of it. */
const LARGEST_SHARE = 0.25;

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
  secondFactor: async () => ({ forgive: async () => undefined }),
};

async function timeOf(email: string): Promise<number> {
  const begin = performance.now();
  const origin = { address: '192.0.2.1', userAgent: 'test' };
  await expect(logIn(world.context, { email, password: 'a wrong one' }, { origin, limits })).rejects.toThrow(
    AppError,
  );
  return performance.now() - begin;
}

it('a hundred pairs of tries take the same time, but for a part of it that tells nothing', async () => {
  const known: number[] = [];
  const differences: number[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    // Who begins changes, so that what a machine does meanwhile meets both alike.
    const emails = ['known@example.com', 'unknown@example.com'] as const;
    const times = new Map<string, number>();
    for (const email of n % 2 === 0 ? emails : emails.toReversed()) times.set(email, await timeOf(email));
    const [one = 0, other = 0] = emails.map((email) => times.get(email));
    known.push(one);
    differences.push(one - other);
  }
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[TRIES / 2] ?? Number.NaN;
  expect(Math.abs(median(differences))).toBeLessThan(LARGEST_SHARE * median(known));
}, 120_000);
