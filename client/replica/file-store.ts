// Uploaded files that were opened on this device, and saved pages, so that they open without a network. A file that cannot be
// stored is only shown.
import { FILES } from '#shared/capture/limits.ts';
import { capOnDevice, countBytes, evictLeastUsed } from '#client/replica/least-used.ts';
import type { DeviceTables } from '#client/replica/lazy-device.ts';

/** Maximum bytes of files on this device. */
export function fileCap(): Promise<number> {
  return capOnDevice(FILES.deviceMaxBytes, FILES.deviceQuotaShare);
}

/** The file of an upload, if it was opened here before. */
export async function findFile(device: DeviceTables | undefined, id: string): Promise<Blob | undefined> {
  try {
    const tables = await device?.tables();
    const found = await tables?.file.get(id);
    if (found) await tables?.file.update(id, { lastUsed: Date.now() });
    return found?.blob;
  } catch (error) {
    console.info('replica: the stored files could not be used', error);
    return undefined;
  }
}

/** Stores a file; one that is larger than all of the room for files is not stored. */
export async function keepFile(
  device: DeviceTables | undefined,
  { id, blob, lastUsed = Date.now() }: { id: string; blob: Blob; lastUsed?: number },
  capOf: () => Promise<number> = fileCap,
): Promise<void> {
  try {
    const tables = await device?.tables();
    const cap = await capOf();
    if (!tables || blob.size > cap) return;
    await tables.file.put({ id, blob, bytes: blob.size, lastUsed });
    await evictLeastUsed(tables.file, { total: await countBytes(tables.file), cap });
  } catch (error) {
    console.warn('replica: a file could not be stored on this device', error);
  }
}
