// A fair queue: a few at once, of all callers and of each line, and no more waiting than allowed. Hashing of passwords is shared
// in the same way: no network and no crowd keeps a device out that is known.
import { describe, expect, it } from 'vitest';
import { createFairQueue } from '#server/fair-queue.ts';
import { AppError } from '#shared/errors.ts';
import { withPatience } from '#tests/support/patience.ts';

/** Work that lasts until it is ended, and a list of what has begun. */
function openWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

it('runs a few at once, and one line does not hold up the others', async () => {
  const takeTurn = createFairQueue({ atOnce: 2, lineAtOnce: 1, lineWaitingMax: 4 });
  const { begun, work, end } = openWork();
  const first = takeTurn('ada', work('ada 1'));
  const second = takeTurn('ada', work('ada 2'));
  const other = takeTurn('bob', work('bob 1'));
  const third = takeTurn('eve', work('eve 1'));
  await Promise.resolve();
  expect(begun).toEqual(['ada 1', 'bob 1']);
  end('bob 1');
  expect(await other).toBe('bob 1');
  await expect.poll(() => begun).toEqual(['ada 1', 'bob 1', 'eve 1']);
  end('ada 1');
  expect(await first).toBe('ada 1');
  await expect.poll(() => begun).toContain('ada 2');
  end('eve 1');
  end('ada 2');
  expect(await Promise.all([second, third])).toEqual(['ada 2', 'eve 1']);
});

it('refuses a line in which enough wait, and goes on after a failure', async () => {
  const takeTurn = createFairQueue({ atOnce: 1, lineAtOnce: 1, lineWaitingMax: 1 });
  const { begun, work, end } = openWork();
  const failing = takeTurn('ada', () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  const running = takeTurn('ada', work('running'));
  const waiting = takeTurn('ada', work('waiting'));
  await expect(takeTurn('ada', work('too many'))).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 5,
  });
  end('running');
  await running;
  await expect.poll(() => begun).toEqual(['running', 'waiting']);
  end('waiting');
  expect(await waiting).toBe('waiting');
});

const hashes = (limits: { atOnce: number; waitingMax: number }) =>
  createFairQueue({
    ...limits,
    refusal: () => new AppError('unavailable', 'Too many people are signing in', { retryAfter: 2 }),
  });

it('takes turns between lines, and preferred ones first', async () => {
  const inTurn = hashes({ atOnce: 1, waitingMax: 10 });
  const order: string[] = [];
  const hash = (line: string, isKnown = false) => inTurn(line, async () => void order.push(line), isKnown);
  await Promise.all([...['a', 'a', 'a', 'b', 'c'].map((line) => hash(line)), hash('device', true)]);
  expect(order).toEqual(['a', 'device', 'a', 'b', 'c', 'a']);
});

it('refuses the last of the longest line when it is full, and goes on', async () => {
  const inTurn = hashes({ atOnce: 1, waitingMax: 3 });
  const hash = (line: string) => inTurn(line, async () => line);
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

it('has places for preferred lines when a crowd fills those of others', async () => {
  const inTurn = hashes({ atOnce: 1, waitingMax: 50 });
  const crowd = Array.from({ length: 70 }, (_, n) => inTurn(`network ${n}`, async () => n));
  const known = inTurn('device', async () => 'in', true);
  const refused = (await Promise.allSettled(crowd)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason] : [],
  );
  expect(refused).toHaveLength(19);
  expect(refused[0]).toEqual(
    new AppError('unavailable', 'Too many people are signing in', { retryAfter: 2 }),
  );
  expect(await known).toBe('in');
});

describe('with a limit of time', () => {
  withPatience(0.01);

  it('lets a caller wait only so long, and serves the next', async () => {
    const takeTurn = createFairQueue({ lineAtOnce: 1, timeout: 'realmQueue' });
    const { begun, work, end } = openWork();
    const running = takeTurn('ada', work('running'));
    await expect(takeTurn('ada', work('late'))).rejects.toMatchObject({ code: 'unavailable' });
    const next = takeTurn('ada', work('next'));
    end('running');
    await running;
    await expect.poll(() => begun).toEqual(['running', 'next']);
    end('next');
    expect(await next).toBe('next');
  });
});
