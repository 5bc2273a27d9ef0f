// Provides the replica of the signed-in person with one workspace open. Views use it through the hooks beside this file
// only.
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import type { Id } from '#shared/ids.ts';
import type { Replica } from '#client/replica/replica.ts';

const ReplicaContext = createContext<Replica | undefined>(undefined);

/** Opens the workspace in the replica before the first view below reads it. */
export function ReplicaProvider(props: {
  replica: Replica;
  workspaceId: Id<'workspace'> | undefined;
  children: ReactNode;
}) {
  const { replica, workspaceId, children } = props;
  // During render, so that no view below ever paints rows of the workspace before; calling it again does nothing.
  replica.openWorkspace(workspaceId);
  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && replica.syncNow();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [replica]);
  return <ReplicaContext value={replica}>{children}</ReplicaContext>;
}

/** The replica of this page. @throws when there is no provider above, which is a fault of the layout */
export function useReplica(): Replica {
  const replica = useContext(ReplicaContext);
  if (!replica) throw new Error('No ReplicaProvider above this component');
  return replica;
}
