// Pictures in the text of a page, from the saved page: loading them from their sites would reveal who reads this and when.
import { useCallback, useMemo } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { snapshotOf } from '#shared/memories/memory-kinds.ts';
import type { FoundPicture, PictureSearch } from '#client/memories/page-pictures-worker.ts';
import { snapshotKey } from '#client/replica/download-file.ts';
import { findFile } from '#client/replica/file-store.ts';
import { loadSnapshot } from '#client/replica/load-file.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import { runWorker } from '#client/run-worker.ts';
import { isDataScarce } from '#client/save-data.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import type { TextPicture } from '#client/ui/text-references.ts';

/** By their addresses in the text. */
export type PagePictures = ReadonlyMap<string, TextPicture>;

const NONE: PagePictures = new Map();
const LIMIT_MS = 5_000;

/**
 * Pictures of a text that have arrived; undefined while this device is searched, so that a text does not move when its pictures
 * are found. A saved page that is not on this device is loaded, except where data is scarce.
 */
export function usePagePictures(row: MemoryHead, text: string): PagePictures | undefined {
  const { id, workspaceId } = row;
  const { hash = '', taken = '', bytes = 0 } = snapshotOf(row) ?? {};
  const facts = useMemo(
    () => (hash === '' || !text.includes('![') ? undefined : { hash, taken, bytes }),
    [hash, taken, bytes, text],
  );
  const find = useCallback(async () => {
    const page = facts && (await findFile(openedReplica()?.device, snapshotKey(facts)));
    return page ? picturesIn({ page, text }) : null;
  }, [facts, text]);
  const here = useResolved(facts && find);
  const download = useCallback(async () => {
    if (facts === undefined || isDataScarce()) return NONE;
    const page = await loadSnapshot({ id, workspaceId, metadata: { snapshot: facts } });
    return page.state === 'ready' ? picturesIn({ page: page.blob, text }) : NONE;
  }, [id, workspaceId, facts, text]);
  const downloaded = useResolved(here === null ? download : undefined);
  if (facts === undefined) return NONE;
  return here === null ? (downloaded ?? NONE) : here;
}

async function picturesIn(search: PictureSearch): Promise<PagePictures> {
  const found = await searchInWorker(search);
  const sized = await Promise.all(
    found.map(async ({ source, addresses }) => {
      const picture = await sizedPicture(source);
      return addresses.map((address) => [address, picture] as const);
    }),
  );
  return new Map(sized.flat().flatMap(([address, picture]) => (picture ? [[address, picture]] : [])));
}

/** Without a result in time, the text shows links. */
async function searchInWorker(search: PictureSearch): Promise<FoundPicture[]> {
  const worker = new Worker(new URL('./page-pictures-worker.ts', import.meta.url), {
    type: 'module',
    name: 'page pictures',
  });
  try {
    return await runWorker(worker, search, LIMIT_MS);
  } catch (failure) {
    console.info('memories: the pictures of a page stay links', failure);
    return [];
  }
}

/** With the size in pixels, so that its place is known before it is drawn; undefined for one that cannot be shown. */
async function sizedPicture(source: string): Promise<TextPicture | undefined> {
  const image = new Image();
  image.src = source;
  try {
    await new Promise((resolve, reject) => {
      image.addEventListener('load', resolve);
      image.addEventListener('error', reject);
    });
  } catch {
    return undefined;
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  // A drawing may have no size of its own.
  return width > 0 && height > 0 ? { source, width, height } : undefined;
}
