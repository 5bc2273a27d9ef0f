/**
 * The dialog that changes a space: name, description, address, colour, audience.
 * A page that shows the space under its old address follows by itself (space-page.tsx).
 */
import type { Space } from '#shared/spaces/space.ts';
import { updateSpace } from '#client/spaces/actions.ts';
import { useMayPublishSpaces, useSpace, useSpaceCount, useSpaceRights } from '#client/spaces/queries.ts';
import { SpaceForm, type SpaceFormValues } from '#client/spaces/space-form.tsx';
import { useActor } from '#client/workspaces/queries.ts';
import { useModal } from '#client/shell/modals.ts';
import { Dialog } from '#client/ui/dialog.tsx';

/** Only what differs, so that another person's change of another field survives. */
function changesOf(space: Space, values: SpaceFormValues): Partial<Space> {
  const next = { ...values, description: values.description || null };
  return Object.fromEntries(
    Object.entries(next).filter(([field, value]) => Reflect.get(space, field) !== value),
  );
}

function EditSpace({ space, close }: { space: Space; close: () => void }) {
  const count = useSpaceCount(space.id);
  const publishable = useMayPublishSpaces(space.ownerId);
  const save = async (values: SpaceFormValues) => {
    const changes = changesOf(space, values);
    const base = { name: space.name, description: space.description };
    const isDone = Object.keys(changes).length === 0 || (await updateSpace(space.id, { ...changes, base }));
    if (isDone) close();
    return isDone;
  };
  const { userId } = useActor();
  const { name, slug, color, visibility } = space;
  return (
    <SpaceForm
      draftKey={`space/${userId}/${space.id}`}
      initial={{ name, slug, color, visibility, description: space.description ?? '' }}
      own={space}
      memoryCount={count}
      publishable={publishable}
      submit="Save"
      onCancel={close}
      onSave={save}
    />
  );
}

/** Once per dashboard. */
export function EditSpaceModal() {
  const modal = useModal('editSpace');
  const space = useSpace(modal.args?.spaceId);
  const rights = useSpaceRights();
  const editable = space !== undefined && space.deletedAt === null && rights('space.update', space);
  return (
    <Dialog open={modal.open && editable} onOpenChange={modal.onOpenChange} title="Edit space">
      {space && <EditSpace key={space.id} space={space} close={modal.close} />}
    </Dialog>
  );
}
