/**
 * What it costs to have a replica on the device: rows 3, 4 and 7 of the performance plan. Row 3 is the product from an
 * empty device to everything written; rows 4 and 7 are Replicache alone on the product's storage.
 */
import { judge, timingOf, type BenchRow } from './bench-row.ts';
import { durableSince, inBarePage, openStage, pagesOf, sitDownWith, startOf } from './stage-runs.ts';
import { syntheticHeads } from './synthetic-heads.ts';

const MEMORIES = 50_000;
const ROUNDS = 2;
const PASSES = 3;
/** Replicache keeps 100 MiB of chunks in memory; the larger size is beyond that. */
const LARGER = 2 * MEMORIES;

interface Written {
  toDurable: number;
  putEach: number;
  persist: number;
  packed: number;
}

/** Rows 3 and 4 on a new device. */
async function measureWriting(rows: Rows, pages: Map<string, string>): Promise<Written> {
  const sitting = await sitDownWith((server) => server.put('memory', ...rows), pages);
  const addresses = [...pages.keys()];
  try {
    const references = await inBarePage(sitting, async (page) => ({
      putEach: await page.evaluate((given) => stage.references.putEach(given), addresses),
      packed: await page.evaluate((given) => stage.references.writePacked(given), addresses),
    }));
    const page = await openStage(sitting);
    const toDurable = await durableSince(page);
    await startOf(page, rows.length);
    await page.close();
    const persist = await inBarePage(sitting, (bare) =>
      bare.evaluate((given) => stage.bareReplica.persist('all', given), addresses),
    );
    return { toDurable, persist, ...references };
  } finally {
    await sitting.end();
  }
}

type Rows = ReturnType<typeof syntheticHeads>;

/** Row 7: milliseconds for each row of a second reading of all rows, in pages that have just begun, for two sizes. */
async function measurePasses(pages: Map<string, string>): Promise<{ half: number[]; whole: number[] }> {
  const sitting = await sitDownWith(() => undefined, pages);
  const addresses = [...pages.keys()];
  const sizes = { half: MEMORIES, whole: LARGER };
  const results = { half: new Array<number>(), whole: new Array<number>() };
  try {
    for (const name of ['half', 'whole'] as const) {
      const part = addresses.slice(0, (addresses.length * sizes[name]) / LARGER);
      await inBarePage(sitting, (page) =>
        page.evaluate((given) => stage.bareReplica.persist(given.name, given.part), { name, part }),
      );
    }
    for (let pass = 0; pass < PASSES; pass += 1) {
      for (const name of ['half', 'whole'] as const) {
        const { took, rows } = await inBarePage(sitting, (page) =>
          page.evaluate((given) => stage.bareReplica.secondPass(given), name),
        );
        if (rows !== sizes[name]) throw new Error(`${rows} rows were read instead of ${sizes[name]}`);
        results[name].push(took / rows);
      }
    }
    return results;
  } finally {
    await sitting.end();
  }
}

/** One row: ours beside its reference, by medians. */
function beside(
  row: { id: string; scenario: string },
  ours: readonly number[],
  theirs: { name: string; values: readonly number[]; limit: number },
): BenchRow {
  const [subject, reference] = [timingOf(ours), timingOf(theirs.values)];
  const ratio = subject.p50 / reference.p50;
  return judge({ ...row, subject, reference: { name: theirs.name, ...reference } }, ratio, theirs.limit);
}

/** Runs the rows. */
export async function* run(): AsyncGenerator<BenchRow[]> {
  const rows = syntheticHeads(LARGER);
  const some = rows.slice(0, MEMORIES);
  const pages = pagesOf(some);
  const rounds: Written[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureWriting(some, pages));
  const all = (name: keyof Written) => rounds.map((round) => round[name]);
  yield [
    beside({ id: '3', scenario: `cold device to durable, ${MEMORIES} memories` }, all('toDurable'), {
      name: 'raw put per row',
      values: all('putEach'),
      limit: 0.5,
    }),
    beside({ id: '4', scenario: `persist alone, ${MEMORIES} memories` }, all('persist'), {
      name: 'raw packed write',
      values: all('packed'),
      limit: 2,
    }),
  ];
  const { half, whole } = await measurePasses(pagesOf(rows));
  yield [
    beside({ id: '7', scenario: `second full pass at ${LARGER}, for each row` }, whole, {
      name: `at ${MEMORIES}`,
      values: half,
      limit: 1.5,
    }),
  ];
}
