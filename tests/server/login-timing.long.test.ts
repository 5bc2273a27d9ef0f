/** An unknown address costs a stranger the same time as a known one with a wrong password. */
import { expect, it } from 'vitest';
import { hashPassword } from '#server/accounts/passwords.ts';
import { logIn } from '#server/accounts/service.ts';
import { AppError } from '#shared/errors.ts';
import { signUp } from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';

const TRIES = 40;
/**
 * Of what a try with a wrong password takes; without hashing the difference would be nearly all of it. The processor time
 * is compared closely, since nothing else on the machine lengthens it; the time that a stranger measures contains waiting.
 */
const LARGEST_SHARE = { cpu: 0.25, wall: 0.5 };

const world = await openWorld({ env: { LOCI_ENV: 'development' } });
const { user } = await signUp(world, 'known');
// Hashed as people's are: checking the password of a person in tests costs nearly nothing.
await world.context.db
  .updateTable('user_password')
  .set({ hash: await hashPassword(world.context.config.env, 'the right one') })
  .where('userId', '=', user.id)
  .execute();

/** Guesses are not counted here, since dozens of them are the point. */
const limits = {
  guess: async () => ({ isLast: false, forgive: async () => undefined }),
  secondFactor: async () => ({ forgive: async () => undefined }),
};

interface Cost {
  cpu: number;
  wall: number;
}

async function costOf(email: string): Promise<Cost> {
  const begin = performance.now();
  // Of all threads: passwords are hashed beside the main one.
  const before = process.cpuUsage();
  const origin = { address: '192.0.2.1', userAgent: 'test' };
  await expect(logIn(world.context, { email, password: 'a wrong one' }, { origin, limits })).rejects.toThrow(
    AppError,
  );
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1_000, wall: performance.now() - begin };
}

it('dozens of pairs of tries take the same time, but for a part of it that tells nothing', async () => {
  const pairs: { known: Cost; unknown: Cost }[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    // Who begins changes, so that what a machine does meanwhile meets both alike.
    const emails = ['known@example.com', 'unknown@example.com'] as const;
    const costs = new Map<string, Cost>();
    for (const email of n % 2 === 0 ? emails : emails.toReversed()) costs.set(email, await costOf(email));
    const [known, unknown] = emails.map((email) => costs.get(email));
    if (known && unknown) pairs.push({ known, unknown });
  }
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[TRIES / 2] ?? Number.NaN;
  for (const what of ['cpu', 'wall'] as const) {
    const difference = median(pairs.map(({ known, unknown }) => known[what] - unknown[what]));
    const usual = median(pairs.map(({ known }) => known[what]));
    const share = Math.abs(difference) / usual;
    expect({ what, share, isSmall: share < LARGEST_SHARE[what] }).toEqual({ what, share, isSmall: true });
  }
});
