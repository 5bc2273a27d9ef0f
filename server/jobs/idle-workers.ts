// Threads and processes that have loaded their modules and wait for the next input, because loading takes several times as
// long as most inputs.
import { availableParallelism } from 'node:os';

/** They use memory, and work often arrives in sequences: a mail with its files, an import. */
const IDLE_MS = 30_000;

/** How one sort of worker is looked at and ended. */
export interface WorkerSort<W> {
  hasEnded(worker: W): boolean;
  end(worker: W): void;
}

export interface IdleWorkers<W> {
  /** One that is alive, the last used one first. */
  take(kind: string): W | undefined;
  /** Retains an idle worker for a while; at most one per core of each kind. */
  keep(kind: string, worker: W): void;
}

/** Workers of one kind have the same module and the same limits. */
export function createIdleWorkers<W>({ hasEnded, end }: WorkerSort<W>): IdleWorkers<W> {
  const waiting = new Map<string, { worker: W; timer: NodeJS.Timeout }[]>();
  const take = (kind: string): W | undefined => {
    const last = waiting.get(kind)?.pop();
    if (last === undefined) return undefined;
    clearTimeout(last.timer);
    return hasEnded(last.worker) ? take(kind) : last.worker;
  };
  return {
    take,
    keep(kind, worker) {
      const row = waiting.get(kind) ?? [];
      waiting.set(kind, row);
      row.push({ worker, timer: setTimeout(() => end(worker), IDLE_MS).unref() });
      const tooMany = row.length > availableParallelism() ? row.shift() : undefined;
      if (tooMany !== undefined) end(tooMany.worker);
    },
  };
}
