/**
 * Two hundred captures of what a web site can do to a reader, beside the ordinary use of another person: what each of
 * that person's calls takes with and without them, and what became of the captures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { CAPTURE } from '#shared/capture/limits.ts';
import { page, redirect, serveSite, type LocalSite } from '../support/local-site.ts';
import { joinServer, listMemories, type Person } from '../support/person.ts';
import { startServerProcess } from '../support/server-process.ts';
import { memoryOf, openFilesOf } from './process-use.ts';
import { judge, timed, timingOf, type BenchRow } from './bench-row.ts';

const CAPTURES = 200;
/** One session may save thirty pages a minute. */
const SENDERS = 8;
/** Rounds of ordinary use before the captures; during them it goes on until they are through. */
const ROUNDS = 40;
/** Faster, the person would meet the limit of calls before the captures are through. */
const PAUSE_MS = 1_000;
const LIMIT_MS = 20 * 60_000;
const SLOW_MS = 1_000;

const SECRET = 'what only this machine may know';
const PROSE = 'Barnacles glue themselves to rock head first and kick food into their mouths. '.repeat(20);
const deep = (element: string, times: number) =>
  `<html><body>${`<${element}>`.repeat(times)}${PROSE}</body></html>`;

type Listener = Parameters<typeof serveSite>[0][string];

/** A page of which a little comes every second. */
const dripping: Listener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const timer = setInterval(() => response.write('<p>still more</p>'), SLOW_MS);
  response.on('close', () => clearInterval(timer));
};

const HOSTILE: Readonly<Record<string, Listener>> = {
  '/bomb': page(gzipSync(Buffer.alloc(100 * CAPTURE.pageBytesMax, 'a')), { 'content-encoding': 'gzip' }),
  '/huge': page(Buffer.alloc(CAPTURE.pageBytesMax + 1, 'a')),
  '/loop': redirect('/loop'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/to-script': redirect(`javascript:alert('${SECRET}')`),
  '/dripping': dripping,
  '/silent': () => undefined,
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
    response.write('<p>half');
    response.destroy();
  },
  '/packed-lie': page('not packed at all', { 'content-encoding': 'gzip' }),
  '/type-lie': page(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0])),
  '/picture-lie': page('<script>alert(1)</script>', { 'content-type': 'image/png' }),
  '/deep': page(deep('div', 200_000)),
  '/tables': page(deep('table><tr><td', 50_000)),
  '/attributes': page(`<html><body ${'a=1 '.repeat(500_000)}>${PROSE}</body></html>`),
  '/many': page(`<html><body>${'<p>a</p>'.repeat(400_000)}</body></html>`),
  '/entities': page(`<html><body><article>${'&amp;'.repeat(1_000_000)}</article></body></html>`),
  '/headers': page(PROSE, { 'x-long': 'a'.repeat(15_000) }),
  '/article': page(
    `<html><head><title>Tides</title></head><body><article><p>${PROSE}</p></article></body></html>`,
  ),
};

/** What a person does all day: lists, searches, opens and saves. */
async function ordinaryUse({ api, workspaceId }: Person, spent: number[]): Promise<void> {
  const list = async () => {
    const { result } = await api('memory.list', { params: { workspaceId }, query: { perPage: 50 } });
    return result;
  };
  let first = '';
  spent.push(await timed(async () => (first = (await list())[0]?.id ?? '')));
  spent.push(
    await timed(() =>
      api('memory.create', { body: { workspaceId, notes: `Harbour ${spent.length} and ${first}` } }),
    ),
  );
  spent.push(await timed(() => api('space.list', { params: { workspaceId } })));
  spent.push(await timed(() => api('tag.list', { params: { workspaceId } })));
  await sleep(PAUSE_MS);
}

/** Saves every hostile address again and again until there are enough. */
async function sendCaptures(senders: readonly Person[], site: LocalSite): Promise<void> {
  const paths = Object.keys(HOSTILE);
  for (let n = 0; n < CAPTURES; n += 1) {
    const sender = senders[n % senders.length];
    if (!sender) throw new Error('there is no sender');
    // Each kind has a host of its own: of one host, pages are fetched one after the other.
    const kind = n % paths.length;
    const url = `${site.url.replace('127.0.0.1', `127.0.0.${kind + 2}`)}${paths[kind] ?? '/'}?n=${n}`;
    await sender.api('memory.create', { body: { workspaceId: sender.workspaceId, url } });
  }
}

/** Threads that are not needed end after a while. */
const LEFT_AFTER_MS = 60_000;
/** A process that is warm has more open and in memory than one that has just begun. */
const LEFT_RATIO = { processes: 1, files: 1.2, memory: 2 } as const;

/** What the server has of the machine, without the database. */
function holdingsOf(pid: number) {
  const processes = memoryOf([pid]).filter(({ name }) => !name.startsWith('postgres'));
  const bytes = processes.reduce((sum, { pss }) => sum + pss, 0);
  return { processes: processes.length, files: openFilesOf([pid]), memory: Math.round(bytes / 1e6) };
}

interface Outcome {
  /** Neither ended nor waiting for another attempt. */
  open: number;
  leaks: number;
}

async function outcomeOf(senders: readonly Person[]): Promise<Outcome> {
  const rows = (await Promise.all(senders.map((sender) => listMemories(sender)))).flat();
  const isOpen = ({ contentStatus, metadata }: (typeof rows)[number]) =>
    contentStatus === 'processing' ||
    (contentStatus === 'pending' && Object(metadata)['nextTryAt'] === undefined);
  return {
    open: rows.filter(isOpen).length + CAPTURES - rows.length,
    leaks: rows.filter((row) => JSON.stringify(row).includes('root:') || JSON.stringify(row).includes(SECRET))
      .length,
  };
}

/** Measures ordinary use alone, and then beside the captures. */
export async function run(): Promise<BenchRow[]> {
  const server = await startServerProcess({ env: { EGRESS: 'private', LOCI_PATIENCE: '1' } });
  const site = await serveSite(HOSTILE, '0.0.0.0');
  try {
    const ada = await joinServer(server.url, 'ada');
    const senders: Person[] = [];
    for (let n = 0; n < SENDERS; n += 1) senders.push(await joinServer(server.url, `sender${n}`));
    const [alone, beside]: [number[], number[]] = [[], []];
    // What is compiled and loaded on the first calls is not counted.
    for (let round = 0; round < 10; round += 1) await ordinaryUse(ada, []);
    for (let round = 0; round < ROUNDS; round += 1) await ordinaryUse(ada, alone);
    const held = holdingsOf(server.pid);
    const begin = performance.now();
    let isOver = false;
    const goOn = async () => {
      while (!isOver) await ordinaryUse(ada, beside);
    };
    const captures = async () => {
      await sendCaptures(senders, site);
      let outcome = await outcomeOf(senders);
      while (outcome.open > 0 && performance.now() - begin < LIMIT_MS) {
        await sleep(1_000);
        outcome = await outcomeOf(senders);
      }
      isOver = true;
      return outcome;
    };
    const [outcome] = await Promise.all([captures(), goOn()]).catch((cause: unknown) => {
      throw new Error(`The server said:\n${server.output().slice(-4_000)}`, { cause });
    });
    await sleep(LEFT_AFTER_MS);
    const left = holdingsOf(server.pid);
    const [reference, subject] = [timingOf(alone), timingOf(beside)];
    const seconds = Math.round((performance.now() - begin) / 1_000);
    const faults = outcome.open + outcome.leaks;
    return [
      judge(
        {
          id: 'capture use',
          scenario: `a person's calls beside ${CAPTURES} hostile captures (${seconds} s)`,
          subject,
          reference: {
            name: 'the same alone',
            ...reference,
          },
        },
        subject.p95 / reference.p95,
        2,
      ),
      {
        id: 'capture end',
        scenario: `of ${CAPTURES} hostile captures: without an end, or with what is not theirs`,
        subject: {
          p50: faults,
          p95: faults,
        },
        unit: 'captures',
        ratio: faults / CAPTURES,
        target: '0',
        reference: {
          name: 'captures',
          p50: CAPTURES,
          p95: CAPTURES,
        },
        verdict: faults === 0 ? 'met' : 'missed',
      },
      ...(['processes', 'files', 'memory'] as const).map((what) =>
        judge(
          {
            id: `capture ${what}`,
            scenario: `${what} of the server, ${LEFT_AFTER_MS / 1_000} s after the captures`,
            subject: { p50: left[what], p95: left[what] },
            unit: what === 'memory' ? 'MB' : what,
            reference: { name: 'before them', p50: held[what], p95: held[what] },
          },
          left[what] / held[what],
          LEFT_RATIO[what],
        ),
      ),
    ];
  } finally {
    await site.close();
    await server.dispose();
  }
}
