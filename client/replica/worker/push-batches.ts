// Cuts the mutations of one push into requests that the server accepts. Pure.
import { SYNC } from '#shared/constants.ts';
import { jsonBytes } from '#client/replica/worker/replica-mutators.ts';

/** Groups in order, each within both limits; one item alone may exceed the bytes, because it cannot be cut. */
export function batchesOf<T>(
  items: readonly T[],
  {
    maxItems = SYNC.pushMaxMutations,
    maxBytes = SYNC.pushMaxBytes,
  }: { maxItems?: number; maxBytes?: number } = {},
): T[][] {
  const batches: T[][] = [];
  let current: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = jsonBytes(item) + 1;
    if (current.length > 0 && (current.length >= maxItems || bytes + size > maxBytes)) {
      batches.push(current);
      current = [];
      bytes = 0;
    }
    current.push(item);
    bytes += size;
  }
  if (current.length > 0) batches.push(current);
  return batches;
}

/** Both halves of a batch, the first never smaller than the second. */
export function halves<T>(batch: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
