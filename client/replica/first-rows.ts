/**
 * The rows that a first screen draws: sent by the worker before the rest of a replica, and stored with the snapshot of a screen,
 * from which the next start draws its list before the worker has read the device.
 */
import type { SyncedKind } from '#shared/entities.ts';
import { SYNCED_KINDS } from '#shared/kinds.ts';
import { keyOf } from '#shared/sync/keys.ts';
import type { KeyChange, Mirror } from '#client/replica/mirror.ts';
import type { Mirrors } from '#client/replica/view.ts';
import { SNAPSHOT_ROWS_ID } from '#client/start/snapshot-rows.ts';

/** Of kinds with few rows in every workspace. */
const USUAL = 1_000;

const FEWER: Readonly<Partial<Record<SyncedKind, number>>> = {
  thread: 100,
  memory: 50,
  // They come after the memories, and a screen is drawn without them.
  space_memory: 0,
  notification: 50,
  message: 0,
};

/** How many rows of a kind a first screen needs at most, in the order of their keys. */
export const firstRowsMax = (kind: SyncedKind): number => FEWER[kind] ?? USUAL;

/** What a screen of one person was drawn from. */
export interface FirstRows {
  userId: string;
  realms: Readonly<Record<string, readonly KeyChange[]>>;
  /** Counts of all rows that it showed, by name. */
  counts: Readonly<Record<string, number>>;
}

function changeOf<K extends SyncedKind>(mirror: Mirror, kind: K, id: string): KeyChange[] {
  const row = mirror.lists[kind].byId.get(id);
  return row === undefined ? [] : [[keyOf(kind, row), row]];
}

function firstRowsIn(mirror: Mirror): KeyChange[] {
  return SYNCED_KINDS.filter((kind) => kind !== 'memory').flatMap((kind) =>
    mirror.lists[kind].live.slice(0, firstRowsMax(kind)).map((row): KeyChange => [keyOf(kind, row), row]),
  );
}

/** The rows of a page that shows a list of these memories. */
export function firstRowsOf(
  { mirrors, counts }: { mirrors: Mirrors; counts: ReadonlyMap<string, number> },
  memoryIds: readonly string[],
): FirstRows {
  const { userId, workspaceId, account, workspace } = mirrors;
  const shown = memoryIds.flatMap((id) => [
    ...changeOf(workspace, 'memory', id),
    ...[...workspace.spacesOfMemory.of(id)].flatMap((spaceId) =>
      changeOf(workspace, 'space_memory', `${spaceId}/${id}`),
    ),
  ]);
  const own = { [userId]: firstRowsIn(account) };
  return {
    userId,
    counts: Object.fromEntries(counts),
    realms:
      workspaceId === undefined ? own : { ...own, [workspaceId]: [...firstRowsIn(workspace), ...shown] },
  };
}

function isFirstRows(value: unknown): value is FirstRows {
  if (typeof value !== 'object' || value === null) return false;
  if (!('userId' in value) || !('counts' in value) || !('realms' in value)) return false;
  const { realms } = value;
  return typeof realms === 'object' && realms !== null && Object.values(realms).every(Array.isArray);
}

/** Takes them out of the document, if it has some of this person. */
export function takeFirstRows(userId: string): FirstRows | undefined {
  const element = globalThis.document?.querySelector(`#${SNAPSHOT_ROWS_ID}`);
  const rows: unknown = JSON.parse(element?.textContent ?? 'null');
  element?.remove();
  return isFirstRows(rows) && rows.userId === userId ? rows : undefined;
}
