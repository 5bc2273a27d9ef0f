/**
 * What it costs to have a replica on the device: rows 3, 4 and 7 of the performance plan. Row 3 is the product from an
 * empty device to everything written; rows 4 and 7 are Replicache alone on the product's storage.
 */
import { judge, timingOf, type BenchRow } from './bench-row.ts';
import { durableSince, inBarePage, openStage, pagesOf, sitDownWith, startOf } from './stage-runs.ts';
import { syntheticHeads } from './synthetic-heads.ts';

const MEMORIES = 50_000;
const ROUNDS = 3;
/** Replicache keeps 100 MiB of chunks in memory; the larger size is beyond that. */
const LARGER = 2 * MEMORIES;

interface Round {
  toDurable: number;
  putEach: number;
  persist: number;
  packed: number;
  half: number;
  whole: number;
}

type Rows = ReturnType<typeof syntheticHeads>;

async function measureRound(rows: Rows, pages: Map<string, string>, addresses: string[]): Promise<Round> {
  const sitting = await sitDownWith((server) => server.put('memory', ...rows.slice(0, MEMORIES)), pages);
  const half = addresses.slice(0, addresses.length / 2);
  /** Milliseconds for each row of a second reading of all rows, in a page that has just begun. */
  const secondPass = async (name: string, count: number) => {
    const { took, rows: found } = await inBarePage(sitting, (page) =>
      page.evaluate((given) => stage.bareReplica.secondPass(given), name),
    );
    if (found !== count) throw new Error(`${found} rows were read instead of ${count}`);
    return took / count;
  };
  try {
    const putEach = await inBarePage(sitting, (page) =>
      page.evaluate((given) => stage.references.putEach(given), half),
    );
    const packed = await inBarePage(sitting, (page) =>
      page.evaluate((given) => stage.references.writePacked(given), half),
    );
    const page = await openStage(sitting);
    const toDurable = await durableSince(page);
    await startOf(page, MEMORIES);
    await page.close();
    const persist = await inBarePage(sitting, (page) =>
      page.evaluate((given) => stage.bareReplica.persist('half', given), half),
    );
    await inBarePage(sitting, (page) =>
      page.evaluate((given) => stage.bareReplica.persist('whole', given), addresses),
    );
    return {
      ...{ toDurable, putEach, persist, packed },
      half: await secondPass('half', MEMORIES),
      whole: await secondPass('whole', LARGER),
    };
  } finally {
    await sitting.end();
  }
}

/** Runs the rows. */
export async function run(): Promise<BenchRow[]> {
  const rows = syntheticHeads(LARGER);
  const pages = pagesOf(rows);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push(await measureRound(rows, pages, [...pages.keys()]));
  const of = (name: keyof Round) => timingOf(rounds.map((round) => round[name]));
  const beside = (
    row: { id: string; scenario: string },
    ours: keyof Round,
    theirs: { name: string; of: keyof Round; limit: number },
  ) =>
    judge(
      { ...row, subject: of(ours), reference: { name: theirs.name, ...of(theirs.of) } },
      of(ours).p50 / of(theirs.of).p50,
      theirs.limit,
    );
  return [
    beside({ id: '3', scenario: `cold device to durable, ${MEMORIES} memories` }, 'toDurable', {
      ...{ name: 'raw put per row', of: 'putEach', limit: 0.5 },
    }),
    beside({ id: '4', scenario: `persist alone, ${MEMORIES} memories` }, 'persist', {
      ...{ name: 'raw packed write', of: 'packed', limit: 2 },
    }),
    beside({ id: '7', scenario: `second full pass at ${LARGER}, for each row` }, 'whole', {
      ...{ name: `at ${MEMORIES}`, of: 'half', limit: 1.5 },
    }),
  ];
}
