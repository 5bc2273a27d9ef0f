// The preview picture of a file or page for components.
import { useEffect, useState } from 'react';
import type { Head } from '#shared/entities.ts';
import { sessionToken } from '#client/api/session.ts';
import { findFile, keepFile } from '#client/replica/file-store.ts';
import { openedReplica } from '#client/replica/open-replica.ts';

/**
 * The picture once it is here; undefined until then, and for what has none.
 * @param afterMs how long the component must stay before anything is loaded
 */
export function usePreview(head: PreviewHead, afterMs = 0): Blob | undefined {
  const { id, workspaceId } = head;
  const { preview } = head.metadata;
  const key = previewKey(head);
  const [loaded, setLoaded] = useState<{ key: string; blob: Blob }>();
  useEffect(() => {
    if (key === undefined) return undefined;
    let isCurrent = true;
    const load = () => {
      loadPreview({ id, workspaceId, metadata: { preview } })
        .then((blob) => blob && isCurrent && setLoaded({ key, blob }))
        .catch(reportError);
    };
    const timer = afterMs > 0 ? setTimeout(load, afterMs) : undefined;
    if (timer === undefined) load();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id, workspaceId, preview, key, afterMs]);
  return loaded?.key === key ? loaded?.blob : undefined;
}

type PreviewHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'metadata'>;

const NAME = /^[\da-f]{32}$/;
const MEDIA_TYPE = 'image/webp';

const underWay = new Map<string, Promise<Blob | undefined>>();

/** The key of a memory's preview on this device; undefined while there is none. */
function previewKey({ id, metadata: { preview } }: Pick<PreviewHead, 'id' | 'metadata'>) {
  return typeof preview === 'string' && NAME.test(preview) ? `${id}_${preview}` : undefined;
}

async function download({ id, workspaceId }: PreviewHead): Promise<Blob | undefined> {
  const response = await fetch(`/v1/memories/${workspaceId}/${id}/preview`, {
    headers: { authorization: `Bearer ${sessionToken() ?? ''}` },
    credentials: 'omit',
  });
  const isPicture = response.ok && response.headers.get('content-type') === MEDIA_TYPE;
  return isPicture ? response.blob() : undefined;
}

async function findOrDownload(head: PreviewHead, key: string): Promise<Blob | undefined> {
  const device = openedReplica()?.device;
  const known = await findFile(device, key);
  if (known) return known;
  try {
    const blob = await download(head);
    if (blob) await keepFile(device, { id: key, blob });
    return blob;
  } catch (error) {
    // fetch throws a TypeError exactly when there was no response, or when it ended too early.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * From this device if it was seen here before, else from the server. A preview is named by its hash, so what is stored
 * never becomes wrong. The picture; undefined where there is none or it cannot be had now. Concurrent requests share one
 * download.
 */
async function loadPreview(head: PreviewHead): Promise<Blob | undefined> {
  const key = previewKey(head);
  if (key === undefined) return undefined;
  const running = underWay.get(key);
  if (running) return running;
  const mine = findOrDownload(head, key).finally(() => underWay.delete(key));
  underWay.set(key, mine);
  return mine;
}
