/**
 * Row 19 of the performance plan: from starting the program to its first answer, on an empty data folder and on one
 * that is there already.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { startServerProcess } from '../support/server-process.ts';
import { judge, timed, timingOf, type BenchRow } from './bench-row.ts';

const FIRST_RUNS = 3;
const REOPENS = 5;
const FIRST_LIMIT_MS = 3_000;
const REOPEN_LIMIT_MS = 1_500;

/** Starts the built program again and again. */
export async function run(): Promise<BenchRow[]> {
  if (!existsSync(path.resolve(import.meta.dirname, '../../dist/client')))
    throw new Error('Build first: npm run build');
  const first: number[] = [];
  const reopened: number[] = [];
  for (let round = 0; round < FIRST_RUNS; round += 1) {
    const begin = performance.now();
    const server = await startServerProcess();
    first.push(performance.now() - begin);
    const reopens = round === FIRST_RUNS - 1 ? REOPENS : 0;
    for (let n = 0; n < reopens; n += 1) {
      await server.stop();
      reopened.push(await timed(() => server.start()));
    }
    await server.dispose();
  }
  const [firstTiming, reopenTiming] = [timingOf(first), timingOf(reopened)];
  const limit = (name: string, ms: number) => ({ name, p50: ms, p95: ms });
  return [
    judge(
      {
        ...{ id: '19 first', scenario: 'first start on an empty folder to the first answer (median)' },
        ...{ subject: firstTiming, reference: limit('budget', FIRST_LIMIT_MS) },
      },
      firstTiming.p50 / FIRST_LIMIT_MS,
      1,
    ),
    judge(
      {
        ...{ id: '19 reopen', scenario: 'start on an existing folder to the first answer (median)' },
        ...{ subject: reopenTiming, reference: limit('budget', REOPEN_LIMIT_MS) },
      },
      reopenTiming.p50 / REOPEN_LIMIT_MS,
      1,
    ),
  ];
}
