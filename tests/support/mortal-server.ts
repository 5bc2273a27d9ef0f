/** A server that dies between two transactions: what it has committed stays, and what was to follow is never done. */
import type { WriteContext } from '#server/db/transaction.ts';

/** The host as it is until so many commits; the announcement of the last one throws, like a process that was killed. */
export function mortalServer(host: WriteContext, commits: number): WriteContext {
  let left = commits;
  return {
    ...host,
    pokes: {
      committed() {
        left -= 1;
        if (left <= 0) throw new Error('killed');
      },
    },
  };
}
