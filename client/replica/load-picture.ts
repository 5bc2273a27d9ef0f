// Small pictures of memories that the server draws: from this device if they were shown here before, else from the server.
import { sessionToken } from '#client/api/session.ts';
import { loadBlob } from '#client/replica/load-file.ts';

const MEDIA_TYPE = 'image/webp';

/**
 * The picture that this device stores under `key`, else the one at `path` of the API. Null where the server has none, undefined
 * where it cannot be had now.
 */
export async function loadPicture(
  key: string,
  path: string,
  download = downloadPicture,
): Promise<Blob | null | undefined> {
  const found = await loadBlob(key, () => download(path));
  return found instanceof Blob || found === null ? found : undefined;
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
