// Turns for work that takes much of the machine: a few run at once, and each person has one of them at a time.
import { AppError } from '#shared/errors.ts';

/** How many may run, and how many may wait for one person. */
export interface TurnLimits {
  atOnce: number;
  waitingMax: number;
}

/** Runs the work when it is its turn. @throws unavailable when too much of the same person waits already */
export type TakeTurn = <T>(person: string, work: () => Promise<T>) => Promise<T>;

const RETRY_SECONDS = 5;

interface Waiting {
  person: string;
  begin: () => void;
}

/** Turns that one server process shares. */
export function createTurns({ atOnce, waitingMax }: TurnLimits): TakeTurn {
  const running = new Set<string>();
  const waiting: Waiting[] = [];
  const beginNext = () => {
    if (running.size >= atOnce) return;
    const index = waiting.findIndex(({ person }) => !running.has(person));
    const [next] = index === -1 ? [] : waiting.splice(index, 1);
    if (next === undefined) return;
    running.add(next.person);
    next.begin();
  };
  return async (person, work) => {
    if (waiting.filter((each) => each.person === person).length >= waitingMax) {
      throw new AppError('unavailable', 'Earlier ones are still being worked on', {
        retryAfter: RETRY_SECONDS,
      });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ person, begin: resolve });
    beginNext();
    await promise;
    try {
      return await work();
    } finally {
      running.delete(person);
      beginNext();
    }
  };
}
