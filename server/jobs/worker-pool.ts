// Threads and processes that reply to one input after the other. They wait for the next input with their modules loaded, because
// loading takes several times as long as most inputs.
import type { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { isQuestion } from './questions.ts';

/** They use memory, and work often arrives in sequences: a mail with its files, an import. */
const IDLE_MS = 30_000;

/** How one sort of worker is looked at and ended. */
export interface WorkerSort<W> {
  hasEnded(worker: W): boolean;
  end(worker: W): unknown;
}

/**
 * Works with a waiting worker of this kind, or a new one; the worker then waits for the next input, unless it ended or had no
 * reply.
 */
export type RunInPool<W> = <T>(
  kind: string,
  start: () => Promise<W | undefined>,
  call: (worker: W) => Promise<T | undefined>,
) => Promise<T | undefined>;

/** Workers of one kind have the same module and the same limits; at most one per core of each kind waits. */
export function createWorkerPool<W>({ hasEnded, end }: WorkerSort<W>): RunInPool<W> {
  const waiting = new Map<string, { worker: W; timer: NodeJS.Timeout }[]>();
  const take = (kind: string): W | undefined => {
    const last = waiting.get(kind)?.pop();
    if (last === undefined) return undefined;
    clearTimeout(last.timer);
    return hasEnded(last.worker) ? take(kind) : last.worker;
  };
  const keep = (kind: string, worker: W) => {
    const row = waiting.get(kind) ?? [];
    waiting.set(kind, row);
    row.push({ worker, timer: setTimeout(() => end(worker), IDLE_MS).unref() });
    const tooMany = row.length > availableParallelism() ? row.shift() : undefined;
    if (tooMany !== undefined) end(tooMany.worker);
  };
  return async <T>(
    kind: string,
    start: () => Promise<W | undefined>,
    call: (worker: W) => Promise<T | undefined>,
  ) => {
    const worker = take(kind) ?? (await start());
    if (worker === undefined) return undefined;
    let reply: T | undefined;
    try {
      reply = await call(worker);
      return reply;
    } finally {
      if (reply === undefined || hasEnded(worker)) await end(worker);
      else keep(kind, worker);
    }
  };
}

/** What ends the wait for a message. */
interface ReplyLimits {
  /** Elapsed milliseconds. */
  elapsedMs: number;
  /** Looked at from time to time. */
  exceeds?: () => Promise<boolean>;
  everyMs?: number;
}

/** The next message of a thread or process that is no question; undefined when it ends before, or exceeds a limit. */
export async function nextMessage<T>(
  worker: EventEmitter,
  { elapsedMs, exceeds, everyMs }: ReplyLimits,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const hear = (message: T) => {
    if (!isQuestion(message)) resolve(message);
  };
  const stop = () => resolve(undefined);
  const deadline = setTimeout(stop, elapsedMs);
  const check = exceeds && setInterval(() => void exceeds().then((is) => is && stop()), everyMs);
  worker.on('message', hear);
  worker.once('exit', stop);
  // Such as the end of its memory.
  worker.once('error', stop);
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    clearInterval(check);
    worker.off('message', hear);
    worker.off('exit', stop);
    worker.off('error', stop);
  }
}
