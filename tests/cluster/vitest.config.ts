/** Tests on a Citus cluster; tests/cluster/run.ts says which. */
import path from 'node:path';
import { defineConfig } from 'vitest/config';

process.env['NODE_COMPILE_CACHE'] ??= path.resolve(
  import.meta.dirname,
  '../../node_modules/.cache/server-code',
);
// A cluster shares the machine with the tests, and each statement passes two servers.
process.env['LOCI_PATIENCE'] ??= '20';

const root = path.resolve(import.meta.dirname, '../..');
const LIMIT_MS = 900_000;

const common = {
  environment: 'node',
  isolate: false,
  restoreMocks: true,
  setupFiles: ['tests/support/production-mode.ts'],
  expect: { poll: { timeout: 60_000 } },
  testTimeout: LIMIT_MS,
  hookTimeout: LIMIT_MS,
};

export default defineConfig({
  root,
  test: {
    maxWorkers: 1,
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      { root, test: { ...common, name: 'operation', include: ['tests/cluster/**/*.test.ts'] } },
      {
        root,
        test: {
          ...common,
          name: 'product',
          include: ['tests/server/**/*.test.ts', 'tests/sync/**/*.test.ts'],
          globalSetup: 'tests/support/global-citus.ts',
        },
      },
    ],
  },
});
