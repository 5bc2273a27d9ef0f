/** The limit of work in a thread: processor time of the work itself, whatever else the machine does meanwhile. */
import { expect, it } from 'vitest';
import { callThread, runInThread, startThread } from '#server/jobs/run-in-thread.ts';

const SLOW = new URL('../support/slow-thread.ts', import.meta.url);
const LIMITS = { memoryMb: 64, limitMs: 200 };

const run = (workMs: number, sleepMs = 0) => runInThread<string>(SLOW, { workMs, sleepMs }, LIMITS);

it('work within it has its result, however long its thread took to load', async () => {
  expect(await run(10)).toBe('done');
});

it('waiting does not count', async () => {
  expect(await run(10, 600)).toBe('done');
});

it('work beyond it is ended, and so is a thread that sleeps for many times as long', async () => {
  expect(await run(60_000)).toBeUndefined();
  expect(await run(0, 60_000)).toBeUndefined();
});

it('each call has its own, and a thread that has ended has no reply', async () => {
  const worker = await startThread(SLOW, LIMITS.memoryMb);
  if (worker === undefined) throw new Error('the thread did not start');
  const call = (workMs: number) => callThread<string>(worker, { workMs, sleepMs: 0 }, LIMITS.limitMs);
  for (let calls = 0; calls < 4; calls += 1) expect(await call(100)).toBe('done');
  await worker.terminate();
  expect(await call(0)).toBeUndefined();
});

it('a module that cannot be loaded has no result', async () => {
  const missing = new URL('../support/no-such-thread.ts', import.meta.url);
  expect(await runInThread(missing, {}, LIMITS)).toBeUndefined();
});
