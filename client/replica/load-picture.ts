// Small pictures of memories that the server draws: from this device if they were shown here before, else from the server.
import { sessionToken } from '#client/api/session.ts';
import { findFile, keepFile } from '#client/replica/file-store.ts';
import { openedReplica } from '#client/replica/open-replica.ts';

const MEDIA_TYPE = 'image/webp';

const underWay = new Map<string, Promise<Blob | null | undefined>>();

/**
 * The picture that this device stores under `key`, else the one at `path` of the API. Null where the server has none, undefined
 * where it cannot be had now. Concurrent requests for one key share a download.
 */
export async function loadPicture(
  key: string,
  path: string,
  download = downloadPicture,
): Promise<Blob | null | undefined> {
  const running = underWay.get(key);
  if (running) return running;
  const mine = findOrDownload(key, () => download(path)).finally(() => underWay.delete(key));
  underWay.set(key, mine);
  return mine;
}

/** Like `loadPicture`, from the server. @throws TypeError without a response */
export async function downloadPicture(path: string): Promise<Blob | null | undefined> {
  const response = await fetch(path, {
    headers: { authorization: `Bearer ${sessionToken() ?? ''}` },
    credentials: 'omit',
  });
  if (response.status === 204) return null;
  const isPicture = response.ok && response.headers.get('content-type') === MEDIA_TYPE;
  return isPicture ? response.blob() : undefined;
}

async function findOrDownload(
  key: string,
  download: () => ReturnType<typeof downloadPicture>,
): Promise<Blob | null | undefined> {
  const device = openedReplica()?.device;
  const known = await findFile(device, key);
  if (known) return known;
  try {
    const blob = await download();
    if (blob) await keepFile(device, { id: key, blob });
    return blob;
  } catch (error) {
    // fetch throws a TypeError exactly when there was no response, or when it ended too early.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
