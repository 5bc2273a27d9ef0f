/**
 * From one screen to another through the server: from the
 * start of a push until a second client, told by the poke stream, has pulled the row. The browser's share is not in it.
 */
import { SYNC } from '#shared/sync/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { poke } from '#shared/sync/protocol.ts';
import { timed, timingOf, type BenchRow } from './bench-row.ts';
import { openBenchWorld, seedWorkspace, type BenchWorld } from './bench-world.ts';

const SAMPLES = 100;
const ROWS = 10_000;
const MEDIAN_BUDGET_MS = 150;
const SLOW_BUDGET_MS = 500;

/** Seeds a workspace and measures. */
export async function run(): Promise<BenchRow[]> {
  const world = await openBenchWorld();
  try {
    const realmId = await seedWorkspace(world, { slug: 'screens', count: ROWS });
    const subject = timingOf(await crossings(world, realmId));
    const isMet = subject.p50 <= MEDIAN_BUDGET_MS && subject.p95 <= SLOW_BUDGET_MS;
    return [
      {
        id: '20 poke',
        scenario: `write on one screen → row on another, ${ROWS} rows`,
        subject,
        reference: {
          name: 'budget',
          p50: MEDIAN_BUDGET_MS,
          p95: SLOW_BUDGET_MS,
        },
        ratio: subject.p50 / MEDIAN_BUDGET_MS,
        target: '<= 1x at p50 and p95',
        verdict: isMet ? 'met' : 'missed',
      },
    ];
  } finally {
    await world.close();
  }
}

async function call(world: BenchWorld, path: string, body: object): Promise<string> {
  const response = await fetch(`${world.url}/v1/sync/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ schemaVersion: SYNC.schemaVersion, profileID: 'bench', ...body }),
  });
  if (!response.ok) throw new Error(`sync answered ${response.status}`);
  return response.text();
}

/** The second screen: where it stands, and how it catches up. */
async function openScreen(world: BenchWorld, realmId: string) {
  let cookie: unknown = null;
  const pull = async (): Promise<string> => {
    const text = await call(world, `${realmId}/pull`, { pullVersion: 1, clientGroupID: 'screen-b', cookie });
    const answer: { cookie: unknown } = JSON.parse(text);
    cookie = answer.cookie;
    return text;
  };
  while ((await pull()).includes('"done":false'));
  return pull;
}

async function crossings(world: BenchWorld, realmId: Id<'workspace'>): Promise<number[]> {
  const pull = await openScreen(world, realmId);
  const pokes = await pokesOf(world, realmId);
  const durations: number[] = [];
  for (let n = 1; n <= SAMPLES; n++) {
    const id = newId('memory');
    const args = { id, at: new Date().toISOString(), origin: 'manual_entry', title: `sample ${n}` };
    const mutation = { clientID: 'screen-a', id: n, name: 'memory.create', args, timestamp: 0 };
    durations.push(
      await timed(async () => {
        const push = { pushVersion: 1, clientGroupID: 'screen-a', mutations: [mutation] };
        const pushed = call(world, `${realmId}/push`, push);
        do await pokes();
        while (!(await pull()).includes(id));
        await pushed;
      }),
    );
  }
  return durations;
}

/** Opens the stream; each call of the result waits for the next poke of the realm. */
async function pokesOf(world: BenchWorld, realmId: string): Promise<() => Promise<void>> {
  const response = await fetch(`${world.url}/v1/sync/poke`, {
    headers: { authorization: `Bearer ${world.token}` },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        if (!block.startsWith('data: ')) continue;
        if (poke.parse(JSON.parse(block.slice(6))).realm === realmId) return;
      } else {
        const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
        if (done) throw new Error('the stream of pokes ended');
        text += value;
      }
    }
  };
}
