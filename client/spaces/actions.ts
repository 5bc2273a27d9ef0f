/**
 * What people do to spaces: create, change, delete with its way back.
 * Writes through mutations only; a failure is shown and answered with false.
 */
import type { Id } from '#shared/ids.ts';
import type { MutatorArgs } from '#shared/mutators.ts';
import type { Space } from '#shared/spaces/space.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { perform } from '#client/shell/perform.ts';
import { showUndoToast } from '#client/shell/undo.ts';

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

/** Creates a space with memories in it from its name alone; one undo takes both back. `open` leads to the new space. */
export async function fileInNewSpace(
  fields: Omit<MutatorArgs<'space.create'>, 'at'>,
  memoryIds: readonly Id<'memory'>[],
  open: () => void,
): Promise<void> {
  if (!(await createSpace(fields, memoryIds))) return;
  const what = memoryIds.length === 1 ? 'Memory' : `${memoryIds.length} memories`;
  const undo = async () => void (await perform(() => mutate('space.remove', { id: fields.id })));
  showUndoToast(`${what} added to ${fields.name}`, undo, [{ label: 'Open', run: open }]);
}

/** Changes fields of a space. */
export function updateSpace(id: Id<'space'>, fields: SpaceFields): Promise<boolean> {
  return perform(() => mutate('space.update', { id, ...fields }));
}

/** Deletes a space; its memories stay. `undone` is called when it came back. */
export async function removeSpace(space: Space, undone: () => void): Promise<boolean> {
  const isDone = await perform(() => mutate('space.remove', { id: space.id }));
  if (!isDone) return false;
  showUndoToast(`${space.name} deleted`, async () => {
    if (await restoreSpace(space)) undone();
  });
  return true;
}

/** Brings a deleted space back. */
export function restoreSpace(space: Pick<Space, 'id'>): Promise<boolean> {
  return perform(() => mutate('space.restore', { id: space.id }));
}
