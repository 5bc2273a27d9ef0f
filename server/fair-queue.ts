/**
 * Work of many callers, of which a few run at once. Callers wait in lines, such as one for each person, network or realm: each
 * line is served in order of arrival, and the lines take turns.
 */
import { AppError } from '#shared/errors.ts';
import { TIMEOUTS } from './limits.ts';

export interface QueueLimits {
  /** How many run at once, in all and of one line. */
  atOnce?: number;
  lineAtOnce?: number;
  /** How many wait, in preferred lines and in others each, and in one line. */
  waitingMax?: number;
  lineWaitingMax?: number;
  /** How long each may wait. */
  timeout?: keyof typeof TIMEOUTS;
  /** The error for a caller that may not wait, or not any longer. */
  refusal?: () => AppError;
  /** Measures the waits. */
  countWait?: (wait: () => Promise<void>) => Promise<void>;
}

/** Runs the work when it is its turn; preferred lines come before all others. @throws the refusal */
export type FairQueue = <T>(line: unknown, work: () => Promise<T>, isPreferred?: boolean) => Promise<T>;

type Turn = PromiseWithResolvers<void>;

/** The lines in which callers wait, in the order in which they are served. */
type Lines = Map<unknown, Set<Turn>>;

/** A queue that one server process shares. */
export function createFairQueue({
  atOnce = Infinity,
  lineAtOnce = Infinity,
  waitingMax = Infinity,
  lineWaitingMax = Infinity,
  timeout,
  refusal = () => new AppError('unavailable', 'Earlier ones are still being worked on', { retryAfter: 5 }),
  countWait = (wait) => wait(),
}: QueueLimits): FairQueue {
  const preferred: Lines = new Map();
  const others: Lines = new Map();
  const runningOf = new Map<unknown, number>();
  let running = 0;

  const isFree = (line: unknown) => running < atOnce && (runningOf.get(line) ?? 0) < lineAtOnce;

  const begin = (line: unknown) => {
    running += 1;
    runningOf.set(line, (runningOf.get(line) ?? 0) + 1);
  };

  /** The place passes on directly, so that no later arrival overtakes. */
  const end = (ended: unknown) => {
    running -= 1;
    const left = (runningOf.get(ended) ?? 1) - 1;
    if (left > 0) runningOf.set(ended, left);
    else runningOf.delete(ended);
    for (const lines of [preferred, others])
      for (const [line, turns] of lines) {
        const [next] = turns;
        if (next === undefined || !isFree(line)) continue;
        lines.delete(line);
        turns.delete(next);
        if (turns.size > 0) lines.set(line, turns);
        begin(line);
        next.resolve();
        return;
      }
  };

  /** Refuses the last of the longest line when too many wait. @throws the refusal when that is the caller's line */
  const makeRoom = (lines: Lines, turns: ReadonlySet<Turn>) => {
    if (turns.size >= lineWaitingMax) throw refusal();
    const waiting = [...lines.values()];
    if (waiting.reduce((sum, { size }) => sum + size, 0) < waitingMax) return;
    const longest = waiting.reduce((found, each) => (each.size > found.size ? each : found));
    const last = [...longest].at(-1);
    if (last === undefined || longest.size <= turns.size + 1) throw refusal();
    longest.delete(last);
    last.reject(refusal());
  };

  const wait = async (lines: Lines, line: unknown) => {
    const turns = lines.get(line) ?? new Set();
    makeRoom(lines, turns);
    const turn: Turn = Promise.withResolvers();
    lines.set(line, turns.add(turn));
    const giveUp = () => {
      turns.delete(turn);
      if (turns.size === 0) lines.delete(line);
      turn.reject(refusal());
    };
    const timer = timeout && setTimeout(giveUp, TIMEOUTS[timeout]);
    await turn.promise.finally(() => clearTimeout(timer));
  };

  return async (line, work, isPreferred = false) => {
    if (isFree(line)) begin(line);
    else await countWait(() => wait(isPreferred ? preferred : others, line));
    try {
      return await work();
    } finally {
      end(line);
    }
  };
}
