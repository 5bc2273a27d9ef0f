/**
 * Finds a memory with the same address, by the same key as the server. Only searches this device; the server checks
 * again.
 */
import { urlKey } from '#shared/capture/url-key.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';

/** The newest memory with the same duplicate key, or undefined. */
export function findDuplicate(rows: readonly MemoryHead[], url: string): MemoryHead | undefined {
  const key = urlKey(url);
  if (key === null) return undefined;
  // Parsing tens of thousands of addresses would be noticeable; comparing the host as plain text excludes nearly all of them.
  const host = key.split('/')[0] ?? key;
  return rows.find((row) => row.url?.toLowerCase().includes(host) === true && urlKey(row.url) === key);
}
