/**
 * Actions on spaces: create, update, and delete with undo. They write through mutations only; a failure is shown and
 * returns false.
 */
import { MANY_MAX } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { MutatorArgs } from '#shared/mutators.ts';
import type { Space } from '#shared/spaces/space.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { perform } from '#client/shell/perform.ts';
import { undoable } from '#client/shell/undo.ts';

type SpaceFields = Omit<MutatorArgs<'space.update'>, 'id' | 'at'>;

/** Creates a space with memories in it. */
export function createSpace(
  fields: Omit<MutatorArgs<'space.create'>, 'at'>,
  memoryIds: readonly Id<'memory'>[],
): Promise<boolean> {
  return perform(async () => {
    await mutate('space.create', fields);
    for (const memoryId of memoryIds) await mutate('space_memory.create', { spaceId: fields.id, memoryId });
  });
}

/** Creates a space with memories in it from its name alone; one undo reverts both. `open` opens the new space. */
export async function fileInNewSpace(
  fields: Omit<MutatorArgs<'space.create'>, 'at'>,
  memoryIds: readonly Id<'memory'>[],
  open: () => void,
): Promise<void> {
  const what = memoryIds.length === 1 ? 'Memory' : `${memoryIds.length} memories`;
  await undoable({
    act: () => createSpace(fields, memoryIds),
    undo: async () => void (await perform(() => mutate('space.remove', { id: fields.id }))),
    title: `${what} added to ${fields.name}`,
    more: [{ label: 'Open', run: open }],
  });
}

/** Changes fields of a space. */
export function updateSpace(id: Id<'space'>, fields: SpaceFields): Promise<boolean> {
  return perform(() => mutate('space.update', { id, ...fields }));
}

type Painted = Pick<Space, 'id' | 'color'>;

/** The steps that set the colour of each space: one for all of the same colour. */
function coloring(spaces: readonly Painted[]): (() => Promise<void>)[] {
  return [...Map.groupBy(spaces, ({ color }) => color)].flatMap(([color, group]) =>
    Array.from({ length: Math.ceil(group.length / MANY_MAX) }, (_, part) => {
      const ids = group.slice(part * MANY_MAX, (part + 1) * MANY_MAX).map(({ id }) => id);
      return () => mutate('space.color_many', { ids, color });
    }),
  );
}

/** Sets one colour on many spaces; one undo restores the previous colours. */
export async function colorSpaces(spaces: readonly Space[], color: Space['color']): Promise<void> {
  const others = spaces.filter((space) => space.color !== color);
  if (others.length === 0) return;
  const what = others.length === 1 ? others[0]?.name : `${others.length} spaces`;
  await undoable({
    act: () => perform(...coloring(others.map(({ id }) => ({ id, color })))),
    undo: async () => void (await perform(...coloring(others))),
    title: `Colour of ${what} changed`,
  });
}

/** Deletes a space; its memories stay. `undone` is called when it is restored. */
export function removeSpace(space: Space, undone: () => void): Promise<boolean> {
  return undoable({
    act: () => perform(() => mutate('space.remove', { id: space.id })),
    undo: async () => {
      if (await restoreSpace(space)) undone();
    },
    title: `${space.name} deleted`,
  });
}

/** Brings a deleted space back. */
export function restoreSpace(space: Pick<Space, 'id'>): Promise<boolean> {
  return perform(() => mutate('space.restore', { id: space.id }));
}
