import { useSyncExternalStore } from 'react';
import { openedReplica } from '#client/replica/open-replica.ts';

const subscribe = (listener: () => void) => openedReplica()?.search.subscribe(listener) ?? (() => undefined);
const isCompleteNow = () => openedReplica()?.search.isComplete ?? false;

/** Whether the search index of this device has all that the replica has. */
export const useIsIndexComplete = (): boolean => useSyncExternalStore(subscribe, isCompleteNow);
