/**
 * The dialog for a new space, empty or with memories that were chosen before. Goes to the new space afterwards, or stays where
 * the memories were chosen and shows the result.
 */
import { useNavigate } from 'react-router';
import { newId, type Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { hueOf } from '#shared/spaces/space-looks.ts';
import { createSpace } from '#client/spaces/actions.ts';
import { useMayPublishSpaces } from '#client/spaces/queries.ts';
import { SpaceForm, type SpaceFormValues } from '#client/spaces/space-form.tsx';
import { useActor, useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { useModal } from '#client/shell/modals.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Dialog } from '#client/ui/dialog.tsx';

function CreateSpace({ memoryIds, close }: { memoryIds: readonly Id<'memory'>[]; close: () => void }) {
  const navigate = useNavigate();
  const workspaceSlug = useWorkspaceSlug();
  const publishable = useMayPublishSpaces();
  const { userId } = useActor();
  const save = async (values: SpaceFormValues) => {
    const id = newId('space');
    const { description, ...fields } = values;
    const isDone = await createSpace({ ...fields, id, description: description || null }, memoryIds);
    if (!isDone) return false;
    close();
    const address = pathTo('space', { workspace_slug: workspaceSlug, space_slug: values.slug });
    if (memoryIds.length === 0) {
      void navigate(address);
      return true;
    }
    const what = memoryIds.length === 1 ? 'Memory' : `${memoryIds.length} memories`;
    showToast({
      kind: 'success',
      title: `${what} added to ${values.name}`,
      actions: [{ label: 'Open', run: () => void navigate(address) }],
    });
    return true;
  };
  const initial: SpaceFormValues = {
    name: '',
    description: '',
    slug: '',
    color: hueOf(''),
    visibility: 'workspace',
  };
  return (
    <SpaceForm
      draftKey={`space-new/${userId}/${workspaceSlug}`}
      initial={initial}
      memoryCount={memoryIds.length}
      publishable={publishable}
      submit="Create space"
      onCancel={close}
      onSave={save}
    />
  );
}

/** Once per dashboard. */
export function CreateSpaceModal() {
  const modal = useModal('createSpace');
  const can = useCan();
  const memoryIds = modal.args?.memoryIds ?? [];
  return (
    <Dialog
      open={modal.open && can('space.create') === true}
      onOpenChange={modal.onOpenChange}
      title="New space"
      description={
        memoryIds.length === 0
          ? 'A space groups what belongs together. A memory can be in many.'
          : `With ${memoryIds.length === 1 ? 'one memory' : `${memoryIds.length} memories`} in it.`
      }
    >
      <CreateSpace memoryIds={memoryIds} close={modal.close} />
    </Dialog>
  );
}
