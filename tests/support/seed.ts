/**
 * The seed of everything that tests draw at random. It follows from what is committed: each change meets other histories
 * and values, and a run that failed fails again on any machine. SEED in the environment takes its place.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Of a copy without its history. */
const WITHOUT_GIT = 1;

/** A whole number from 0 to 2^28 - 1, the first digits of the committed tree. */
function seedOfTree(): number {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : WITHOUT_GIT;
}

// Kept in the environment, which the processes of a run share, so that git is asked once.
process.env['SEED'] ??= String(seedOfTree());

export const SEED = Number(process.env['SEED']);
if (!Number.isSafeInteger(SEED))
  throw new Error(`SEED has to be a whole number, not ${process.env['SEED']}.`);
