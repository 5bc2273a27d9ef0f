// The border between untyped replica values and rows. Rows were checked by the server that sent them and by the
// mutators that wrote them, so here only their frame is looked at.
import type { Head, SyncedKind } from '#shared/entities.ts';
import type { MutationResult, SyncState } from '#shared/sync/protocol.ts';
import { memoryHeadOf } from '#shared/memories/body.ts';

/** True when the value can be a row of the kind. */
export function isHead<K extends SyncedKind>(_kind: K, value: unknown): value is Head<K> {
  return typeof value === 'object' && value !== null && ('created' in value || 'createdAt' in value);
}

function hasFields(value: unknown, type: 'number' | 'string', names: readonly string[]): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return names.every((name) => typeof fields.get(name) === type);
}

/** True when the value says how far a realm is; the server's word, so only its frame is looked at. */
export function isSyncState(value: unknown): value is SyncState {
  return hasFields(value, 'number', ['v', 'loaded', 'total']) && 'done' in value;
}

/** True when the value says why a mutation was refused. */
export function isMutationResult(value: unknown): value is MutationResult {
  return (
    hasFields(value, 'string', ['clientID', 'name', 'code', 'message', 'created']) &&
    hasFields(value, 'number', ['mutationID'])
  );
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
