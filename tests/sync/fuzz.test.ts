/**
 * Checklist C1: random histories against the oracle. SEEDS, STEPS and SEED (the first one) in the environment make it
 * longer; `npm run fuzz`, which is a part of `npm test` in CI, plays as many and as long ones as the plan asks for.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PULL_STEPS } from '#server/sync/pull-steps.ts';
import { createSyncWorld } from '#tests/support/sync-world.ts';
import { CORPUS } from './fuzz-corpus.ts';
import { FuzzReplica } from './fuzz-replica.ts';
import { fuzzSeed, playHistory } from './fuzz-run.ts';
import type { FuzzHost } from './fuzz-world.ts';
import { Oracle } from './oracle.ts';

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const SEEDS = setting('SEEDS', 8);
const STEPS = setting('STEPS', 200);
const FIRST_SEED = setting('SEED', 1);
/** Histories under way at once, each in a database of its own: while one waits for PostgreSQL another computes. */
const LANES = setting('LANES', 2);

describe('pulls over random histories', () => {
  const hosts: FuzzHost[] = [];
  beforeAll(async () => {
    for (let lane = 0; lane < LANES; lane++) {
      const world = await createSyncWorld();
      const oracle = new Oracle(world.database.url);
      hosts.push({ world, oracle, steps: PULL_STEPS, watchEverything: false });
    }
  });
  afterAll(async () => {
    for (const { world, oracle } of hosts) {
      await oracle.close();
      await world.database.drop();
    }
  });
  const host = (): FuzzHost => {
    const [first] = hosts;
    if (first === undefined) throw new Error('no world was made');
    return first;
  };

  it.each(CORPUS)('still pass history $seed, which failed once', async ({ seed, steps }) => {
    await playHistory(host(), seed, steps);
  });

  it(
    `show each user exactly what the oracle says, in ${SEEDS} histories of ${STEPS} steps (C1, C6, C7, P5)`,
    async () => {
      const started = performance.now();
      const seeds = Array.from({ length: SEEDS }, (_, n) => FIRST_SEED + n);
      const play = async (lane: FuzzHost): Promise<void> => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
          await fuzzSeed(lane, seed, STEPS);
        }
      };
      await Promise.all(hosts.map(play));
      const seconds = Math.round((performance.now() - started) / 1_000);
      console.info(
        `${SEEDS} seeds x ${STEPS} steps in ${seconds} s: ${FuzzReplica.pulls} pulls, ` +
          `${FuzzReplica.comparisons} exact comparisons, ${FuzzReplica.sums} sums, 0 differences`,
      );
      expect(FuzzReplica.comparisons).toBeGreaterThan(SEEDS * 18);
      // The others are at a version in which nothing was theirs to see.
      expect(FuzzReplica.sums).toBeGreaterThan(SEEDS);
    },
    SEEDS * STEPS * 200 + 60_000,
  );

  it('name in deletions only keys that the user could once see', async () => {
    const watched = { ...host(), watchEverything: true };
    FuzzReplica.foreignDeletes = 0;
    for (let seed = 1_001; seed < 1_004; seed++) await fuzzSeed(watched, seed, 120);
    expect(FuzzReplica.foreignDeletes).toBe(0);
  }, 120_000);
});
