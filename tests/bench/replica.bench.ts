/**
 * The replica at 50,000 memories in a real browser: rows 1, 2, 5, 6, 8, 9, 11 and 12 of the performance plan and S1, S3,
 * S4 of the sync plan. Ours and its references take turns in the same pages; the server is a fake one with ready answers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { Head } from '#shared/entities.ts';
import { keyOf } from '#shared/sync/keys.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { until } from '#tests/support/engine-port.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';
import type {} from '#tests/support/replica-stage/stage.tsx';
import { judge, judgeBudget, percentile, timingOf, type BenchRow } from './bench-row.ts';
import { syntheticHeads } from './synthetic-heads.ts';

const MEMORIES = 50_000;
const PAGE = 2_000;
const ROUNDS = 5;
const EDITS = 100;
const PULLS = 7;
const PULLED = 100;
const FRAME_MS = 16.7;
/** Share of a frame that a change may take to be on screen. */
const FRAME_SHARE = 0.25;
const READY_MS = 120_000;
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

function pagesOf(rows: readonly Head<'memory'>[]): Map<string, string> {
  const sorted = rows.map((value) => ({ op: 'put', key: keyOf('memory', value), value }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  const pages = new Map<string, string>();
  for (let at = 0; at < sorted.length; at += PAGE) {
    pages.set(`/reference/${pages.size}`, JSON.stringify({ patch: sorted.slice(at, at + PAGE) }));
  }
  return pages;
}

async function openStage(profile: BrowserProfile, site: StageServer): Promise<Page> {
  const page = await profile.open(site.address);
  await page.evaluate((given) => stage.open(given), { userId: USER, workspaceId: WORKSPACE, lists: 20 });
  return page;
}

const allThere = (page: Page) => until(() => page.evaluate(() => stage.marks.all !== undefined), READY_MS);

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

async function measureCold(profile: BrowserProfile, site: StageServer, addresses: string[]) {
  const bare = await profile.open(site.address);
  const onePage = await bare.evaluate(
    (given) => stage.references.fetchAndParse(given),
    addresses.slice(0, 1),
  );
  const allPages = await bare.evaluate((given) => stage.references.fetchAndParse(given), addresses);
  await bare.close();
  const page = await openStage(profile, site);
  await allThere(page);
  const tasks = await page.evaluate(() => stage.longTasks);
  const { start = 0, fifty = Number.NaN, all = Number.NaN } = await page.evaluate(() => stage.marks);
  const count = await page.evaluate(() => stage.count());
  if (count !== MEMORIES) throw new Error(`${count} memories arrived`);
  await pause(SETTLE_MS);
  return { page, onePage, allPages, coldFifty: fifty - start, coldAll: all - start, tasks };
}

async function measureEdits(page: Page): Promise<number[]> {
  return await page.evaluate(async (count) => {
    const times: number[] = [];
    for (let edit = 0; edit < count; edit += 1) {
      const id =
        `mem_${'abcdefghijkmnopqrstuvwxyz123456789'.slice(0, 24)}${String(edit).padStart(8, 'a').replaceAll('0', 'z')}` as const;
      times.push(await stage.mutateToPaint('memory.create', { id, origin: 'web', title: `Edit ${edit}` }));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return times;
  }, EDITS);
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

async function measureWarm(profile: BrowserProfile, site: StageServer, addresses: string[]) {
  const bare = await profile.open(site.address);
  await bare.evaluate((given) => stage.references.prepare(given), addresses);
  await bare.close();
  const reference = await profile.open(site.address);
  const dexieFifty = await reference.evaluate(() => stage.references.dexieFifty());
  const packedAll = await reference.evaluate(() => stage.references.packedAll());
  await reference.close();
  const page = await openStage(profile, site);
  await allThere(page);
  const { start = 0, fifty = Number.NaN, all = Number.NaN } = await page.evaluate(() => stage.marks);
  const session = await (await profile.context()).newCDPSession(page);
  return {
    dexieFifty,
    packedAll,
    warmFifty: fifty - start,
    warmAll: all - start,
    heapBytes: await heapOf(session),
  };
}

async function measureRound(rows: readonly Head<'memory'>[], pages: Map<string, string>): Promise<Round> {
  const server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  const account = new FakeSyncServer({ userId: USER, realmId: USER });
  server.put('workspace_member', memberRow());
  server.put('memory', ...rows);
  const site = await serveStage([server, account], { files: pages });
  const profile = new BrowserProfile();
  try {
    const addresses = [...pages.keys()];
    const { page, tasks, ...cold } = await measureCold(profile, site, addresses);
    const pulls = await measurePulls(page, server, rows);
    const edits = await measureEdits(page);
    await pause(SETTLE_MS / 4);
    await page.close();
    const warm = await measureWarm(profile, site, addresses);
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
    await profile.remove();
    await site.close();
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
    ...{ id: '1', scenario: 'first 50 rows on a cold device', subject: 'coldFifty', limit: 2 },
    reference: { name: 'fetch + parse of 2,000 rows', of: 'onePage' },
  },
  {
    ...{ id: '2', scenario: 'all rows in memory, cold', subject: 'coldAll', limit: 2.5 },
    reference: { name: 'fetch + parse of the same bytes', of: 'allPages' },
  },
  {
    ...{ id: '5', scenario: 'warm start, first 50 rows', subject: 'warmFifty', limit: 2 },
    reference: { name: 'Dexie open + 50 by index', of: 'dexieFifty' },
  },
  {
    ...{ id: '6', scenario: 'warm start, all rows', subject: 'warmAll', limit: 1.3 },
    reference: { name: 'raw packed getAll', of: 'packedAll' },
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
        ...{ id: '8', scenario: `tasks over 50 ms while ${MEMORIES} memories arrive`, unit: 'tasks' },
        subject: timingOf(rounds.map((round) => round.tasksOver50)),
        reference: { name: 'one would be one too many', p50: 1, p95: 1 },
      },
      Math.max(...rounds.map((round) => round.tasksOver50)),
      0,
    ),
    judge(
      {
        ...{ id: '9', scenario: 'mutate to painted, 20 lists (p95)', subject: frame },
        reference: { name: 'one frame', p50: FRAME_MS, p95: FRAME_MS },
      },
      percentile(edits, 0.95) / FRAME_MS,
      FRAME_SHARE,
    ),
    judge(
      {
        ...{ id: '11', scenario: `pull of ${PULLED} changed rows to the page`, subject: timingOf(hundred) },
        reference: { name: 'pull of one row', ...timingOf(one) },
      },
      timingOf(hundred).p50 / timingOf(one).p50,
      8,
    ),
    judge(
      {
        ...{ id: '12', scenario: 'heap of the page with its replica', subject: heap, unit: 'MB' },
        reference: { name: 'the rows as JSON', p50: jsonMb, p95: jsonMb },
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
      ...{ values: rounds.map((r) => r.heapBytes / 2 ** 20), limit: 150, unit: 'MB' },
    }),
    judgeBudget('S4', 'mutation to paint', { values: edits, limit: 50 }),
  ];
}
