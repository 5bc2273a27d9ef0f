/**
 * The public pages as a visitor meets them: time to the first byte of content pages and of pages from the database, then
 * Lighthouse on a phone and on a desktop. The program runs in a process of its own and shares a space
 * with 500 memories; sixteen connections at once ask for its page. On a machine that must be shared, parts: PUBLIC_RUNS sets how often Lighthouse looks at each page (5),
 * PUBLIC_PARTS chooses `ttfb`, `rate` or `lighthouse`, PUBLIC_PAGES names pages (line, home, docs, post, explore, space, memory, thread), PUBLIC_FORMS
 * `phone` or `desktop`. `line` is a page of one line: what it takes is the machine's part of every other row. A look that fails is tried again in a fresh browser; a page that cannot be seen is a missed row.
 */
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { CHROMIUM_ARGS, ensureChromium } from '../support/chromium.ts';
import { startServerProcess } from '../support/server-process.ts';
import { SCRIPT_BUDGET } from '../support/page-budgets.ts';
import { sharePlace, type SharedPlace } from '../support/shared-place.ts';
import { loadTool } from '../support/tools.ts';
import { type BenchRow, percentile, timingOf, type Timing } from './bench-row.ts';

const MEMORIES = 500;
const RUNS = Number(process.env['PUBLIC_RUNS'] ?? 5);
const PARTS = (process.env['PUBLIC_PARTS'] ?? 'ttfb,rate,lighthouse').split(',');
const PAGES_WANTED = process.env['PUBLIC_PAGES']?.split(',');
const FORMS_WANTED = process.env['PUBLIC_FORMS']?.split(',');
const ATTEMPTS = 3;
const WARM_UPS = 20;
const REQUESTS = 300;
const CONNECTIONS = 16;
const RATE_MS = 5_000;
const RATE_ROUNDS = 3;
const RATE_LEAST = 400;
const CONTENT_TTFB_MS = 20;
const DATABASE_TTFB_MS = 50;
/** Simulated phone. */
const LCP_MS = 1_200;
const TBT_MS = 50;

interface Audit {
  score: number | null;
  displayValue?: string;
  numericValue?: number;
  details?: { type: string; items: Record<string, unknown>[] };
}

interface Report {
  runtimeError?: { message: string };
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
}

interface Lighthouse {
  default: (url: string, flags: object, config?: object) => Promise<{ lhr: Report } | undefined>;
  desktopConfig: object;
}

interface LaunchedChrome {
  port: number;
  kill: () => void;
}

interface ChromeLauncher {
  launch: (options: object) => Promise<LaunchedChrome>;
}

/** Needs a build. */
export async function run(): Promise<BenchRow[]> {
  if (!existsSync(path.resolve(import.meta.dirname, '../../dist/client')))
    throw new Error('Build first: npm run build');
  const server = await startServerProcess({ env: { LOG_LEVEL: 'error' } });
  try {
    const place = await sharePlace(server.url, 'shore', MEMORIES);
    return [
      ...(PARTS.includes('ttfb') ? await firstBytes(server.url, place) : []),
      ...(PARTS.includes('rate') ? await rates(server.url, place) : []),
      ...(PARTS.includes('lighthouse') ? await scores(server.url, place) : []),
    ];
  } finally {
    await server.dispose();
  }
}

/** A row whose value must not exceed a budget. */
function budget(
  id: string,
  scenario: string,
  subject: Timing,
  { at, most }: { at: number; most: number },
): BenchRow {
  return {
    id,
    scenario,
    subject,
    reference: {
      name: 'budget',
      p50: most,
      p95: most,
    },
    ratio: at / most,
    target: `<= ${most}`,
    verdict: at <= most ? 'met' : 'missed',
  };
}

async function firstBytes(url: string, { space, thread, workspace }: SharedPlace): Promise<BenchRow[]> {
  const content = ['/', '/docs/offline-and-sync', '/blog/how-sync-works', '/pricing'];
  const database = [space, `${space}?page=2`, thread, workspace, '/explore'];
  const rows: BenchRow[] = [];
  for (const [pages, kind, most] of [
    [content, 'content page', CONTENT_TTFB_MS],
    [database, 'database page', DATABASE_TTFB_MS],
  ] as const) {
    for (const page of pages) {
      const subject = timingOf(await ttfb(url + page));
      rows.push(
        budget('P ttfb', `${kind} ${shortOf(page)}, first byte (p95)`, subject, { at: subject.p95, most }),
      );
    }
  }
  return rows;
}

/** Requests a second of sixteen connections for the space, in turns with a page that is served from memory alone. */
async function rates(url: string, { space }: SharedPlace): Promise<BenchRow[]> {
  const [ours, home]: [number[], number[]] = [[], []];
  for (let round = 0; round < RATE_ROUNDS; round += 1) {
    home.push(await perSecond(url));
    ours.push(await perSecond(url + space));
  }
  const [subject, constant] = [timingOf(ours), timingOf(home)];
  return [
    {
      id: 'P rate',
      scenario: `space of ${MEMORIES} memories, ${CONNECTIONS} connections`,
      subject,
      reference: {
        name: 'home page',
        ...constant,
      },
      unit: 'pages/s',
      ratio: subject.p50 / constant.p50,
      target: `>= ${RATE_LEAST}/s`,
      verdict: subject.p50 >= RATE_LEAST ? 'met' : 'missed',
    },
  ];
}

async function perSecond(address: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  await firstByte(address, agent);
  const begin = performance.now();
  let pages = 0;
  const visit = async () => {
    while (performance.now() < begin + RATE_MS) {
      await firstByte(address, agent);
      pages += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visit));
  agent.destroy();
  return (pages * 1_000) / (performance.now() - begin);
}

function shortOf(page: string): string {
  return page.replace(/\/thread_\w+/, '/{id}');
}

/** One visitor after the other on a connection that stands, as behind a proxy. */
async function ttfb(address: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const durations: number[] = [];
  for (let n = 0; n < WARM_UPS + REQUESTS; n += 1) {
    const duration = await firstByte(address, agent);
    if (n >= WARM_UPS) durations.push(duration);
  }
  agent.destroy();
  return durations;
}

/** Milliseconds until the body begins; answers once the body has ended. */
function firstByte(address: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'accept-encoding': 'gzip, deflate, br, zstd',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    };
    const begin = performance.now();
    let duration = Number.NaN;
    get(address, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${address} answered ${answer.statusCode}`));
      answer.once('data', () => {
        duration = performance.now() - begin;
      });
      answer
        .on('error', reject)
        .on('end', () => resolve(duration))
        .resume();
    }).on('error', reject);
  });
}

const FORMS = ['phone', 'desktop'] as const;

type Form = (typeof FORMS)[number];

interface Looker {
  /** Undefined when Lighthouse could not follow the page, however often it tried. */
  look(page: string, form: Form): Promise<Report | undefined>;
  close(): void;
}

/** Looks at pages with one browser, and with a fresh one after a failure. */
async function createLooker(url: string): Promise<Looker> {
  const { default: lighthouse, desktopConfig } = await loadTool<Lighthouse>('lighthouse');
  const { launch } = await loadTool<ChromeLauncher>('chrome-launcher');
  let chrome: LaunchedChrome | undefined;
  const close = () => {
    chrome?.kill();
    chrome = undefined;
  };
  const once = async (page: string, form: Form, { port }: LaunchedChrome): Promise<Report> => {
    const config = form === 'desktop' ? desktopConfig : undefined;
    const answer = await lighthouse(
      new URL(page, url).href,
      { port, logLevel: 'error', output: 'json' },
      config,
    );
    if (!answer || answer.lhr.runtimeError)
      throw new Error(answer?.lhr.runtimeError?.message ?? 'Lighthouse did not answer');
    return answer.lhr;
  };
  const browser = async (): Promise<LaunchedChrome> => {
    if (chrome) return chrome;
    chrome = await launch({
      chromePath: ensureChromium(),
      chromeFlags: ['--headless=new', '--disable-gpu', ...CHROMIUM_ARGS],
      logLevel: 'error',
    });
    // The first look of a browser pays for its start.
    await once('/', 'phone', chrome);
    return chrome;
  };
  return {
    close,
    async look(page, form) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        try {
          return await once(page, form, await browser());
        } catch (error) {
          // A trace without its beginning (NO_NAVSTART) and the like happen on a busy machine.
          console.warn(`${page}, ${form}, attempt ${attempt}: ${String(error)}`);
          close();
        }
      }
      return undefined;
    },
  };
}

const LINE =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Line</title><p>A line';

async function scores(url: string, { space, memory, thread }: SharedPlace): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const looker = await createLooker(url);
  const line = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(LINE)).listen(0);
  await once(line, 'listening');
  const pages = [
    ['line', 'page of one line', `http://localhost:${(line.address() as AddressInfo).port}`],
    ['home', 'home', '/'],
    ['docs', 'docs page', '/docs/offline-and-sync'],
    ['post', 'post', '/blog/how-sync-works'],
    ['explore', 'explore', '/explore'],
    ['space', `space of ${MEMORIES}`, space],
    ['memory', 'memory', memory],
    ['thread', 'thread', thread],
  ] as const;
  for (const [key, name, page] of pages.filter(([wanted]) => PAGES_WANTED?.includes(wanted) ?? true)) {
    for (const form of FORMS.filter((wanted) => FORMS_WANTED?.includes(wanted) ?? true)) {
      const reports: Report[] = [];
      for (let n = 0; n < RUNS; n += 1) {
        const report = await looker.look(page, form);
        if (report) reports.push(report);
      }
      rows.push(...(reports.length > 0 ? judged(name, form, reports) : [unseen(key, name, form)]));
    }
  }
  looker.close();
  line.close();
  return rows;
}

/** The other pages' rows stand beside it. */
function unseen(key: string, name: string, form: string): BenchRow {
  return {
    id: 'P score',
    scenario: `${name}, ${form}: Lighthouse could not look (PUBLIC_PAGES=${key})`,
    subject: {
      p50: 0,
      p95: 0,
    },
    unit: '',
    reference: {
      name: 'full marks',
      p50: 100,
      p95: 100,
    },
    ratio: 0,
    target: '100',
    verdict: 'missed',
  };
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function judged(name: string, form: string, reports: readonly Report[]): BenchRow[] {
  const where = `${name}, ${form}`;
  const valueOf = (audit: string): Timing => {
    const value = median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
    return { p50: value, p95: value };
  };
  const rows = [scoreRow(where, reports)];
  const [lcp, tbt, cls] = [
    valueOf('largest-contentful-paint'),
    valueOf('total-blocking-time'),
    valueOf('cumulative-layout-shift'),
  ];
  if (form === 'phone') {
    const scripts = scriptBytes(reports[0]);
    rows.push(
      budget('P lcp', `${where}: largest paint`, lcp, { at: lcp.p50, most: LCP_MS }),
      budget('P tbt', `${where}: blocking time`, tbt, { at: tbt.p50, most: TBT_MS }),
      {
        ...budget(
          'P js',
          `${where}: script on the wire`,
          { p50: scripts, p95: scripts },
          { at: scripts, most: SCRIPT_BUDGET },
        ),
        unit: 'bytes',
      },
    );
  }
  rows.push({
    id: 'P cls',
    scenario: `${where}: layout shift`,
    subject: cls,
    unit: '',
    reference: {
      name: 'budget',
      p50: 0,
      p95: 0,
    },
    ratio: cls.p50,
    target: '0',
    verdict: cls.p50 === 0 ? 'met' : 'missed',
  });
  return rows;
}

/** The lowest of the categories' medians; which audits were below full marks is printed as it is found. */
function scoreRow(where: string, reports: readonly Report[]): BenchRow {
  const categories = Object.keys(reports[0]?.categories ?? {});
  const medians = categories.map((category) => ({
    category,
    score: Math.round(100 * median(reports.map(({ categories: each }) => each[category]?.score ?? 0))),
  }));
  console.info(`${where}: ${medians.map(({ category, score }) => `${category} ${score}`).join(', ')}`);
  for (const { category, score } of medians) if (score < 100) console.info(weakSpots(category, reports[0]));
  const lowest = Math.min(...medians.map(({ score }) => score));
  return {
    id: 'P score',
    scenario: `${where}: lowest category`,
    subject: {
      p50: lowest,
      p95: lowest,
    },
    unit: '',
    reference: {
      name: 'full marks',
      p50: 100,
      p95: 100,
    },
    ratio: lowest / 100,
    target: '100',
    verdict: categories.length > 0 && lowest === 100 ? 'met' : 'missed',
  };
}

function weakSpots(category: string, report: Report | undefined): string {
  const audits = report?.categories[category]?.auditRefs ?? [];
  const weak = audits.flatMap(({ id, weight }) => {
    const { score, displayValue = '' } = report?.audits[id] ?? {};
    return weight > 0 && typeof score === 'number' && score < 1 ? [`${id} ${score} ${displayValue}`] : [];
  });
  return `  ${category}: ${weak.join(', ')}`;
}

/** What the scripts of one visit weighed on the wire. */
function scriptBytes(report: Report | undefined): number {
  const details = report?.audits['network-requests']?.details;
  const items = details?.type === 'table' ? details.items : [];
  return items
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize }) => sum + (typeof transferSize === 'number' ? transferSize : 0), 0);
}
