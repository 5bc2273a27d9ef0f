/**
 * The replica at 50,000 memories in a real browser: rows 1, 2, 5, 6, 8, 9, 11 and 12 of the performance plan and S1, S3,
 * S4 of the sync plan. Ours and its references take turns in the same pages; the server is a fake one with ready answers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { Head } from '#shared/entities.ts';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { judge, judgeBudget, percentile, timingOf, type BenchRow } from './bench-row.ts';
import {
  FRAME_MS,
  FRAME_SHARE,
  inBarePage,
  measureEdits,
  openStage,
  pagesOf,
  sitDownWith,
  startOf,
  type Sitting,
} from './stage-runs.ts';
import { syntheticHeads } from './synthetic-heads.ts';

const MEMORIES = 50_000;
const ROUNDS = 5;
const PULLS = 7;
const PULLED = 100;
/** Replicache writes to disk in the background; a warm start is one after that. */
const SETTLE_MS = 8_000;

interface Round {
  coldFifty: number;
  coldAll: number;
  onePage: number;
  allPages: number;
  warmFifty: number;
  warmAll: number;
  dexieFifty: number;
  packedAll: number;
  longest: number;
  tasksOver50: number;
  edits: number[];
  heapBytes: number;
  pulledOne: number[];
  pulledHundred: number[];
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

async function measureCold(sitting: Sitting, addresses: string[]) {
  const references = await inBarePage(sitting, async (bare) => ({
    onePage: await bare.evaluate((given) => stage.references.fetchAndParse(given), addresses.slice(0, 1)),
    allPages: await bare.evaluate((given) => stage.references.fetchAndParse(given), addresses),
  }));
  const page = await openStage(sitting);
  const { fifty, all } = await startOf(page, MEMORIES);
  const tasks = await page.evaluate(() => stage.longTasks);
  await pause(SETTLE_MS);
  return { page, ...references, coldFifty: fifty, coldAll: all, tasks };
}

/** From the commit of so many changed rows on the server to the first of them standing in the page with its new title. */
async function pullToScreen(
  page: Page,
  server: FakeSyncServer,
  { changed, title }: { changed: readonly Head<'memory'>[]; title: string },
): Promise<number> {
  const shown = await page.evaluateHandle((wanted) => {
    const shownAt = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (![...document.querySelectorAll('li')].some((item) => item.textContent === wanted)) return;
        observer.disconnect();
        resolve(performance.timeOrigin + performance.now());
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    });
    return { shownAt };
  }, title);
  const start = performance.timeOrigin + performance.now();
  server.put(
    'memory',
    ...changed.map((row, index) => ({ ...row, title: index === 0 ? title : `${title}.${index}` })),
  );
  return (await shown.evaluate(({ shownAt }) => shownAt)) - start;
}

/** The same for one row and for a hundred, by turns; all of them are on screen. */
async function measurePulls(page: Page, server: FakeSyncServer, rows: readonly Head<'memory'>[]) {
  const newest = rows.toSorted((a, b) => (a.created < b.created ? 1 : -1)).slice(0, PULLED);
  const pulledOne: number[] = [];
  const pulledHundred: number[] = [];
  for (let turn = 0; turn < PULLS; turn += 1) {
    pulledOne.push(await pullToScreen(page, server, { changed: newest.slice(0, 1), title: `One ${turn}` }));
    await pause(300);
    pulledHundred.push(await pullToScreen(page, server, { changed: newest, title: `Hundred ${turn}` }));
    await pause(300);
  }
  return { pulledOne, pulledHundred };
}

async function measureWarm(sitting: Sitting, addresses: string[]) {
  await inBarePage(sitting, (bare) => bare.evaluate((given) => stage.references.prepare(given), addresses));
  const references = await inBarePage(sitting, async (bare) => ({
    dexieFifty: await bare.evaluate(() => stage.references.dexieFifty()),
    packedAll: await bare.evaluate(() => stage.references.packedAll()),
  }));
  const page = await openStage(sitting);
  const { fifty, all } = await startOf(page, MEMORIES);
  const session = await (await sitting.profile.context()).newCDPSession(page);
  return { ...references, warmFifty: fifty, warmAll: all, heapBytes: await heapOf(session) };
}

async function measureRound(rows: readonly Head<'memory'>[], pages: Map<string, string>): Promise<Round> {
  const sitting = await sitDownWith((server) => server.put('memory', ...rows), pages);
  try {
    const addresses = [...pages.keys()];
    const { page, tasks, ...cold } = await measureCold(sitting, addresses);
    const pulls = await measurePulls(page, sitting.server, rows);
    const edits = await measureEdits(page);
    await pause(SETTLE_MS / 4);
    await page.close();
    const warm = await measureWarm(sitting, addresses);
    const overFifty = tasks.filter((task) => task > 50);
    return {
      ...cold,
      ...warm,
      ...pulls,
      edits,
      longest: Math.max(0, ...tasks),
      tasksOver50: overFifty.length,
    };
  } finally {
    await sitting.end();
  }
}

function ratioRow(rounds: readonly Round[], { id, scenario, subject, reference, limit }: RatioOf): BenchRow {
  const ours = timingOf(rounds.map((round) => round[subject]));
  const theirs = timingOf(rounds.map((round) => round[reference.of]));
  return judge(
    { id, scenario, subject: ours, reference: { name: reference.name, ...theirs } },
    ours.p50 / theirs.p50,
    limit,
  );
}

interface RatioOf {
  id: string;
  scenario: string;
  subject: 'coldFifty' | 'coldAll' | 'warmFifty' | 'warmAll';
  reference: { name: string; of: 'onePage' | 'allPages' | 'dexieFifty' | 'packedAll' };
  limit: number;
}

const RATIOS: readonly RatioOf[] = [
  {
    id: '1',
    scenario: 'first 50 rows on a cold device',
    subject: 'coldFifty',
    limit: 2,
    reference: {
      name: 'fetch + parse of 2,000 rows',
      of: 'onePage',
    },
  },
  {
    id: '2',
    scenario: 'all rows in memory, cold',
    subject: 'coldAll',
    limit: 2.5,
    reference: {
      name: 'fetch + parse of the same bytes',
      of: 'allPages',
    },
  },
  {
    id: '5',
    scenario: 'warm start, first 50 rows',
    subject: 'warmFifty',
    limit: 2,
    reference: {
      name: 'Dexie open + 50 by index',
      of: 'dexieFifty',
    },
  },
  {
    id: '6',
    scenario: 'warm start, all rows',
    subject: 'warmAll',
    limit: 1.3,
    reference: {
      name: 'raw packed getAll',
      of: 'packedAll',
    },
  },
];

/** Runs the rows of the replica. */
export async function run(): Promise<BenchRow[]> {
  const rows = syntheticHeads(MEMORIES);
  const pages = pagesOf(rows);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureRound(rows, pages));
  const edits = rounds.flatMap((round) => round.edits);
  const frame = timingOf(edits);
  const one = rounds.flatMap((round) => round.pulledOne);
  const hundred = rounds.flatMap((round) => round.pulledHundred);
  const heap = timingOf(rounds.map((round) => round.heapBytes / 2 ** 20));
  const jsonMb = Buffer.byteLength(JSON.stringify(rows)) / 2 ** 20;
  return [
    ...RATIOS.map((ratio) => ratioRow(rounds, ratio)),
    judge(
      {
        id: '8',
        scenario: `tasks over 50 ms while ${MEMORIES} memories arrive`,
        unit: 'tasks',
        subject: timingOf(rounds.map((round) => round.tasksOver50)),
        reference: {
          name: 'one would be one too many',
          p50: 1,
          p95: 1,
        },
      },
      Math.max(...rounds.map((round) => round.tasksOver50)),
      0,
    ),
    judge(
      {
        id: '9',
        scenario: 'mutate to painted, 20 lists (p95)',
        subject: frame,
        reference: {
          name: 'one frame',
          p50: FRAME_MS,
          p95: FRAME_MS,
        },
      },
      percentile(edits, 0.95) / FRAME_MS,
      FRAME_SHARE,
    ),
    judge(
      {
        id: '11',
        scenario: `pull of ${PULLED} changed rows to the page`,
        subject: timingOf(hundred),
        reference: {
          name: 'pull of one row',
          ...timingOf(one),
        },
      },
      timingOf(hundred).p50 / timingOf(one).p50,
      8,
    ),
    judge(
      {
        id: '12',
        scenario: 'heap of the page with its replica',
        subject: heap,
        unit: 'MB',
        reference: {
          name: 'the rows as JSON',
          p50: jsonMb,
          p95: jsonMb,
        },
      },
      heap.p50 / jsonMb,
      1.2,
    ),
    judgeBudget('S1 first', 'first rows of 50,000', { values: rounds.map((r) => r.coldFifty), limit: 1_000 }),
    judgeBudget('S1 all', 'all 50,000 rows', { values: rounds.map((r) => r.coldAll), limit: 15_000 }),
    judgeBudget('S1 task', 'longest task of the page', { values: rounds.map((r) => r.longest), limit: 200 }),
    judgeBudget('S3 list', 'cold start of the app to its list', {
      values: rounds.map((r) => r.warmFifty),
      limit: 250,
    }),
    judgeBudget('S3 heap', 'heap of the page', {
      values: rounds.map((r) => r.heapBytes / 2 ** 20),
      limit: 150,
      unit: 'MB',
    }),
    judgeBudget('S4', 'mutation to paint', { values: edits, limit: 50 }),
  ];
}
