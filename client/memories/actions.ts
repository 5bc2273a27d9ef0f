/**
 * The actions on memories, one or many at a time, each with an undo entry and a toast. Writes through mutations only;
 * these check permissions, and buttons read the same table before.
 */
import { MANY_STEP } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { perform } from '#client/shell/perform.ts';
import { withProgress } from '#client/shell/progress-toast.ts';
import { undoable } from '#client/shell/undo.ts';

type MemoryId = Id<'memory'>;
type SpaceId = Id<'space'>;

function counted(count: number): string {
  return count === 1 ? 'Memory' : `${count} memories`;
}

type Step = () => Promise<void>;

/** A change of memories in one mutation. */
type Change = (ids: readonly MemoryId[]) => Promise<void>;

/** The mutation of one memory names it in the list of waiting changes; the one of many is listed as one change. */
function change(one: (id: MemoryId) => Promise<void>, many: (ids: MemoryId[]) => Promise<void>): Change {
  return (ids) => {
    const [only] = ids;
    return only !== undefined && ids.length === 1 ? one(only) : many([...ids]);
  };
}

const setArchived = (archived: boolean) =>
  change(
    (id) => mutate('memory.update', { id, archived }),
    (ids) => mutate('memory.archive_many', { ids, archived }),
  );

const remove = change(
  (id) => mutate('memory.remove', { id }),
  (ids) => mutate('memory.remove_many', { ids }),
);

const restore = change(
  (id) => mutate('memory.restore', { id }),
  (ids) => mutate('memory.restore_many', { ids }),
);

const addTag = (tag: string) =>
  change(
    (id) => mutate('memory.add_tags', { id, tags: [tag] }),
    (ids) => mutate('memory.add_tags_many', { ids, tags: [tag] }),
  );

const removeTag = (tag: string) =>
  change(
    (id) => mutate('memory.remove_tags', { id, tags: [tag] }),
    (ids) => mutate('memory.remove_tags_many', { ids, tags: [tag] }),
  );

const moveTo = (spaceId: SpaceId | null) =>
  change(
    (id) => mutate('memory.move', { id, spaceId }),
    (ids) => mutate('memory.move_many', { ids, spaceId }),
  );

const addTo = (spaceId: SpaceId) =>
  change(
    (memoryId) => mutate('space_memory.create', { memoryId, spaceId }),
    (memoryIds) => mutate('space_memory.create_many', { memoryIds, spaceId }),
  );

const removeFrom = (spaceId: SpaceId) =>
  change(
    (memoryId) => mutate('space_memory.remove', { memoryId, spaceId }),
    (memoryIds) => mutate('space_memory.remove_many', { memoryIds, spaceId }),
  );

/** The step for a change; no step without memories. */
function step(make: Change, ids: readonly MemoryId[]): readonly Step[] {
  return ids.length === 0 ? [] : [() => make(ids)];
}

const idsOf = (rows: readonly { id: MemoryId }[]): readonly MemoryId[] => rows.map(({ id }) => id);

/** Splits items into the parts that one mutation changes. */
function parts<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / MANY_STEP) }, (_, index) =>
    items.slice(index * MANY_STEP, (index + 1) * MANY_STEP),
  );
}

interface Reversible<T> {
  items: readonly T[];
  /** Shown while the action runs long. */
  doing: string;
  /** Text of the undo toast for this many changed items. */
  title: (count: number) => string;
  does: (part: readonly T[]) => readonly Step[];
  /** Called before `does`, because afterwards the memories have changed. */
  undoes: (part: readonly T[]) => readonly Step[];
  /** Called after an undo. */
  undone?: (() => void) | undefined;
}

/** Changes the items part by part; a failure ends it, and undo reverts the parts before. */
async function performReversibly<T>(action: Reversible<T>): Promise<void> {
  const { items, doing: title, does, undoes, undone } = action;
  if (items.length === 0) return;
  const back: Step[] = [];
  let count = 0;
  const act = async () => {
    await withProgress({ title, total: items.length }, async (report) => {
      for (const part of parts(items)) {
        const backOfPart = undoes(part);
        if (!(await perform(...does(part)))) break;
        back.push(...backOfPart);
        count += part.length;
        report(count);
      }
    });
    return count > 0;
  };
  const undo = async () => {
    const isUndone = await withProgress({ title: 'Undoing', total: back.length }, (report) =>
      perform(
        ...back.map((each, index) => async () => {
          await each();
          report(index + 1);
        }),
      ),
    );
    if (isUndone) undone?.();
  };
  await undoable({ act, undo, title: () => action.title(count) });
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
    does: (ids) => step(setArchived(archived), ids),
    undoes: (ids) => step(setArchived(!archived), ids),
    undone,
  });
}

/** Deletes memories; they stay in "Recently deleted". */
export function removeMemories(rows: readonly MemoryHead[]): Promise<void> {
  return performReversibly({
    items: idsOf(rows.filter((row) => row.deletedAt === null)),
    doing: 'Deleting memories',
    title: (count) => `${counted(count)} deleted`,
    does: (ids) => step(remove, ids),
    undoes: (ids) => step(restore, ids),
  });
}

/** Brings deleted memories back. */
export function restoreMemories(rows: readonly MemoryHead[]): Promise<void> {
  return performReversibly({
    items: idsOf(rows.filter((row) => row.deletedAt !== null)),
    doing: 'Restoring memories',
    title: (count) => `${counted(count)} restored`,
    does: (ids) => step(restore, ids),
    undoes: (ids) => step(remove, ids),
  });
}

/** Adds a tag to memories or removes it. */
export function tagMemories(rows: readonly MemoryHead[], tag: string, on: boolean): Promise<void> {
  const set = (isOn: boolean) => (isOn ? addTag(tag) : removeTag(tag));
  return performReversibly({
    items: idsOf(rows.filter((row) => row.tags.includes(tag) !== on)),
    doing: on ? `Adding #${tag}` : `Removing #${tag}`,
    title: () => (on ? `Tagged #${tag}` : `#${tag} taken off`),
    does: (ids) => step(set(on), ids),
    undoes: (ids) => step(set(!on), ids),
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
    does: (part) => [...step(removeTag(from), idsOf(part)), ...step(addTag(to), gaining(part))],
    undoes: (part) => [...step(removeTag(to), gaining(part)), ...step(addTag(from), idsOf(part))],
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
    does: (part) => step(set(on), part),
    undoes: (part) => step(set(!on), part),
  });
}

/** Memories by home space. */
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
  const back = (from: SpaceId | null, ids: readonly MemoryId[]): readonly Step[] => [
    ...step(moveTo(from), ids),
    ...(to === null
      ? []
      : step(
          addTo(to),
          ids.filter((id) => filed(id, to)),
        )),
    ...(from === null
      ? []
      : step(
          removeFrom(from),
          ids.filter((id) => !filed(id, from)),
        )),
  ];
  return performReversibly({
    items: rows.filter((row) => row.spaceId !== to && row.deletedAt === null),
    doing: 'Moving memories',
    title: (count) =>
      home
        ? `${counted(count)} moved to ${home.name}`
        : `${counted(count)} moved out of ${count === 1 ? 'its space' : 'their spaces'}`,
    does: (part) => step(moveTo(to), idsOf(part)),
    undoes: (part) => [...byHome(part)].flatMap(([from, moved]) => back(from, idsOf(moved))),
  });
}

/** Requests that the server fetches a link or file again. */
export async function retryMemory(row: MemoryHead): Promise<void> {
  await perform(() => mutate('memory.retry', { id: row.id }));
}
