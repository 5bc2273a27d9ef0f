/**
 * `npm run bench`: runs every `*.bench.ts` beside this file and prints one table. Names given on the command line
 * choose modules (`npm run bench -- search`). Ends with 1 when a target is missed or a module fails.
 */
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { formatTable, type BenchRow, type BenchRun } from './bench-row.ts';

const chosen = process.argv.slice(2);
const modules = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => chosen.length === 0 || chosen.some((name) => file.startsWith(name)));

const rows: BenchRow[] = [];
let failed = modules.length === 0;
for (const file of modules) {
  console.info(`running ${file}`);
  try {
    const module: { run: BenchRun } = await import(path.join(import.meta.dirname, file));
    rows.push(...(await module.run()));
  } catch (error) {
    failed = true;
    console.error(`${file} failed`, error);
  }
}

const processors = cpus();
console.info(
  `\n${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}\n`,
);
console.info(formatTable(rows));
process.exitCode = failed || rows.some((row) => row.verdict === 'missed') ? 1 : 0;
