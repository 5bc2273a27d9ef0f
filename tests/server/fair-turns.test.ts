// Turns: a few at once, one for each person, and no more waiting than allowed.
import { expect, it } from 'vitest';
import { createTurns } from '#server/jobs/fair-turns.ts';

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

it('run a few at once, and one person does not hold up the others', async () => {
  const takeTurn = createTurns({ atOnce: 2, waitingMax: 4 });
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

it('are refused to a person of whom enough waits, and go on after a failure', async () => {
  const takeTurn = createTurns({ atOnce: 1, waitingMax: 1 });
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
