// The preview picture of a file or page for components.
import { useEffect, useState } from 'react';
import type { Head } from '#shared/entities.ts';
import { loadPicture } from '#client/replica/load-picture.ts';

/**
 * The picture once it is here; undefined until then, and for what has none.
 * @param afterMs how long the component must stay before anything is loaded
 */
export function usePreview(head: PreviewHead, afterMs = 0): Blob | undefined {
  const { id, workspaceId } = head;
  const key = previewKey(head);
  const [loaded, setLoaded] = useState<{ key: string; blob: Blob }>();
  useEffect(() => {
    if (key === undefined) return undefined;
    let isCurrent = true;
    const load = () => {
      // Named by its hash, so what is stored never becomes wrong.
      loadPicture(key, `/v1/memories/${workspaceId}/${id}/preview`)
        .then((blob) => blob && isCurrent && setLoaded({ key, blob }))
        .catch(reportError);
    };
    const timer = afterMs > 0 ? setTimeout(load, afterMs) : undefined;
    if (timer === undefined) load();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id, workspaceId, key, afterMs]);
  return loaded?.key === key ? loaded?.blob : undefined;
}

type PreviewHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'metadata'>;

const NAME = /^[\da-f]{32}$/;

/** The key of a memory's preview on this device; undefined while there is none. */
function previewKey({ id, metadata: { preview } }: Pick<PreviewHead, 'id' | 'metadata'>) {
  return typeof preview === 'string' && NAME.test(preview) ? `${id}_${preview}` : undefined;
}
