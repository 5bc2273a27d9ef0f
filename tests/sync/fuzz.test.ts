/**
 * Random histories against the oracle: `npm test` plays the corpus and a few of always the same seeds, the long run and
 * `npm run fuzz` more, longer and new ones. SEED in the environment plays the histories from that seed on.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { PULL_STEPS } from '#server/sync/pull-steps.ts';
import { SEED } from '#tests/support/seed.ts';
import { createSyncWorld } from '#tests/support/sync-world.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import { CORPUS, stepsOf } from './fuzz-corpus.ts';
import { FuzzReplica } from './fuzz-replica.ts';
import { fuzzSeed, playHistory } from './fuzz-run.ts';
import type { FuzzHost } from './fuzz-world.ts';
import { Oracle } from './oracle.ts';

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const SEEDS = setting('SEEDS', IS_WHOLE ? 20 : 1);
const STEPS = setting('STEPS', 300);
const IS_SPREAD = inject('workerUrls').length > 0;
/** On a cluster each statement passes two servers, and the oracle collects the rows of each comparison. */
const SLOWNESS = IS_SPREAD ? 10 : 1;
/** Histories under way at once, each in a database of its own: while one waits for PostgreSQL another computes. */
const LANES = setting('LANES', Math.min(SEEDS, 2));

/** The long ones belong to the long run. */
const PLAYED = CORPUS.filter(({ steps }) => IS_WHOLE || stepsOf(steps).length <= 100);

describe('pulls over random histories', () => {
  const hosts: FuzzHost[] = [];
  beforeAll(async () => {
    for (let lane = 0; lane < LANES; lane++) {
      const world = await createSyncWorld();
      const oracle = new Oracle(world.database.url);
      // On a cluster a database cannot be set back in place: workers check foreign keys while its tables are refilled.
      hosts.push({ world, oracle, steps: PULL_STEPS, watchEverything: IS_WHOLE, hasUpheavals: !IS_SPREAD });
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

  it.each(PLAYED)('still pass history $seed, which failed once', async ({ seed, steps }) => {
    // Watching checks more and draws nothing, so the history is the one that failed.
    const watched = { ...host(), watchEverything: true, hasUpheavals: false };
    for (const [enlarges, hasGuests] of [
      [true, true],
      ...(IS_WHOLE
        ? [
            [true, false],
            [false, false],
          ]
        : []),
    ]) {
      await playHistory({ ...watched, enlarges, hasGuests }, seed, stepsOf(steps));
    }
  });

  it(
    `show each user exactly the rows of the oracle, in ${SEEDS} histories of ${STEPS} steps (C1, C6, C7, P5)`,
    async () => {
      console.info(`seeds ${SEED} to ${SEED + SEEDS - 1}; SEED=${SEED} plays them again`);
      const started = performance.now();
      FuzzReplica.startCounting();
      const seeds = Array.from({ length: SEEDS }, (_, n) => SEED + n);
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
    (SEEDS * STEPS * 200 + 60_000) * SLOWNESS,
  );
});
