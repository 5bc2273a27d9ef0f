/** The row that every benchmark reports, the statistics it is made of, and the table that `npm run bench` prints. */

/** Median and 95th percentile of repeated runs, in milliseconds. */
export interface Timing {
  p50: number;
  p95: number;
}

/** One measured scenario beside its reference, judged against the target of the plan. */
export interface BenchRow {
  /** Row number of the benchmark plan and a word, such as `13 exact`. */
  id: string;
  scenario: string;
  subject: Timing;
  reference: Timing & { name: string };
  /** What `subject` and `reference` count, when it is not milliseconds. */
  unit?: string;
  ratio: number;
  /** In words, such as `<= 0.04x`. */
  target: string;
  verdict: 'met' | 'missed' | 'info';
}

/** What a benchmark module exports under the name `run`: all rows at its end, or some whenever they are known. */
export type BenchRun = () => Promise<BenchRow[]> | AsyncIterable<BenchRow[]>;

/** Measures one after the other. What fails costs its own rows only, and is thrown when the others are through. */
export async function* eachOf(
  measurements: Readonly<Record<string, () => Promise<BenchRow[]>>>,
): AsyncGenerator<BenchRow[]> {
  const failures: string[] = [];
  for (const [name, measure] of Object.entries(measurements)) {
    try {
      yield await measure();
    } catch (error) {
      console.error(error);
      failures.push(`${name} (${String(error).split('\n')[0] ?? ''})`);
    }
  }
  if (failures.length > 0) throw new Error(failures.join('; '));
}

/** The value below which the given share of the values lies (0.5 = median), by the nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const rank = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.max(0, Math.min(sorted.length - 1, rank))] ?? Number.NaN;
}

/** Median and 95th percentile of some durations. */
export function timingOf(durations: readonly number[]): Timing {
  return { p50: percentile(durations, 0.5), p95: percentile(durations, 0.95) };
}

/** Milliseconds that a call takes, awaiting its result. */
export async function timed(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** A row whose verdict follows from the ratio and the limit. */
export function judge(
  row: Omit<BenchRow, 'ratio' | 'target' | 'verdict'>,
  ratio: number,
  limit: number,
): BenchRow {
  return { ...row, ratio, target: `<= ${limit}x`, verdict: ratio <= limit ? 'met' : 'missed' };
}

/** A row whose reference is a fixed budget; `by` says which of our two numbers has to stay within it. */
export function judgeBudget(
  id: string,
  scenario: string,
  budget: { values: readonly number[]; limit: number; unit?: string; by?: keyof Timing },
): BenchRow {
  const subject = timingOf(budget.values);
  const by = budget.by ?? 'p95';
  const reference = { name: `budget (${by})`, p50: budget.limit, p95: budget.limit };
  const row = { id, scenario, subject, reference, ...(budget.unit ? { unit: budget.unit } : {}) };
  return judge(row, subject[by] / budget.limit, 1);
}

/** The rows as a Markdown table. */
export function formatTable(rows: readonly BenchRow[]): string {
  const head = ['#', 'scenario', 'ours p50 / p95', 'reference p50 / p95', 'ratio', 'target', 'verdict'];
  const body = rows.map((row) => [
    row.id,
    row.scenario,
    `${formatTiming(row.subject)} ${row.unit ?? 'ms'}`,
    `${row.reference.name} ${formatTiming(row.reference)} ${row.unit ?? 'ms'}`,
    `${formatNumber(row.ratio)}x`,
    row.target,
    row.verdict === 'missed' ? 'MISSED' : row.verdict,
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

function formatTiming({ p50, p95 }: Timing): string {
  return p50 === p95 ? formatNumber(p50) : `${formatNumber(p50)} / ${formatNumber(p95)}`;
}

function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}
