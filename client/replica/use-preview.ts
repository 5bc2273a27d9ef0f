// The preview picture of a file for components.
import { useEffect, useState } from 'react';
import { loadPreview, previewKey, type PreviewHead } from '#client/replica/load-preview.ts';

/**
 * The picture once it is here; undefined until then, and for files without one.
 * @param afterMs how long the component must stay before anything is loaded
 */
export function usePreview(head: PreviewHead, afterMs = 0): Blob | undefined {
  const { id, workspaceId, uploadId } = head;
  const { preview } = head.metadata;
  const key = previewKey(head);
  const [loaded, setLoaded] = useState<{ key: string; blob: Blob }>();
  useEffect(() => {
    if (key === undefined) return undefined;
    let isCurrent = true;
    const load = () => {
      loadPreview({ id, workspaceId, uploadId, metadata: { preview } })
        .then((blob) => blob && isCurrent && setLoaded({ key, blob }))
        .catch(reportError);
    };
    const timer = afterMs > 0 ? setTimeout(load, afterMs) : undefined;
    if (timer === undefined) load();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id, workspaceId, uploadId, preview, key, afterMs]);
  return loaded?.key === key ? loaded?.blob : undefined;
}
