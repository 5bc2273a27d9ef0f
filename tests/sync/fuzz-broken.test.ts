/**
 * Proof that the fuzz can fail (SYNC 2.6): each deliberately broken pull must be caught within a few histories. The
 * breakage is put in through the table of steps; nothing of it exists in the product.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backfillWhen, PULL_STEPS, type PullState, type PullSteps } from '#server/sync/pull-steps.ts';
import { createSyncWorld, type SyncWorld } from '#tests/support/sync-world.ts';
import { forgetLostWithoutBorn } from './broken-steps.ts';
import { HistoryFailure, playHistory } from './fuzz-run.ts';
import type { FuzzHost } from './fuzz-world.ts';
import { Oracle } from './oracle.ts';

const SEEDS = 25;
const STEPS = 200;
const TIMEOUT_MS = 240_000;

/** Step 4 that believes to be complete after the first part. */
async function catchUpAndJump(state: PullState): Promise<void> {
  await PULL_STEPS.catchUp(state);
  for (const [audience, [, position]] of state.progress) {
    state.progress.set(audience, [state.realm.version, position]);
  }
}

/** Step 6 that forgets where it was when an answer is full. */
async function backfillAndFinish(state: PullState): Promise<void> {
  await PULL_STEPS.backfill(state);
  for (const [audience, [version]] of state.progress) state.progress.set(audience, [version, null]);
}

const BROKEN: readonly (readonly [string, Partial<PullSteps>])[] = [
  ['deletes without step 7', { keepReadable: async () => undefined }],
  ['names what was born after access was lost', { forgetLost: forgetLostWithoutBorn }],
  ['backfills before it has caught up', { backfill: backfillWhen(() => true) }],
  ['confirms mutations before their effects are complete', { mayReport: () => true }],
  ['skips changes beyond the limit', { catchUp: catchUpAndJump }],
  ['skips rows beyond the page', { backfill: backfillAndFinish }],
  ['forgets nothing of lost audiences', { forgetLost: async () => undefined }],
  ['overlooks new audiences', { welcomeNew: async () => undefined }],
];

describe('the fuzz catches a pull that (C1)', () => {
  let world: SyncWorld;
  let oracle: Oracle;
  beforeAll(async () => {
    world = await createSyncWorld();
    oracle = new Oracle(world.database.url);
  });
  afterAll(async () => {
    await oracle.close();
    await world.database.drop();
  });

  async function firstFailure(host: FuzzHost): Promise<number | undefined> {
    const steps = Array.from({ length: STEPS }, (_, step) => step);
    for (let seed = 1; seed <= SEEDS; seed++) {
      try {
        await playHistory(host, seed, steps);
      } catch (error) {
        if (error instanceof HistoryFailure) return seed;
        throw error;
      }
    }
    return undefined;
  }

  it.each(BROKEN)(
    '%s',
    async (_name, broken) => {
      const steps = { ...PULL_STEPS, ...broken };
      const watchEverything = broken.forgetLost === forgetLostWithoutBorn;
      expect(await firstFailure({ world, oracle, steps, watchEverything })).toBeDefined();
    },
    TIMEOUT_MS,
  );
});
