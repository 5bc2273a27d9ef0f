// Hashing of passwords is shared fairly: no network and no crowd keeps a device out that is known.
import { expect, it } from 'vitest';
import { createHashQueue } from '#server/accounts/hash-queue.ts';
import { AppError } from '#shared/errors.ts';

const stranger = (line: string) => ({ line, isKnown: false });

it('takes turns between networks, and known devices first', async () => {
  const inTurn = createHashQueue({ width: 1, waitingMax: 10 });
  const order: string[] = [];
  const hash = (line: string, isKnown = false) =>
    inTurn({ line, isKnown }, async () => void order.push(line));
  await Promise.all([...['a', 'a', 'a', 'b', 'c'].map((line) => hash(line)), hash('device', true)]);
  expect(order).toEqual(['a', 'device', 'a', 'b', 'c', 'a']);
});

it('refuses the last of the longest line when it is full, and goes on', async () => {
  const inTurn = createHashQueue({ width: 1, waitingMax: 3 });
  const hash = (line: string) => inTurn(stranger(line), async () => line);
  const outcomes = await Promise.allSettled(['a', 'a', 'a', 'a', 'b', 'c', 'd'].map(hash));
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  expect(await hash('a')).toBe('a');
});

it('has places for known devices when a crowd of networks fills those of strangers', async () => {
  const inTurn = createHashQueue({ width: 1, waitingMax: 50 });
  const crowd = Array.from({ length: 70 }, (_, n) => inTurn(stranger(`network ${n}`), async () => n));
  const known = inTurn({ line: 'device', isKnown: true }, async () => 'in');
  const refused = (await Promise.allSettled(crowd)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason] : [],
  );
  expect(refused).toHaveLength(19);
  expect(refused[0]).toEqual(
    new AppError('unavailable', 'Too many people are signing in', { retryAfter: 2 }),
  );
  expect(await known).toBe('in');
});
