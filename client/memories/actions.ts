/**
 * The actions on memories, one or many at a time, each with an undo entry and a toast. Writes through mutations only;
 * these check permissions, and buttons read the same table before.
 */
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { mutate, mutateAll } from '#client/replica/current-replica.ts';
import { mutationParts } from '#client/replica/mutation-parts.ts';
import type { Mutation } from '#client/replica/replica.ts';
import { perform } from '#client/shell/perform.ts';
import { withProgress } from '#client/shell/progress-toast.ts';
import { undoable } from '#client/shell/undo.ts';

type MemoryId = Id<'memory'>;
type SpaceId = Id<'space'>;

function counted(count: number): string {
  return count === 1 ? 'Memory' : `${count} memories`;
}

/** The mutations that change memories. */
type Change = (ids: readonly MemoryId[]) => readonly Mutation[];

/**
 * The mutation of one memory names it in the list of waiting changes; the one of many is listed as one change. No mutation
 * without memories.
 */
function change(one: (id: MemoryId) => Mutation, many: (ids: MemoryId[]) => Mutation): Change {
  return (ids) => {
    const [first] = ids;
    if (first === undefined) return [];
    return [ids.length === 1 ? one(first) : many([...ids])];
  };
}

const setArchived = (archived: boolean) =>
  change(
    (id) => ({ name: 'memory.update', args: { id, archived } }),
    (ids) => ({ name: 'memory.archive_many', args: { ids, archived } }),
  );

const remove = change(
  (id) => ({ name: 'memory.remove', args: { id } }),
  (ids) => ({ name: 'memory.remove_many', args: { ids } }),
);

const restore = change(
  (id) => ({ name: 'memory.restore', args: { id } }),
  (ids) => ({ name: 'memory.restore_many', args: { ids } }),
);

const addTag = (tag: string) =>
  change(
    (id) => ({ name: 'memory.add_tags', args: { id, tags: [tag] } }),
    (ids) => ({ name: 'memory.add_tags_many', args: { ids, tags: [tag] } }),
  );

const removeTag = (tag: string) =>
  change(
    (id) => ({ name: 'memory.remove_tags', args: { id, tags: [tag] } }),
    (ids) => ({ name: 'memory.remove_tags_many', args: { ids, tags: [tag] } }),
  );

const moveTo = (spaceId: SpaceId | null) =>
  change(
    (id) => ({ name: 'memory.move', args: { id, spaceId } }),
    (ids) => ({ name: 'memory.move_many', args: { ids, spaceId } }),
  );

const addTo = (spaceId: SpaceId) =>
  change(
    (memoryId) => ({ name: 'space_memory.create', args: { memoryId, spaceId } }),
    (memoryIds) => ({ name: 'space_memory.create_many', args: { memoryIds, spaceId } }),
  );

const removeFrom = (spaceId: SpaceId) =>
  change(
    (memoryId) => ({ name: 'space_memory.remove', args: { memoryId, spaceId } }),
    (memoryIds) => ({ name: 'space_memory.remove_many', args: { memoryIds, spaceId } }),
  );

const idsOf = (rows: readonly { id: MemoryId }[]): readonly MemoryId[] => rows.map(({ id }) => id);

interface Reversible<T> {
  items: readonly T[];
  /** Shown while the action runs long. */
  doing: string;
  /** Text of the undo toast for this many changed items. */
  title: (count: number) => string;
  does: (part: readonly T[]) => readonly Mutation[];
  /** What reverts `does`, made before anything has changed. */
  undoes: (part: readonly T[]) => readonly Mutation[];
  /** Called after an undo. */
  undone?: (() => void) | undefined;
}

/** Changes the items in parts; a failure ends it, and undo reverts the parts before. */
async function performReversibly<T>(action: Reversible<T>): Promise<void> {
  const { items, doing: title, does, undoes, undone } = action;
  if (items.length === 0) return;
  let before = 0;
  const all = mutationParts(items).map((part) => {
    const made = does(part);
    before += made.length;
    return { size: part.length, made, back: undoes(part), isMadeAt: before };
  });
  let changed: typeof all = [];
  const count = () => changed.reduce((sum, { size }) => sum + size, 0);
  const act = async () => {
    await withProgress({ title, total: items.length }, (report) => {
      const reportApplied = (applied: number) => {
        changed = all.filter(({ isMadeAt }) => isMadeAt <= applied);
        report(count());
      };
      return perform(() =>
        mutateAll(
          all.flatMap(({ made }) => made),
          reportApplied,
        ),
      );
    });
    return changed.length > 0;
  };
  const undo = async () => {
    const back = changed.flatMap((part) => part.back);
    const isUndone = await withProgress({ title: 'Undoing', total: back.length }, (report) =>
      perform(() => mutateAll(back, report)),
    );
    if (isUndone) undone?.();
  };
  await undoable({ act, undo, title: () => action.title(count()) });
}

/** Moves memories into the archive or back. */
export function archiveMemories(
  rows: readonly MemoryHead[],
  archived = true,
  undone?: () => void,
): Promise<void> {
  return performReversibly({
    items: idsOf(rows.filter((row) => row.archived !== archived && row.deletedAt === null)),
    doing: archived ? 'Archiving memories' : 'Unarchiving memories',
    title: (count) => `${counted(count)} ${archived ? 'archived' : 'back from the archive'}`,
    does: setArchived(archived),
    undoes: setArchived(!archived),
    undone,
  });
}

/** Deletes memories; they stay in "Recently deleted". */
export function removeMemories(rows: readonly MemoryHead[]): Promise<void> {
  return performReversibly({
    items: idsOf(rows.filter((row) => row.deletedAt === null)),
    doing: 'Deleting memories',
    title: (count) => `${counted(count)} deleted`,
    does: remove,
    undoes: restore,
  });
}

/** Brings deleted memories back. */
export function restoreMemories(rows: readonly MemoryHead[]): Promise<void> {
  return performReversibly({
    items: idsOf(rows.filter((row) => row.deletedAt !== null)),
    doing: 'Restoring memories',
    title: (count) => `${counted(count)} restored`,
    does: restore,
    undoes: remove,
  });
}

export function tagMemories(rows: readonly MemoryHead[], tag: string, on: boolean): Promise<void> {
  const set = (isOn: boolean) => (isOn ? addTag(tag) : removeTag(tag));
  return performReversibly({
    items: idsOf(rows.filter((row) => row.tags.includes(tag) !== on)),
    doing: on ? `Adding #${tag}` : `Removing #${tag}`,
    title: () => (on ? `Tagged #${tag}` : `#${tag} taken off`),
    does: set(on),
    undoes: set(!on),
  });
}

/** Replaces a tag on memories; those that have both lose the first, so renaming to an existing tag merges the two. */
export function renameTag(rows: readonly MemoryHead[], from: string, to: string): Promise<void> {
  const gaining = (part: readonly MemoryHead[]) => idsOf(part.filter(({ tags }) => !tags.includes(to)));
  return performReversibly({
    items: rows.filter((row) => row.tags.includes(from)),
    doing: `Renaming #${from}`,
    title: () => `#${from} is now #${to}`,
    // Removed first: a memory may have no room for one more tag.
    does: (part) => [...removeTag(from)(idsOf(part)), ...addTag(to)(gaining(part))],
    undoes: (part) => [...removeTag(to)(gaining(part)), ...addTag(from)(idsOf(part))],
  });
}

/** Adds memories to a space or removes them from it; `filed` returns which are in it now. */
export function fileMemories(
  ids: readonly MemoryId[],
  space: { id: SpaceId; name: string },
  { on, filed }: { on: boolean; filed: (id: MemoryId) => boolean },
): Promise<void> {
  const set = (isOn: boolean) => (isOn ? addTo(space.id) : removeFrom(space.id));
  return performReversibly({
    items: ids.filter((id) => filed(id) !== on),
    doing: on ? `Adding memories to ${space.name}` : `Removing memories from ${space.name}`,
    title: (count) =>
      on ? `${counted(count)} added to ${space.name}` : `${counted(count)} removed from ${space.name}`,
    does: set(on),
    undoes: set(!on),
  });
}

function byHome(rows: readonly MemoryHead[]): ReadonlyMap<SpaceId | null, readonly MemoryHead[]> {
  return Map.groupBy(rows, ({ spaceId }) => spaceId);
}

/**
 * Moves memories to another home, null for none; `filed` returns the spaces that they are in now, so that undo is
 * exact.
 */
export function moveMemories(
  rows: readonly MemoryHead[],
  home: { id: SpaceId; name: string } | null,
  filed: (memoryId: MemoryId, spaceId: SpaceId) => boolean,
): Promise<void> {
  const to = home?.id ?? null;
  const back = (from: SpaceId | null, ids: readonly MemoryId[]): readonly Mutation[] => [
    ...moveTo(from)(ids),
    ...(to === null ? [] : addTo(to)(ids.filter((id) => filed(id, to)))),
    ...(from === null ? [] : removeFrom(from)(ids.filter((id) => !filed(id, from)))),
  ];
  return performReversibly({
    items: rows.filter((row) => row.spaceId !== to && row.deletedAt === null),
    doing: 'Moving memories',
    title: (count) =>
      home
        ? `${counted(count)} moved to ${home.name}`
        : `${counted(count)} moved out of ${count === 1 ? 'its space' : 'their spaces'}`,
    does: (part) => moveTo(to)(idsOf(part)),
    undoes: (part) => [...byHome(part)].flatMap(([from, moved]) => back(from, idsOf(moved))),
  });
}

/** Requests that the server fetches a link or file again. */
export async function retryMemory(row: MemoryHead): Promise<void> {
  await perform(() => mutate('memory.retry', { id: row.id }));
}

/** Removes the summary that a language model wrote. */
export async function forgetSummary(row: MemoryHead): Promise<void> {
  await perform(() => mutate('memory.forget_summary', { id: row.id }));
}
