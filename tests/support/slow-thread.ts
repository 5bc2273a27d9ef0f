/** A thread that takes its time: it loads for half a second, and then works and sleeps as its input says. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serveParent } from '#server/jobs/serve-parent.ts';

/** Takes so many milliseconds of the processor. */
function work(ms: number): void {
  const before = process.threadCpuUsage();
  for (let spent = 0; spent < ms * 1_000;) {
    const { user, system } = process.threadCpuUsage(before);
    spent = user + system;
  }
}

work(500);
serveParent(async (given: { workMs: number; sleepMs: number }) => {
  work(given.workMs);
  await sleep(given.sleepMs);
  return 'done';
});
