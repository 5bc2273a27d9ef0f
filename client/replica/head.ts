// The boundary between untyped replica values and rows. Rows were validated by the server that sent them or by the
// mutators that wrote them, so only their outline is checked here.
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

/** True for the sync state of a realm; it comes from the server, so only its outline is checked. */
export function isSyncState(value: unknown): value is SyncState {
  return hasFields(value, 'number', ['v', 'loaded', 'total']) && 'done' in value;
}

/** True for the stored result of a refused mutation. */
export function isMutationResult(value: unknown): value is MutationResult {
  return (
    hasFields(value, 'string', ['clientID', 'name', 'code', 'message', 'created']) &&
    hasFields(value, 'number', ['mutationID'])
  );
}

const SHRINK: { [K in SyncedKind]?: (row: Head<K>) => Head<K> } = { memory: memoryHeadOf };

/** The row as replicas hold it: long texts are left out. */
export function headOf<K extends SyncedKind>(kind: K, row: Head<K>): Head<K> {
  return SHRINK[kind]?.(row) ?? row;
}
