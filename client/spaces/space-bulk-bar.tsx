/**
 * The floating bar for selected spaces: how many, and what can be done to all of them at once. Colours those that this
 * person may change and leaves the others alone.
 */
import { Palette, Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import type { Space } from '#shared/spaces/space.ts';
import { SelectionBar } from '#client/shell/selection-bar.tsx';
import type { Selecting } from '#client/shell/use-selection.ts';
import { colorSpaces } from '#client/spaces/actions.ts';
import { usePinnedIds, useSpaceRights } from '#client/spaces/queries.ts';
import { pinSpaces } from '#client/spaces/sidebar-actions.ts';
import { SPACE_SWATCHES } from '#client/spaces/space-color.ts';
import { useCan } from '#client/workspaces/queries.ts';
import { ColorSwatchPicker } from '#client/ui/color-swatch-picker.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { Popover } from '#client/ui/popover.tsx';

interface SpaceBulkBarProps {
  /** The selected ones. */
  spaces: readonly Space[];
  /** How many there are in all. */
  total: number;
  selecting: Selecting;
  onEnd: () => void;
}

function ColorButton({ spaces }: { spaces: readonly Space[] }) {
  const [isOpen, setOpen] = useState(false);
  const [color] =
    new Set(spaces.map((space) => space.color)).size === 1 ? spaces.map((space) => space.color) : [];
  return (
    <Popover
      label="Colour of the selected spaces"
      trigger={<PlainIconButton label="Colour" icon={<Palette />} />}
      open={isOpen}
      onOpenChange={setOpen}
    >
      <ColorSwatchPicker
        label={spaces.length === 1 ? 'Colour of 1 space' : `Colour of ${spaces.length} spaces`}
        swatches={SPACE_SWATCHES}
        value={color}
        onValueChange={(next) => {
          setOpen(false);
          void colorSpaces(spaces, next);
        }}
      />
    </Popover>
  );
}

function PinButton({ spaces }: { spaces: readonly Space[] }) {
  const pinned = usePinnedIds();
  const isPinned = spaces.every(({ id }) => pinned.includes(id));
  return (
    <IconButton
      label={isPinned ? 'Unpin' : 'Pin to the sidebar'}
      icon={isPinned ? <PinOff /> : <Pin />}
      onClick={() => void pinSpaces(spaces, !isPinned)}
    />
  );
}

export function SpaceBulkBar({ spaces, total, selecting, onEnd }: SpaceBulkBarProps) {
  const rights = useSpaceRights();
  const can = useCan();
  const editable = spaces.filter((space) => rights('space.update', space));
  return (
    <SelectionBar
      label="Selected spaces"
      count={spaces.length}
      total={total}
      onSelectAll={selecting.selectAll}
      onClear={onEnd}
    >
      {editable.length > 0 && <ColorButton spaces={editable} />}
      {can('sidebar.update') && <PinButton spaces={spaces} />}
    </SelectionBar>
  );
}
