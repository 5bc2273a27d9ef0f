// Writes of one realm that come while others are at work share the next transaction, so that the version lock, the start
// and the commit are paid once for all of them. It decides who shares; transaction.ts runs what is shared.
import type { Database } from './database.ts';

/** At most so many share a transaction, so that the lock is not held for long. */
const TOGETHER_MAX = 20;

/** How the parts of a group are run. */
export interface SharedRun<P> {
  /** Calls back when it is the group's turn in the realm. */
  inTurn(run: () => Promise<void>): Promise<void>;
  /** All parts in one transaction; a failure of one undoes all. */
  together(parts: readonly P[]): Promise<void>;
  /** One part by itself, in a turn of its own. */
  alone(part: P): Promise<void>;
  /** Whether a part that failed by itself may succeed when it is run again. */
  mayRetry(error: unknown): boolean;
}

interface Waiting<P> {
  part: P;
  resolve(): void;
  reject(error: unknown): void;
}

/** Takes a part into the realm's next transaction; resolves once it is committed. */
export type Share<P> = (db: Database, realmId: string, part: P, run: SharedRun<P>) => Promise<void>;

/** No group is open yet. */
export function createShare<P>(): Share<P> {
  const groups = new WeakMap<Database, Map<string, Waiting<P>[]>>();
  return (db, realmId, part, run) =>
    new Promise((resolve, reject) => {
      const open = groups.get(db) ?? new Map<string, Waiting<P>[]>();
      groups.set(db, open);
      const waiting = { part, resolve, reject };
      const group = open.get(realmId);
      if (group !== undefined) {
        group.push(waiting);
        if (group.length >= TOGETHER_MAX) open.delete(realmId);
        return;
      }
      const made = [waiting];
      open.set(realmId, made);
      const close = () => {
        if (open.get(realmId) === made) open.delete(realmId);
      };
      void runGroup(made, close, run);
    });
}

/** Runs the parts in the order of their arrival, together if that goes well, else each by itself. */
async function runGroup<P>(
  group: readonly Waiting<P>[],
  close: () => void,
  run: SharedRun<P>,
): Promise<void> {
  try {
    await run.inTurn(() => {
      close();
      return run.together(group.map(({ part }) => part));
    });
    for (const { resolve } of group) resolve();
  } catch (error) {
    close();
    if (group.length === 1 && !run.mayRetry(error)) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { part, resolve, reject } of group) await run.alone(part).then(resolve, reject);
  }
}
