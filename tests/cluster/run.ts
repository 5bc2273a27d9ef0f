/**
 * `npm run cluster`: the product on a Citus cluster of this machine. First its own tests, in databases whose tables are
 * spread over two workers; then the operation of a cluster: placing, a crash, a rebalance, a backup. `CLIENTS` says how
 * many devices write meanwhile.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findCitus } from '#tests/support/citus-cluster.ts';

/**
 * Tests of the product that cover its statements; the others test what does not differ. Those that plant triggers, or look at
 * the guard triggers, cannot run here.
 */
const PRODUCT = [
  ...'account-data accounts guests invite-answers invites key-spaces memories notifications people'.split(
    ' ',
  ),
  ...'public-calls publishing published-texts purge reports search sharing-matrix spaces taken-ids taken-slugs'.split(
    ' ',
  ),
  ...'thread-answers usage-by-key visibility visitor-questions webhooks workspaces'.split(' '),
].map((name) => `tests/server/${name}.test.ts`);
/** Every call and mutator as strangers, removed members, guests, and with the ids of others. */
const CONTRACT = 'calls credentials document isolation isolation-mutators protocol'
  .split(' ')
  .map((name) => `tests/server/contract/${name}.test.ts`);
const SYNC = 'access changes convergence duplicates fuzz heads lost-access many sidebar'
  .split(' ')
  .map((name) => `tests/sync/${name}.test.ts`);

try {
  findCitus();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

const root = path.resolve(import.meta.dirname, '../..');
const test = (project: string, files: readonly string[]): boolean =>
  spawnSync('vitest', ['run', '--config=tests/cluster/vitest.config.ts', `--project=${project}`, ...files], {
    cwd: root,
    stdio: 'inherit',
  }).status === 0;

const passed = [test('operation', []), test('product', [...SYNC, ...PRODUCT, ...CONTRACT])];
process.exit(passed.every(Boolean) ? 0 : 1);
