// Replicache alone with the product's storage, in the page: what its own writing and reading cost, without the worker,
// the mirror and the views around it.
import { Replicache } from 'replicache';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import { cookiesIn, isComplete } from './on-device.ts';
import { patchesOf } from './references.ts';

const LOOK_MS = 10;

const provider = () =>
  packedStore((error) => {
    throw new Error('The storage failed', { cause: error });
  });

async function durable(databaseName: string): Promise<void> {
  while (!(await cookiesIn(databaseName)).some(isComplete))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

export const bareReplica = {
  /**
   * Receives all rows in one response; returns the milliseconds from having them in memory to having them on the
   * device.
   */
  async persist(name: string, addresses: readonly string[]): Promise<number> {
    let patch = await patchesOf(addresses);
    // Replicache waits for an idle moment of up to a second, which is no work.
    globalThis.requestIdleCallback = (callback) =>
      Number(setTimeout(() => callback({ didTimeout: false, timeRemaining: () => 0 }), 0));
    const replicache = new Replicache({
      name,
      pullInterval: null,
      kvStore: provider(),
      logLevel: 'error',
      puller: async () => {
        const response = {
          cookie: {
            order: 1,
            k: null,
          },
          lastMutationIDChanges: {},
          patch,
        };
        patch = [];
        return {
          response,
          httpRequestInfo: {
            httpStatusCode: 200,
            errorMessage: '',
          },
        };
      },
    });
    await replicache.pull({ now: true });
    const start = performance.now();
    await durable(replicache.idbName);
    const took = performance.now() - start;
    await replicache.close();
    return took;
  },

  /** Reads all rows twice after a new start of the page; returns the milliseconds of the second time, and how many. */
  async secondPass(name: string): Promise<{ took: number; rows: number }> {
    const replicache = new Replicache({ name, pullInterval: null, kvStore: provider(), logLevel: 'error' });
    const pass = () => replicache.query((tx) => tx.scan({ prefix: '4/m/' }).values().toArray());
    await pass();
    const start = performance.now();
    const rows = (await pass()).length;
    const took = performance.now() - start;
    await replicache.close();
    return { took, rows };
  },
};
