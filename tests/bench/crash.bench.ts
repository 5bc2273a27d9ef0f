/** Row 21 of the performance plan: twenty kills in the middle of writing, and how many acknowledged rows they cost. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { crashRounds } from '../support/crash-rounds.ts';
import { endDatabase } from '../support/server-process.ts';
import type { BenchRow } from './bench-row.ts';

/** In two of three the database server dies with the program. */
const ROUNDS = Array.from({ length: 20 }, (_, round) => round % 3 !== 0);

/** Runs row 21 on a data folder of its own. */
export async function run(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-crash-'));
  chmodSync(dataDir, 0o711);
  try {
    const { acknowledged, lost, checksumFailures } = await crashRounds(dataDir, ROUNDS);
    const total = acknowledged.reduce((sum, count) => sum + count, 0);
    const faults = lost.length + checksumFailures;
    return [
      {
        id: '21',
        scenario: `acknowledged rows lost, pages damaged, in ${ROUNDS.length} kills -9 while writing`,
        subject: { p50: faults, p95: faults },
        reference: { name: 'acknowledged rows', p50: total, p95: total },
        unit: 'rows',
        ratio: faults / total,
        target: '0',
        verdict: faults === 0 ? 'met' : 'missed',
      },
    ];
  } finally {
    await endDatabase(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
