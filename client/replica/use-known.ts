// Values of the replica that are not known before it has answered. A count, an emptiness or a missing right that is drawn
// earlier would be false, so views draw a skeleton for undefined.
import { useEffect, useSyncExternalStore, type DependencyList } from 'react';
import type { Selector } from '#client/replica/query.ts';
import { useReplica } from '#client/replica/replica-context.tsx';
import { useQuery } from '#client/replica/use-query.ts';

/** Undefined while it is not known. */
export type Known<T> = T | undefined;

/** Whether all rows of the open workspace that this device syncs have reached the page. */
export function useIsWhole(): boolean {
  const replica = useReplica();
  const read = () => replica.firstSync().state === 'ready';
  return useSyncExternalStore(replica.subscribe, read, read);
}

/** Result of a selector over all rows of the open workspace; `deps` as with `useQuery`. */
export function useKnown<T>(select: Selector<T>, deps: DependencyList): Known<T> {
  const isWhole = useIsWhole();
  return useQuery((view) => (isWhole ? select(view) : undefined), [isWhole, ...deps]);
}

/** The same over all rows of the person's own realm. */
export function useKnownOfAccount<T>(select: Selector<T>, deps: DependencyList): Known<T> {
  const { subscribe, isAccountWhole } = useReplica();
  const isWhole = useSyncExternalStore(subscribe, isAccountWhole, isAccountWhole);
  return useQuery((view) => (isWhole ? select(view) : undefined), [isWhole, ...deps]);
}

/** A count over all rows; until it is known the one that the last screen showed under this name. */
export function useLastCount(name: string, known: Known<number>): Known<number> {
  const { counts } = useReplica();
  useEffect(() => {
    if (known !== undefined) counts.set(name, known);
  }, [counts, name, known]);
  return known ?? counts.get(name);
}
