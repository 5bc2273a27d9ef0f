// Reads of the replica for components. A component renders again only when the result of its selector has changed.
import { useCallback, useMemo, useSyncExternalStore, type DependencyList } from 'react';
import { createQuery, type Selector } from '#client/replica/query.ts';
import { useReplica } from '#client/replica/replica-context.tsx';
import { ReplicaView } from '#client/replica/view.ts';

/** Result of a selector over the replica; `deps` are the values of the component that the selector uses. */
export function useQuery<T>(select: Selector<T>, deps: DependencyList): T {
  const replica = useReplica();
  // oxlint-disable-next-line react/exhaustive-deps -- the caller lists what the selector uses, as with any hook of React
  const query = useMemo(() => createQuery(() => replica.mirrors, select), [replica, ...deps]);
  return useSyncExternalStore(replica.subscribeRows, query.read, query.read);
}

/** Reads the replica at the moment of an act, for components that need not be drawn again when rows change. */
export function useReader(): <T>(select: Selector<T>) => T {
  const replica = useReplica();
  return useCallback((select) => select(new ReplicaView(replica.mirrors)), [replica]);
}
