/**
 * Switching a list to another view, 50,000 memories: row 10 of the performance plan. The same selection and the same
 * elements from the replica and from a plain array of the same rows; only the way to the rows differs.
 */
import type { Page } from 'playwright-core';
import { parseListView, type ListView } from '#client/memories/list-view.ts';
import { judge, timingOf, type BenchRow } from './bench-row.ts';
import { fillWith } from './dashboard-data.ts';
import { openStage, sitDownWith, startOf } from './stage-runs.ts';

const MEMORIES = 50_000;
const ROUNDS = 25;
const LIMIT = 1.1;
const PLAIN_VIEW = parseListView(new URLSearchParams());

/** A space and a tag that hold many, so that both have fifty rows to show. */
async function viewsOf(page: Page): Promise<Record<string, ListView>> {
  const { spaceId, tag } = await page.evaluate(() => stage.largestGroups());
  return {
    space: { ...PLAIN_VIEW, space: [spaceId] },
    tag: { ...PLAIN_VIEW, tag: [tag] },
    sort: { ...PLAIN_VIEW, sort: 'title' },
  };
}

/** Runs the row for each kind of switch. */
export async function run(): Promise<BenchRow[]> {
  const sitting = await sitDownWith(fillWith(MEMORIES).fill);
  try {
    const page = await openStage(sitting);
    await startOf(page, MEMORIES);
    const views = await viewsOf(page);
    const measured = await page.evaluate(({ given, rounds }) => stage.measureSwitches(given, rounds), {
      given: [PLAIN_VIEW, ...Object.values(views)],
      rounds: ROUNDS,
    });
    return Object.keys(views).map((name, place) => {
      const { fromReplica = [], fromArray = [] } = measured[place] ?? {};
      const [subject, reference] = [timingOf(fromReplica), timingOf(fromArray)];
      const scenario = `list of ${MEMORIES} switched by ${name}, 50 rows in the page`;
      return judge(
        { id: `10 ${name}`, scenario, subject, reference: { name: 'the same from an array', ...reference } },
        subject.p50 / reference.p50,
        LIMIT,
      );
    });
  } finally {
    await sitting.end();
  }
}
