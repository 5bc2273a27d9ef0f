// The icon of a link's site for components.
import { useEffect, useSyncExternalStore } from 'react';
import type { Head } from '#shared/entities.ts';
import { addressOf } from '#shared/hash.ts';
import { downloadPicture, loadPicture } from '#client/replica/load-picture.ts';
import { createStore } from '#client/shell/store.ts';

/** Rows that scroll past quickly load nothing. */
const SETTLED_MS = 200;

/** Address of an icon → what this page has loaded, as a data URL; null where the site has none. */
const loaded = createStore<ReadonlyMap<string, string | null>>(new Map());

type LinkHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'metadata'>;

/** The icon as a data URL, which the snapshot of a screen can hold; undefined until it is here, and for what has none. */
export function useSiteIcon({ id, workspaceId, metadata: { favicon } }: LinkHead): string | undefined {
  const address = typeof favicon === 'string' ? favicon : '';
  const icon = useSyncExternalStore(loaded.subscribe, () => loaded.get().get(address));
  const isMissing = address !== '' && icon === undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    const path = `/v1/memories/${workspaceId}/${id}/icon`;
    const timer = setTimeout(() => void loadIcon(address, path).catch(reportError), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [id, workspaceId, address, isMissing]);
  return icon ?? undefined;
}

let lastDownload: Promise<unknown> = Promise.resolve();

/** One at a time: a site that is slow to answer would otherwise hold the connections that everything else needs. */
function downloadInTurn(path: string): ReturnType<typeof downloadPicture> {
  const mine = lastDownload.then(() => downloadPicture(path));
  lastDownload = mine.catch(() => undefined);
  return mine;
}

async function loadIcon(address: string, path: string): Promise<void> {
  const blob = await loadPicture(`icon_${addressOf(address).hash}`, path, downloadInTurn);
  if (blob === undefined) return;
  const icon = blob && (await dataUrlOf(blob));
  loaded.set(new Map([...loaded.get(), [address, icon]]));
}

async function dataUrlOf(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return `data:image/webp;base64,${btoa(String.fromCodePoint(...bytes))}`;
}
