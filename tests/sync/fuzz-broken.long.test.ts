/**
 * Proof that the fuzz can fail: each deliberately broken pull or push must be caught within a few histories. The
 * breakage is put in through the table of steps; nothing of it exists in the product.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Effects } from '#server/db/effect.ts';
import { backfillWhen, PULL_STEPS, type PullState, type PullSteps } from '#server/sync/pull-steps.ts';
import { createSyncWorld, type SyncWorld } from '#tests/support/sync-world.ts';
import { forgetLostWithoutBorn, keepRefusalsInClosedRealm } from './broken-steps.ts';
import { stepsOf } from './fuzz-corpus.ts';
import { HistoryFailure, playHistory } from './fuzz-run.ts';
import { PRODUCT_EFFECTS, type FuzzHost } from './fuzz-world.ts';
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

/** Step 6 with a bug: it forgets its position when a response is full. */
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

/** A creation that goes on when its row was there already, as it once did. */
const linksTaken: Effects = {
  ...PRODUCT_EFFECTS,
  'memory.create': {
    async before({ tx, args: { id: memoryId, spaceId }, context }) {
      const row = await tx.get('memory', memoryId);
      if (row === undefined || spaceId === null) return undefined;
      const [createdBy, created] = [context.actor.userId, context.at(tx.now.toISOString())];
      await tx.insert('space_memory', {
        workspaceId: row.workspaceId,
        spaceId,
        memoryId,
        createdBy,
        created,
      });
      return { done: true };
    },
  },
};

/** The right to move is asked for the first memory alone. */
const movesUnasked: Effects = {
  ...PRODUCT_EFFECTS,
  'memory.move_many': {
    async before({ tx, args: { ids, spaceId } }) {
      for (const id of ids) if (await tx.get('memory', id)) await tx.update('memory', id, { spaceId });
      return { done: true };
    },
  },
};

/** The trash counts the days by the clock of the device. */
const believesDevices: Effects = {
  ...PRODUCT_EFFECTS,
  'memory.remove': {
    async before({ tx, args: { id, at } }) {
      if (!(await tx.get('memory', id))) return undefined;
      await tx.update('memory', id, { deletedAt: at });
      return { done: true };
    },
  },
};

const WIDENING: readonly (readonly [string, Effects])[] = [
  ['links a memory that was there already', linksTaken],
  ['moves many memories without asking for each', movesUnasked],
  ['opens a space with what its owner has withdrawn', { ...PRODUCT_EFFECTS, 'space.update': {} }],
  ['restores a space with what its owner has withdrawn', { ...PRODUCT_EFFECTS, 'space.restore': {} }],
];

describe('the fuzz catches a server that', () => {
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

  async function firstFailure(host: FuzzHost): Promise<HistoryFailure | undefined> {
    const steps = Array.from({ length: STEPS }, (_, step) => step);
    for (let seed = 1; seed <= SEEDS; seed++) {
      try {
        await playHistory(host, seed, steps);
      } catch (error) {
        if (error instanceof HistoryFailure) return error;
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

  it('is found again by the history that the failure prints', async () => {
    const broken = { world, oracle, steps: { ...PULL_STEPS, welcomeNew: async () => undefined } };
    const failure = await firstFailure({ ...broken, watchEverything: false });
    const [, seed, steps = ''] = /npm run fuzz:keep -- (\d+) ([\d,-]+)$/.exec(failure?.message ?? '') ?? [];
    const again = playHistory({ ...broken, watchEverything: true }, Number(seed), stepsOf(steps));
    await expect(again).rejects.toThrow(HistoryFailure);
  });
  it.each(WIDENING)(
    '%s',
    async (_name, effects) => {
      const host = { world, oracle, steps: PULL_STEPS, watchEverything: false, effects };
      const failure = await firstFailure(host);
      expect(failure?.message).toContain(' let ');
    },
    TIMEOUT_MS,
  );

  it(
    'deletes by the clock of a device',
    async () => {
      const host = { world, oracle, steps: PULL_STEPS, watchEverything: false, effects: believesDevices };
      expect((await firstFailure(host))?.message).toContain('left the trash before their time');
    },
    TIMEOUT_MS,
  );

  it(
    'does not notice that its database fell back',
    async () => {
      const host = { world, oracle, steps: PULL_STEPS, watchEverything: false, noticesFall: false };
      expect(await firstFailure(host)).toBeDefined();
    },
    TIMEOUT_MS,
  );

  it(
    'drops the refusals of members who were removed',
    async () => {
      const host = { world, oracle, steps: PULL_STEPS, watchEverything: false };
      expect(await firstFailure({ ...host, inboxOf: keepRefusalsInClosedRealm })).toBeDefined();
    },
    TIMEOUT_MS,
  );
});
