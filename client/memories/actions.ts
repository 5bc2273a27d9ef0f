/**
 * The actions on memories, one or many at a time, each with an undo entry and a toast. Writes through mutations only;
 * these check permissions, and buttons read the same table before.
 */
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { perform } from '#client/shell/perform.ts';
import { showUndoToast } from '#client/shell/undo.ts';
import type { ToastAction } from '#client/shell/toasts.ts';

type MemoryId = Id<'memory'>;

function counted(count: number): string {
  return count === 1 ? 'Memory' : `${count} memories`;
}

interface Reversible {
  title: string;
  does: readonly (() => Promise<void>)[];
  undoes: readonly (() => Promise<void>)[];
  more?: readonly ToastAction[];
  /** Called when it was taken back. */
  undone?: (() => void) | undefined;
}

async function performReversibly({ title, does, undoes, more = [], undone }: Reversible): Promise<void> {
  if (does.length === 0) return;
  const isDone = await perform(...does);
  if (!isDone) return;
  const undo = async () => {
    if (await perform(...undoes)) undone?.();
  };
  showUndoToast(title, undo, more);
}

/** Moves memories into the archive or back. */
export function archiveMemories(
  rows: readonly MemoryHead[],
  archived = true,
  undone?: () => void,
): Promise<void> {
  const changing = rows.filter((row) => row.archived !== archived && row.deletedAt === null);
  const set = (id: MemoryId, value: boolean) => () => mutate('memory.update', { id, archived: value });
  return performReversibly({
    title: archived
      ? `${counted(changing.length)} archived`
      : `${counted(changing.length)} back from the archive`,
    does: changing.map(({ id }) => set(id, archived)),
    undoes: changing.map(({ id }) => set(id, !archived)),
    undone,
  });
}

/** Deletes memories; they stay in "Recently deleted". */
export function removeMemories(rows: readonly MemoryHead[]): Promise<void> {
  const changing = rows.filter((row) => row.deletedAt === null);
  return performReversibly({
    title: `${counted(changing.length)} deleted`,
    does: changing.map(
      ({ id }) =>
        () =>
          mutate('memory.remove', { id }),
    ),
    undoes: changing.map(
      ({ id }) =>
        () =>
          mutate('memory.restore', { id }),
    ),
  });
}

/** Brings deleted memories back. */
export function restoreMemories(rows: readonly MemoryHead[]): Promise<void> {
  const changing = rows.filter((row) => row.deletedAt !== null);
  return performReversibly({
    title: `${counted(changing.length)} restored`,
    does: changing.map(
      ({ id }) =>
        () =>
          mutate('memory.restore', { id }),
    ),
    undoes: changing.map(
      ({ id }) =>
        () =>
          mutate('memory.remove', { id }),
    ),
  });
}

/** Puts a tag on memories or takes it off. */
export function tagMemories(rows: readonly MemoryHead[], tag: string, on: boolean): Promise<void> {
  const changing = rows.filter((row) => row.tags.includes(tag) !== on);
  const set = (id: MemoryId, value: boolean) => () =>
    mutate(value ? 'memory.add_tags' : 'memory.remove_tags', { id, tags: [tag] });
  return performReversibly({
    title: on ? `Tagged #${tag}` : `#${tag} taken off`,
    does: changing.map(({ id }) => set(id, on)),
    undoes: changing.map(({ id }) => set(id, !on)),
  });
}

/** Gives memories with one tag another; those that have both lose the first, so the name of a known tag merges the two. */
export function renameTag(rows: readonly MemoryHead[], from: string, to: string): Promise<void> {
  const changing = rows.filter((row) => row.tags.includes(from));
  const add = (id: MemoryId, tag: string) => () => mutate('memory.add_tags', { id, tags: [tag] });
  const remove = (id: MemoryId, tag: string) => () => mutate('memory.remove_tags', { id, tags: [tag] });
  return performReversibly({
    title: `#${from} is now #${to}`,
    // Removed first: a memory may have no room for one more tag.
    does: changing.flatMap(({ id, tags }) => [remove(id, from), ...(tags.includes(to) ? [] : [add(id, to)])]),
    undoes: changing.flatMap(({ id, tags }) => [
      ...(tags.includes(to) ? [] : [remove(id, to)]),
      add(id, from),
    ]),
  });
}

/** Adds memories to a space or removes them from it; `filed` returns which are in it now. */
export function fileMemories(
  ids: readonly MemoryId[],
  space: { id: Id<'space'>; name: string },
  { on, filed }: { on: boolean; filed: (id: MemoryId) => boolean },
): Promise<void> {
  const changing = ids.filter((id) => filed(id) !== on);
  const set = (memoryId: MemoryId, value: boolean) => () =>
    mutate(value ? 'space_memory.create' : 'space_memory.remove', { memoryId, spaceId: space.id });
  return performReversibly({
    title: on
      ? `${counted(changing.length)} added to ${space.name}`
      : `${counted(changing.length)} removed from ${space.name}`,
    does: changing.map((id) => set(id, on)),
    undoes: changing.map((id) => set(id, !on)),
  });
}

/**
 * Moves memories to another home, null for none; `filed` returns the spaces that they are in now, so that undo is
 * exact.
 */
export function moveMemories(
  rows: readonly MemoryHead[],
  home: { id: Id<'space'>; name: string } | null,
  filed: (memoryId: MemoryId, spaceId: Id<'space'>) => boolean,
): Promise<void> {
  const to = home?.id ?? null;
  const changing = rows.filter((row) => row.spaceId !== to && row.deletedAt === null);
  const moved = (id: MemoryId, spaceId: Id<'space'> | null) => () => mutate('memory.move', { id, spaceId });
  const back = ({ id, spaceId }: MemoryHead): readonly (() => Promise<void>)[] => [
    moved(id, spaceId),
    ...(to !== null && filed(id, to)
      ? [() => mutate('space_memory.create', { memoryId: id, spaceId: to })]
      : []),
    ...(spaceId !== null && !filed(id, spaceId)
      ? [() => mutate('space_memory.remove', { memoryId: id, spaceId })]
      : []),
  ];
  return performReversibly({
    title: home
      ? `${counted(changing.length)} moved to ${home.name}`
      : `${counted(changing.length)} moved out of ${changing.length === 1 ? 'its space' : 'their spaces'}`,
    does: changing.map(({ id }) => moved(id, to)),
    // Evaluated now: afterwards the memories are in other spaces.
    undoes: changing.flatMap(back),
  });
}

/** Requests that the server fetches a link or file again. */
export async function retryMemory(row: MemoryHead): Promise<void> {
  await perform(() => mutate('memory.retry', { id: row.id }));
}
