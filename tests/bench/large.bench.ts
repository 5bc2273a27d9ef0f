/**
 * Four times as many memories, without their texts: row 22 of the performance plan, which is rows 1, 5, 6 and 9 at 200,000
 * beside 50,000. What must not grow with the size is judged at 1.1x, the reading of all rows at 4.4x.
 */
import { judge, timingOf, type BenchRow } from './bench-row.ts';
import { durableSince, measureEdits, openStage, sitDownWith, startOf } from './stage-runs.ts';
import { syntheticHeads } from './synthetic-heads.ts';

const USUAL = 50_000;
/** LARGE_MEMORIES makes it smaller on a weak machine. */
const LARGE = Number(process.env['LARGE_MEMORIES'] ?? 4 * USUAL);
const ROUNDS = 2;

type Stub = ReturnType<typeof syntheticHeads>[number];

interface Round {
  coldFifty: number;
  warmFifty: number;
  warmAll: number;
  edits: number[];
}

/** What a list needs of each memory, half a kilobyte. */
function stubs(count: number): Stub[] {
  return syntheticHeads(count).map((head) => ({
    ...head,
    summary: null,
    notes: null,
    bodyHash: null,
    bodyBytes: 0,
  }));
}

async function measureRound(rows: readonly Stub[]): Promise<Round> {
  const sitting = await sitDownWith((server) => {
    // In parts, because a call takes only so many arguments.
    for (let at = 0; at < rows.length; at += USUAL) server.put('memory', ...rows.slice(at, at + USUAL));
  });
  try {
    const page = await openStage(sitting);
    const cold = await startOf(page, rows.length);
    await durableSince(page);
    await page.close();
    const again = await openStage(sitting);
    const warm = await startOf(again, rows.length);
    const edits = await measureEdits(again);
    return { coldFifty: cold.fifty, warmFifty: warm.fifty, warmAll: warm.all, edits };
  } finally {
    await sitting.end();
  }
}

/** Runs the rows of both sizes by turns. */
export async function run(): Promise<BenchRow[]> {
  const all = stubs(LARGE);
  // The newest of the same rows.
  const some = all.slice(0, USUAL);
  const [large, usual]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    usual.push(await measureRound(some));
    large.push(await measureRound(all));
  }
  const row = (
    id: string,
    scenario: string,
    of: { values(round: Round): number[]; limit: number; by?: 'p95' },
  ) => {
    const [subject, reference] = [large, usual].map((rounds) => timingOf(rounds.flatMap(of.values)));
    if (!subject || !reference) throw new Error('Nothing was measured');
    const by = of.by ?? 'p50';
    const name = `${USUAL} of them`;
    return judge(
      {
        id: `22 (${id})`,
        scenario: `${LARGE} short memories: ${scenario}`,
        subject,
        reference: { name, ...reference },
      },
      subject[by] / reference[by],
      of.limit,
    );
  };
  return [
    row('1', 'first 50 rows on a cold device', { values: ({ coldFifty }) => [coldFifty], limit: 1.1 }),
    row('5', 'warm start, first 50 rows', { values: ({ warmFifty }) => [warmFifty], limit: 1.1 }),
    row('6', 'warm start, all rows', { values: ({ warmAll }) => [warmAll], limit: (1.1 * LARGE) / USUAL }),
    row('9', 'mutate to painted, 20 lists (p95)', { values: ({ edits }) => edits, limit: 1.1, by: 'p95' }),
  ];
}
