/**
 * A pull that has nothing to bring costs the same in a small
 * and in a large workspace. PULL_SIZES=1000,50000,500000 measures the sizes of the plan, which take long to fill.
 */
import { judge, timed, timingOf, type BenchRow } from './bench-row.ts';
import { openBenchWorld, seedWorkspace } from './bench-world.ts';
import { pullAll, pullText } from './pulls.ts';

const SIZES = (process.env['PULL_SIZES'] ?? '1000,10000,50000').split(',').map(Number);
const PULLS = 200;
const WARM_UP = 20;
const BUDGET_MS = 10;

/** Seeds three workspaces and pulls from them in turns. */
export async function run(): Promise<BenchRow[]> {
  const world = await openBenchWorld();
  try {
    world.routes.get('/bench/select-1', async (_req, res) => {
      await world.context.pool.query('select 1');
      res.json({ ok: true });
    });
    const places: { size: number; realmId: string; cookie: unknown; durations: number[] }[] = [];
    for (const size of SIZES) {
      const realmId = await seedWorkspace(world, { slug: `size-${size}`, count: size });
      // The largest workspace is beyond what a replica holds; its cookie is made by reading all of it once.
      const { cookie } = await pullAll(world, realmId);
      places.push({ size, realmId, cookie, durations: [] });
    }
    const selects: number[] = [];
    for (let n = -WARM_UP; n < PULLS; n += 1) {
      for (const { realmId, cookie, durations } of places) {
        const took = await timed(() => pullText(world, realmId, cookie));
        if (n >= 0) durations.push(took);
      }
      const took = await timed(async () => (await fetch(`${world.url}/bench/select-1`)).text());
      if (n >= 0) selects.push(took);
    }
    const [small, ...larger] = places.map(({ size, durations }) => ({ size, timing: timingOf(durations) }));
    if (!small) throw new Error('Nothing was measured');
    const largest = larger.at(-1) ?? small;
    const flat = larger.map(({ size, timing }) =>
      judge(
        {
          id: 'S6 flat',
          scenario: `no-change pull, ${size} beside ${small.size} memories (median)`,
          subject: timing,
          reference: {
            name: `${small.size} memories`,
            ...small.timing,
          },
        },
        timing.p50 / small.timing.p50,
        2,
      ),
    );
    const select = { name: 'select 1 over HTTP', ...timingOf(selects) };
    const budget = { name: 'budget', p50: BUDGET_MS, p95: BUDGET_MS };
    const scenario = `no-change pull over HTTP, ${largest.size} memories`;
    return [
      ...flat,
      judge(
        { id: '15', scenario: `${scenario} (median)`, subject: largest.timing, reference: select },
        largest.timing.p50 / select.p50,
        1.3,
      ),
      judge(
        { id: 'S6 p95', scenario: `${scenario} (p95)`, subject: largest.timing, reference: budget },
        largest.timing.p95 / BUDGET_MS,
        1,
      ),
    ];
  } finally {
    await world.close();
  }
}
