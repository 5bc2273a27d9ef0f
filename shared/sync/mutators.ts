// Mutations about sync itself.
import { z } from 'zod';
import { defineMutator } from '../define/mutator.ts';

const resultId = z
  .string()
  .max(96)
  .regex(/^[\w-]+\/\d+$/);

/** The author has seen why these mutations were refused; both kinds of realm have it. */
const acknowledgeResults = defineMutator({
  realm: 'any',
  args: z.object({ ids: z.array(resultId).max(100) }),
  async run(tx, { ids }) {
    for (const id of ids) await tx.acknowledge(id);
  },
});

export const syncMutators = {
  'sync.ack_results': acknowledgeResults,
} as const;
