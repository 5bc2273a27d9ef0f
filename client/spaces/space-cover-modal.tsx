/**
 * The dialog that changes what a space looks like: one of the built-in covers, and its colour.
 * Every choice takes effect at once behind the dialog, so there is nothing to save; Undo takes the last visit back.
 */
import { clsx } from 'clsx';
import { useEffect, useId, useRef, useState } from 'react';
import { SPACE_COVERS } from '#shared/spaces/space-looks.ts';
import type { Space } from '#shared/spaces/space.ts';
import { updateSpace } from '#client/spaces/actions.ts';
import { useSpace, useSpaceRights } from '#client/spaces/queries.ts';
import { SPACE_SWATCHES } from '#client/spaces/space-color.ts';
import { SpaceCover } from '#client/spaces/space-cover-card.tsx';
import { COVER_LABELS } from '#client/spaces/space-words.ts';
import { useModal } from '#client/shell/modals.ts';
import { showUndoToast } from '#client/shell/undo.ts';
import { Button } from '#client/ui/button.tsx';
import { ColorSwatchPicker } from '#client/ui/color-swatch-picker.tsx';
import { Dialog } from '#client/ui/dialog.tsx';

type Look = Pick<Space, 'color' | 'cover'>;

function Covers({ space, choose }: { space: Look; choose: (cover: Space['cover']) => void }) {
  const name = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  // The dialog would take the first option, which is not the chosen one.
  useEffect(() => {
    list.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
  }, []);
  return (
    <fieldset ref={list}>
      <legend className="mb-1.5 text-sm font-medium">Cover</legend>
      <div className="grid grid-cols-2 gap-2.5 sm:grid-cols-3">
        {SPACE_COVERS.map((cover) => (
          <label
            key={cover}
            className="group relative flex flex-col gap-1 rounded-card p-1 text-xs text-ink-muted has-checked:text-ink has-checked:outline-2 has-checked:outline-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              value={cover}
              checked={cover === space.cover}
              onChange={() => choose(cover)}
              className="absolute inset-0 z-1 size-full cursor-pointer opacity-0"
            />
            <SpaceCover color={space.color} cover={cover} className="h-16 w-full rounded-control" />
            <span className={clsx('px-1 pb-0.5', cover === space.cover && 'font-medium')}>
              {COVER_LABELS[cover]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function CoverChoice({ space }: { space: Space }) {
  return (
    <div className="flex flex-col gap-5">
      <Covers space={space} choose={(cover) => void updateSpace(space.id, { cover })} />
      <ColorSwatchPicker
        label="Colour"
        swatches={SPACE_SWATCHES}
        value={space.color}
        onValueChange={(color) => void updateSpace(space.id, { color })}
      />
    </div>
  );
}

/** Once per dashboard. */
export function SpaceCoverModal() {
  const modal = useModal('changeSpaceCover');
  const space = useSpace(modal.args?.spaceId);
  const rights = useSpaceRights();
  const [before, setBefore] = useState<{ id: Space['id'] } & Look>();
  const open = modal.open && space !== undefined && rights('space.update', space);
  if (open && before?.id !== space.id) setBefore({ id: space.id, color: space.color, cover: space.cover });
  const finish = () => {
    modal.close();
    setBefore(undefined);
    if (!space || !before || (before.color === space.color && before.cover === space.cover)) return;
    const { id, ...look } = before;
    showUndoToast('Cover changed', async () => void (await updateSpace(id, look)));
  };
  return (
    <Dialog
      open={open}
      onOpenChange={finish}
      title="Change cover"
      actions={
        <Button variant="primary" onClick={finish}>
          Done
        </Button>
      }
    >
      {space && <CoverChoice space={space} />}
    </Dialog>
  );
}
