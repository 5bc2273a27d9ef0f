/** Which process reads the next file: the one that read the last, as long as that may be trusted with it. */
import { expect, it } from 'vitest';
import { callProcess, runInProcess, startProcess } from '#server/jobs/run-in-process.ts';

const COUNTING = new URL('../support/counting-process.ts', import.meta.url);
const LIMITS = { memoryMb: 400, limitMs: 20_000 };

const run = (input: { ends?: boolean; takesMb?: number } = {}) =>
  runInProcess<{ calls: number }>(COUNTING, input, LIMITS);

it('one that has loaded is asked again, until one input ends it', async () => {
  expect(await run()).toEqual({ calls: 1 });
  expect(await run()).toEqual({ calls: 2 });
  expect(await run({ ends: true })).toBeUndefined();
  expect(await run()).toEqual({ calls: 1 });
});

it('two inputs at once have a process each', async () => {
  await run({ ends: true });
  expect(await Promise.all([run(), run()])).toEqual([{ calls: 1 }, { calls: 1 }]);
});

it('one that holds much memory is not asked again', async () => {
  await run({ ends: true });
  await run({ ends: true });
  expect(await run({ takesMb: 220 })).toEqual({ calls: 1 });
  expect(await run()).toEqual({ calls: 1 });
});

it('one that hangs is ended by the clock, long before its time on the processor is over', async () => {
  const began = performance.now();
  expect(await runInProcess(COUNTING, { hangs: true }, { ...LIMITS, elapsedMs: 500 })).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(LIMITS.limitMs);
});

it('one that was killed between two inputs is noticed at once', async () => {
  const child = await startProcess(COUNTING, LIMITS.memoryMb);
  if (child === undefined) throw new Error('It did not start');
  process.kill(Number(child.pid), 'SIGKILL');
  const began = performance.now();
  expect(await callProcess(child, {}, LIMITS)).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(LIMITS.limitMs);
});
