/**
 * One part of the benchmarks in a process of its own, started by run.ts with the name of the part: sends rows as they
 * come and says at the end whether the part ran through.
 */
import path from 'node:path';
import type { BenchRow, BenchRun } from './bench-row.ts';

/** What a part tells who started it. */
export type PartMessage = { rows: BenchRow[] } | { failed: string } | { done: true };

function tell(message: PartMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) throw new Error('Start this through run.ts: npm run bench -- PART');
    process.send(message, undefined, {}, (error) => (error ? reject(error) : resolve()));
  });
}

async function runPart(part: string): Promise<void> {
  const module: { run: BenchRun } = await import(path.join(import.meta.dirname, `${part}.bench.ts`));
  const running = module.run();
  if (!(Symbol.asyncIterator in running)) return tell({ rows: await running });
  for await (const rows of running) await tell({ rows });
}

try {
  await runPart(process.argv[2] ?? '');
  await tell({ done: true });
} catch (error) {
  console.error(error);
  await tell({ failed: String(error).split('\n')[0] ?? '' });
}
// Whatever a part left open must not keep the others waiting.
process.exit(0);
