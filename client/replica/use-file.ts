// The file of a memory and the saved page of a link for components, and in the element that shows it.
import { useCallback, useLayoutEffect, useState } from 'react';
import { snapshotOf } from '#shared/memories/memory-kinds.ts';
import type { FileHead, SnapshotHead } from '#client/replica/download-file.ts';
import { loadFile, loadSnapshot, type LoadedFile } from '#client/replica/load-file.ts';
import { useResolved } from '#client/shell/use-loaded.ts';

/** The file once it is here; `again` tries once more after a failure. */
export interface FileHandle {
  file: LoadedFile | { state: 'loading' };
  again: () => void;
}

/** The uploaded file of a memory. */
export function useFile({ id, workspaceId, uploadId }: FileHead): FileHandle {
  const load = useCallback(() => loadFile({ id, workspaceId, uploadId }), [id, workspaceId, uploadId]);
  return useFileOf(load);
}

/** The saved page of a link that has one. */
export function useSnapshot(head: SnapshotHead): FileHandle {
  const { id, workspaceId } = head;
  const { hash = '', taken = '', bytes = 0 } = snapshotOf(head) ?? {};
  const load = useCallback(
    () => loadSnapshot({ id, workspaceId, metadata: { snapshot: { hash, taken, bytes } } }),
    [id, workspaceId, hash, taken, bytes],
  );
  return useFileOf(load);
}

type Load = () => Promise<LoadedFile>;

/** Loads it from this device or the server; a file missing offline is loaded when the network is back. */
function useFileOf(load: Load): FileHandle {
  const [tries, setTries] = useState(0);
  const tryToLoad = useCallback(
    () =>
      load().catch((error: unknown): LoadedFile => {
        console.error('replica: a file could not be loaded', error);
        return { state: 'failed' };
      }),
    [load],
  );
  const file = useResolved(tryToLoad, tries);
  const isOffline = file?.state === 'offline';
  // Before the paint: a network that is back by the time the words are seen must not be missed.
  useLayoutEffect(() => {
    if (!isOffline) return undefined;
    const retry = () => setTries((before) => before + 1);
    globalThis.addEventListener('online', retry);
    return () => globalThis.removeEventListener('online', retry);
  }, [isOffline]);
  return { file: file ?? { state: 'loading' }, again: () => setTries(tries + 1) };
}

type Showing = HTMLImageElement | HTMLAudioElement | HTMLIFrameElement;

/** Shows a file in the element that it becomes the ref of, under an address that ends with the element. */
export function useSource(blob: Blob): (element: Showing | null) => () => void {
  return useCallback(
    (element) => {
      const address = URL.createObjectURL(blob);
      if (element) element.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [blob],
  );
}
