/**
 * A limit that holds over all servers of one database without a write for each call. Every server counts in memory, reports
 * each full block of calls to the database, and adds the calls that the others have reported. So a caller exceeds the limit at
 * most by the unreported calls: less than one block for each server. Small limits have blocks of one call and are exact.
 */
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { countWait } from '../db/waiting-time.ts';

/** Into how many reports a limit is divided. */
const BLOCKS = 20;

export interface Limiter {
  points: number;
  /** Of its window, in seconds. */
  duration: number;
  /** @throws RateLimiterRes when there were too many */
  consume(key: string, points: number): Promise<RateLimiterRes>;
}

/** The limit of `stored`, which is queried for one call in a block. */
export function createSharedLimiter(stored: RateLimiterAbstract): Limiter {
  const { points, duration } = stored;
  const block = Math.floor(points / BLOCKS);
  if (block <= 1) return stored;
  const local = new RateLimiterMemory({ points, duration });
  const count = async (key: string): Promise<RateLimiterRes> => {
    const here = await local.consume(key, 1);
    if (here.consumedPoints % block !== 0) return here;
    try {
      const everywhere = await stored.consume(key, block);
      // A multiple of the block, so the remainder is still the number of unreported calls.
      const elsewhere = everywhere.consumedPoints - here.consumedPoints;
      return elsewhere > 0 ? await local.penalty(key, elsewhere) : here;
    } catch (refusal) {
      // Refused from memory until the window of all servers ends.
      if (refusal instanceof RateLimiterRes) await local.block(key, refusal.msBeforeNext / 1_000);
      throw refusal;
    }
  };
  /** The last call of each caller that is being counted. Concurrent calls must wait for a report in progress. */
  const turns = new Map<string, Promise<unknown>>();
  return {
    points,
    duration,
    consume(key) {
      const next = () => count(key);
      const turn = (turns.get(key) ?? Promise.resolve()).then(next, next);
      turns.set(key, turn);
      const forget = () => {
        if (turns.get(key) === turn) turns.delete(key);
      };
      turn.then(forget, forget);
      // Calls before this one may wait for the database.
      return countWait(() => turn);
    },
  };
}
