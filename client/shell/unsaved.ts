/**
 * Tracks whether the page holds typed text that is not stored yet, which holds back a reload. The forms store their own
 * drafts.
 */
import { useEffect } from 'react';
import { createStore } from '#client/shell/external-store.ts';

const store = createStore<ReadonlySet<symbol>>(new Set());

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Marks something as unsaved until the returned function is called. */
export function holdUnsaved(): () => void {
  const mark = Symbol('unsaved');
  if (store.get().size === 0) globalThis.addEventListener?.('beforeunload', warn);
  store.set(new Set([...store.get(), mark]));
  return () => {
    store.set(new Set([...store.get()].filter((held) => held !== mark)));
    if (store.get().size === 0) globalThis.removeEventListener?.('beforeunload', warn);
  };
}

/** Whether anything is unsaved now. */
export function hasUnsaved(): boolean {
  return store.get().size > 0;
}

/** Calls back when the last unsaved change was saved or dropped. */
export function onAllSaved(listener: () => void): () => void {
  return store.subscribe(() => {
    if (!hasUnsaved()) listener();
  });
}

/** Holds while `dirty` is true. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    return dirty ? holdUnsaved() : undefined;
  }, [dirty]);
}
