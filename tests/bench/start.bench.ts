/**
 * Row 19 of the performance plan: from starting the program to its first answer, on an empty data folder and on one
 * that is there already; and the same as `npm start` does it, with the build before it.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startServerProcess } from '../support/server-process.ts';
import { judge, judgeBudget, timed, timingOf, type BenchRow } from './bench-row.ts';

const FIRST_RUNS = 3;
const REOPENS = 5;
const FIRST_LIMIT_MS = 3_000;
const REOPEN_LIMIT_MS = 1_500;

/** `npm start` from nothing, and when everything is there. */
const NPM_FIRST_LIMIT_MS = 30_000;
const NPM_AGAIN_LIMIT_MS = 3_000;
const ROOT = path.resolve(import.meta.dirname, '../..');

/** What `npm start` does before the program: nothing that is there already is built again. */
async function build(): Promise<number> {
  return await timed(() => {
    const { status } = spawnSync(process.execPath, [path.join(ROOT, 'server/build.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error('The client could not be built');
  });
}

/** Starts the built program again and again. */
export async function run(): Promise<BenchRow[]> {
  // Files of an earlier build would spare the new one a part of its work.
  rmSync(path.join(ROOT, 'dist'), { recursive: true, force: true });
  const fromNothing = await build();
  const again = await build();
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
        id: '19 first',
        scenario: 'first start on an empty folder to the first answer (median)',
        subject: firstTiming,
        reference: limit('budget', FIRST_LIMIT_MS),
      },
      firstTiming.p50 / FIRST_LIMIT_MS,
      1,
    ),
    judge(
      {
        id: '19 reopen',
        scenario: 'start on an existing folder to the first answer (median)',
        subject: reopenTiming,
        reference: limit('budget', REOPEN_LIMIT_MS),
      },
      reopenTiming.p50 / REOPEN_LIMIT_MS,
      1,
    ),
    judgeBudget('19 npm first', 'npm start with nothing built and no data, to the first answer', {
      values: first.map((ms) => ms + fromNothing),
      limit: NPM_FIRST_LIMIT_MS,
    }),
    judgeBudget('19 npm again', 'npm start with everything there, to the first answer', {
      values: reopened.map((ms) => ms + again),
      limit: NPM_AGAIN_LIMIT_MS,
    }),
  ];
}
