// The file of a memory for components, and in the element that shows it.
import { useCallback, useEffect, useState } from 'react';
import { loadFile, type FileHead, type LoadedFile } from '#client/replica/load-file.ts';

/** The file once it is here; `again` tries once more after a failure. */
export interface FileHandle {
  file: LoadedFile | { state: 'loading' };
  again: () => void;
}

/** Loads it from this device or the server; what was missing offline is loaded when the network is back. */
export function useFile({ id, workspaceId, uploadId }: FileHead): FileHandle {
  const [tries, setTries] = useState(0);
  const [loaded, setLoaded] = useState<{ uploadId: string | null; tries: number; file: LoadedFile }>();
  useEffect(() => {
    let isCurrent = true;
    loadFile({ id, workspaceId, uploadId })
      .catch((error: unknown): LoadedFile => {
        console.error('replica: a file could not be loaded', error);
        return { state: 'failed' };
      })
      .then((file) => isCurrent && setLoaded({ uploadId, tries, file }))
      .catch(reportError);
    return () => {
      isCurrent = false;
    };
  }, [id, workspaceId, uploadId, tries]);
  const file = loaded?.uploadId === uploadId && loaded.tries === tries ? loaded.file : undefined;
  const isOffline = file?.state === 'offline';
  useEffect(() => {
    if (!isOffline) return undefined;
    const retry = () => setTries((before) => before + 1);
    globalThis.addEventListener('online', retry);
    return () => globalThis.removeEventListener('online', retry);
  }, [isOffline]);
  return { file: file ?? { state: 'loading' }, again: () => setTries(tries + 1) };
}

/** Shows a file in the element that it becomes the ref of, under an address that ends with the element. */
export function useSource(blob: Blob): (element: HTMLImageElement | HTMLAudioElement | null) => () => void {
  return useCallback(
    (element) => {
      const address = URL.createObjectURL(blob);
      if (element) element.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [blob],
  );
}
