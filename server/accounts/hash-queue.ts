/**
 * The queue in front of password hashing, fair between callers: each network or known device has a line, and the lines take
 * turns. Devices that have logged in before go first and have reserved places, so that many requests of unknown devices cannot
 * block them.
 */
import { AppError } from '#shared/errors.ts';

export interface HashCaller {
  /** A network, or the id of a device. */
  line: string;
  /** The device has logged in to the account before. */
  isKnown: boolean;
}

/** For work that no request waits for, such as the demo. */
export const THIS_SERVER: HashCaller = { line: 'server', isKnown: true };

interface QueueLimits {
  /** How many run at once. */
  width: number;
  /** How many wait, of known devices and of others each. */
  waitingMax: number;
}

interface Turn {
  begin: () => void;
  refuse: (reason: AppError) => void;
}

type Lines = Map<string, Turn[]>;

/** @throws unavailable when too many wait */
export type TakeHashTurn = <T>(caller: HashCaller, work: () => Promise<T>) => Promise<T>;

/** A queue that one server process shares. */
export function createHashQueue({ width, waitingMax }: QueueLimits): TakeHashTurn {
  const known: Lines = new Map();
  const others: Lines = new Map();
  let running = 0;

  const wait = ({ line, isKnown }: HashCaller): Promise<void> => {
    const lines = isKnown ? known : others;
    const waiting = [...lines.values()].reduce((sum, each) => sum + each.length, 0);
    if (waiting >= waitingMax) makeRoom(lines, line);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    lines.set(line, [...(lines.get(line) ?? []), { begin: resolve, refuse: reject }]);
    return promise;
  };

  return async (caller, work) => {
    if (running < width) running += 1;
    else await wait(caller);
    try {
      return await work();
    } finally {
      const next = takeNext(known) ?? takeNext(others);
      if (next) next.begin();
      else running -= 1;
    }
  };
}

/** The first turn of the next line; the line moves to the end. */
function takeNext(lines: Lines): Turn | undefined {
  for (const [line, [next, ...rest]] of lines) {
    lines.delete(line);
    if (rest.length > 0) lines.set(line, rest);
    return next;
  }
  return undefined;
}

/** Refuses the last of the longest line. @throws unavailable when the newcomer's line would be as long */
function makeRoom(lines: Lines, newcomer: string): void {
  const longest = [...lines.values()].reduce((found, each) => (each.length > found.length ? each : found));
  if (longest.length <= (lines.get(newcomer)?.length ?? 0) + 1) throw busy();
  longest.pop()?.refuse(busy());
}

function busy(): AppError {
  return new AppError('unavailable', 'Too many people are signing in', { retryAfter: 2 });
}
