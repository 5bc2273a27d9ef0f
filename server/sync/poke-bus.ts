// Where commits of this process are announced: writers call `committed`, the fan-out and local event streams listen. It stores
// nothing and uses no network.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Commit {
  realmId: string;
  version: number;
  /** When it was committed, in milliseconds of the day's clock of that node; undefined when it is unknown. */
  at?: number | undefined;
}

export type CommitListener = (commit: Commit) => void;

export interface PokeBus {
  /** Called by writeInRealms after the commit. */
  committed(versions: ReadonlyMap<string, number>): void;
  /** Calls the listener for every later commit of this process; call the result to stop. */
  listen(listener: CommitListener): () => void;
}

export function createPokeBus(): PokeBus {
  const listeners = new Set<CommitListener>();
  return {
    committed(versions) {
      const at = Date.now();
      for (const [realmId, version] of versions) {
        for (const listener of listeners) listener({ realmId, version, at });
      }
    },
    listen(listener) {
      // The listener runs in its own context, not that of the request that wrote: its waiting time and its origin differ.
      const inOwnContext = AsyncLocalStorage.snapshot();
      const hear: CommitListener = (commit) => inOwnContext(listener, commit);
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
}
