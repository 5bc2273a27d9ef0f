/**
 * The dialog that changes what a space looks like: its cover, which its name draws, in each of the hues. Every choice takes
 * effect at once behind the dialog, so there is nothing to save; Undo reverts the changes of the last visit.
 */
import { useEffect, useId, useRef, useState } from 'react';
import type { Space } from '#shared/spaces/space.ts';
import { updateSpace } from '#client/spaces/actions.ts';
import { useSpace, useSpaceCount, useSpaceRights } from '#client/spaces/queries.ts';
import { SPACE_SWATCHES } from '#client/spaces/space-color.ts';
import { SpaceCover } from '#client/spaces/space-cover-card.tsx';
import { useModal } from '#client/shell/modals.ts';
import { showUndoToast } from '#client/shell/undo.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';

function Covers({ space }: { space: Space }) {
  const name = useId();
  const count = useSpaceCount(space.id);
  const list = useRef<HTMLFieldSetElement>(null);
  // The dialog would focus the first option, which is not the chosen one.
  useEffect(() => {
    list.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
  }, []);
  return (
    <fieldset ref={list} className="grid grid-cols-2 gap-2.5 sm:grid-cols-3">
      <legend className="sr-only">Cover</legend>
      {SPACE_SWATCHES.map(({ value, name: hue }) => (
        <label
          key={value}
          className="relative rounded-card p-1 text-xs text-ink-muted has-checked:font-medium has-checked:text-ink has-checked:outline-2 has-checked:outline-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === space.color}
            onChange={() => void updateSpace(space.id, { color: value })}
            className="absolute inset-0 z-1 size-full cursor-pointer opacity-0"
          />
          <SpaceCover color={value} name={space.name} lit={count !== 0} className="rounded-control" />
          <span className="block px-1 pt-1 pb-0.5">{hue}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Once per dashboard. */
export function SpaceCoverModal() {
  const modal = useModal('changeSpaceCover');
  const space = useSpace(modal.args?.spaceId);
  const rights = useSpaceRights();
  const [before, setBefore] = useState<Pick<Space, 'id' | 'color'>>();
  const open = modal.open && space !== undefined && rights('space.update', space);
  if (open && before?.id !== space.id) setBefore({ id: space.id, color: space.color });
  const finish = () => {
    modal.close();
    setBefore(undefined);
    if (!space || !before || before.color === space.color) return;
    const { id, color } = before;
    showUndoToast('Cover changed', async () => void (await updateSpace(id, { color })));
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
      {space && <Covers space={space} />}
    </Dialog>
  );
}
