/**
 * Copies a public space into a workspace of the signed-in visitor: says what is copied, asks where to, does it.
 * Needs the network; the copy then arrives in the workspace like any other change.
 */
import { useEffect, useState } from 'react';
import type { Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { api } from '#client/api/session-client.ts';
import { useStore } from '#client/shell/external-store.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { saveSpaceStore, type SpaceToSave } from '#client/spaces/save-space-store.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFormFoot } from '#client/ui/dialog.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';

interface Place {
  id: Id<'workspace'>;
  name: string;
  slug: string;
}

const close = (): void => saveSpaceStore.set(undefined);

/** The workspaces of the visitor; undefined while they are being asked for. */
function usePlaces(): readonly Place[] | undefined {
  const [places, setPlaces] = useState<readonly Place[]>();
  useEffect(() => {
    let isHere = true;
    api('workspace.list', { query: {} }).then(
      ({ result }) => {
        if (isHere) setPlaces(result);
      },
      (failure: unknown) => {
        showProblem(failure);
        close();
      },
    );
    return () => {
      isHere = false;
    };
  }, []);
  return places;
}

/** Pages that the workspace had are shown in the new space and not copied again. */
function whatCame({ copied, linked }: { copied: number; linked: number }): string {
  const came = copied === 1 ? '1 memory copied.' : `${copied.toLocaleString('en')} memories copied.`;
  if (linked === 0) return came;
  return linked === 1
    ? `${came} 1 was here already and is in the space too.`
    : `${came} ${linked.toLocaleString('en')} were here already and are in the space too.`;
}

async function saveCopy(space: SpaceToSave, place: Place): Promise<void> {
  try {
    const { result } = await api('space.clone', { body: { workspaceId: place.id, spaceId: space.id } });
    close();
    const path = pathTo('space', { workspace_slug: place.slug, space_slug: result.slug });
    showToast({
      kind: 'success',
      title: `Saved to ${place.name}`,
      description: whatCame(result),
      actions: [{ label: 'Open', run: () => globalThis.location.assign(path) }],
    });
  } catch (failure) {
    showProblem(failure);
  }
}

function SaveSpace({ space }: { space: SpaceToSave }) {
  const places = usePlaces();
  const [chosen, setChosen] = useState<string>();
  const [saving, setSaving] = useState(false);
  const place = places?.find(({ id }) => id === chosen) ?? places?.[0];
  const save = async () => {
    if (!place) return;
    setSaving(true);
    await saveCopy(space, place);
    setSaving(false);
  };
  const count = space.memoryCount;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-muted">
        {count === 1 ? 'Its 1 memory is' : `Its ${count.toLocaleString('en')} memories are`} copied as shown
        here; pages you already have are not copied again. The copy is yours: later changes of the original do
        not reach it.
      </p>
      {places && places.length > 1 && (
        <RadioList
          label="Workspace"
          options={places.map(({ id, name, slug }) => ({ value: id, label: name, hint: `/${slug}` }))}
          value={place?.id}
          onValueChange={setChosen}
        />
      )}
      <DialogFormFoot>
        <Button onClick={close}>Cancel</Button>
        <Button variant="primary" loading={saving || !places} onClick={() => void save()}>
          {place ? `Save to ${place.name}` : 'Save a copy'}
        </Button>
      </DialogFormFoot>
    </div>
  );
}

/** Open while the store names a space. */
export function SaveSpaceModal() {
  const space = useStore(saveSpaceStore);
  return (
    <Dialog
      open={space !== undefined}
      onOpenChange={(open) => {
        if (!open) close();
      }}
      size="sm"
      title={space ? `Save “${space.name}”` : 'Save a copy'}
    >
      {space && <SaveSpace space={space} />}
    </Dialog>
  );
}
