/**
 * Actions on spaces: create, update, and delete with undo. They write through mutations only; a failure is shown and
 * returns false.
 */
import type { Id } from '#shared/ids.ts';
import type { MutatorArgs } from '#shared/mutators.ts';
import type { Space } from '#shared/spaces/space.ts';
import { mutate, mutateAll } from '#client/replica/current-replica.ts';
import { mutationParts } from '#client/replica/mutation-parts.ts';
import type { Mutation } from '#client/replica/replica.ts';
import { perform } from '#client/shell/perform.ts';
import { undoable } from '#client/shell/undo.ts';

type SpaceFields = Omit<MutatorArgs<'space.update'>, 'id' | 'at'>;

export function createSpace(
  fields: Omit<MutatorArgs<'space.create'>, 'at'>,
  memoryIds: readonly Id<'memory'>[],
): Promise<boolean> {
  const links = mutationParts(memoryIds).map((part): Mutation => ({
    name: 'space_memory.create_many',
    args: { spaceId: fields.id, memoryIds: part },
  }));
  return perform(() => mutateAll([{ name: 'space.create', args: fields }, ...links]));
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

export function updateSpace(id: Id<'space'>, fields: SpaceFields): Promise<boolean> {
  return perform(() => mutate('space.update', { id, ...fields }));
}

type Painted = Pick<Space, 'id' | 'color'>;

/** Sets the colour of each space, with one mutation for those of the same colour. */
function colorEach(spaces: readonly Painted[]): Promise<boolean> {
  const mutations = [...Map.groupBy(spaces, ({ color }) => color)].flatMap(([color, group]) =>
    mutationParts(group.map(({ id }) => id)).map((ids): Mutation => ({
      name: 'space.color_many',
      args: { ids, color },
    })),
  );
  return perform(() => mutateAll(mutations));
}

/** Sets one colour on many spaces; one undo restores the previous colours. */
export async function colorSpaces(spaces: readonly Space[], color: Space['color']): Promise<void> {
  const others = spaces.filter((space) => space.color !== color);
  if (others.length === 0) return;
  const what = others.length === 1 ? others[0]?.name : `${others.length} spaces`;
  await undoable({
    act: () => colorEach(others.map(({ id }) => ({ id, color }))),
    undo: async () => void (await colorEach(others)),
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
