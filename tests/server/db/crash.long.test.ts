/** Kill -9 in the middle of writing: every acknowledged row must be there afterwards. `npm run bench` has more rounds. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { crashRounds } from '#tests/support/crash-rounds.ts';
import { endDatabase } from '#tests/support/server-process.ts';

let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-crash-'));
  chmodSync(dataDir, 0o711);
});

afterEach(async () => {
  await endDatabase(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

it('loses no acknowledged row, whether the app alone dies or the database server with it', async () => {
  const { acknowledged, lost, checksumFailures } = await crashRounds(dataDir, [
    false,
    true,
    true,
    false,
    true,
  ]);
  expect(Math.min(...acknowledged)).toBeGreaterThan(10);
  expect(lost).toEqual([]);
  expect(checksumFailures).toBe(0);
});
