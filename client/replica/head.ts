// The border between untyped replica values and rows. Rows were checked by the server that sent them and by the
// mutators that wrote them, so here only their frame is looked at.
import type { Head, SyncedKind } from '#shared/entities.ts';
import { memoryHeadOf } from '#shared/memories/body.ts';

/** True when the value can be a row of the kind. */
export function isHead<K extends SyncedKind>(_kind: K, value: unknown): value is Head<K> {
  return typeof value === 'object' && value !== null && ('created' in value || 'createdAt' in value);
}

const same = <T>(row: T): T => row;

const SHRINK: { [K in SyncedKind]: (row: Head<K>) => Head<K> } = {
  workspace: same,
  workspace_member: same,
  space: same,
  thread: same,
  memory: memoryHeadOf,
  space_memory: same,
  notification: same,
  message: same,
};

/** The row as replicas hold it: long texts are left out. */
export function headOf<K extends SyncedKind>(kind: K, row: Head<K>): Head<K> {
  return SHRINK[kind](row);
}
