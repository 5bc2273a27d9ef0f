/**
 * A dialog that chooses existing memories to put them somewhere: find by title, mark several, add them at once. Offers the rows
 * of its props; the caller decides what adding does.
 */
import { useMemo, useState } from 'react';
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { MemorySign } from '#client/memories/memory-sign.tsx';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFormFoot } from '#client/ui/dialog.tsx';
import { PickerList, type PickerOption } from '#client/ui/picker-list.tsx';

interface MemoryPickerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  rows: readonly MemoryHead[];
  emptyText: string;
  onAdd: (ids: readonly Id<'memory'>[]) => void;
}

const NOTHING: ReadonlySet<string> = new Set();

function Choice({ title, rows, emptyText, onOpenChange, onAdd }: Omit<MemoryPickerProps, 'open'>) {
  const [chosen, setChosen] = useState(NOTHING);
  const options = useMemo(
    () =>
      rows.map((row): PickerOption => ({
        value: row.id,
        label: memoryTitle(row),
        icon: <MemorySign row={row} />,
        state: chosen.has(row.id) ? 'on' : 'off',
      })),
    [rows, chosen],
  );
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const add = () => {
    onOpenChange(false);
    onAdd(rows.flatMap(({ id }) => (chosen.has(id) ? [id] : [])));
  };
  return (
    <div className="flex flex-col gap-3">
      <PickerList
        label={title}
        placeholder="Find a memory by its title"
        options={options}
        onToggle={toggle}
        emptyText={emptyText}
      />
      <DialogFormFoot>
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button variant="primary" disabled={chosen.size === 0} onClick={add}>
          {chosen.size <= 1 ? 'Add memory' : `Add ${chosen.size} memories`}
        </Button>
      </DialogFormFoot>
    </div>
  );
}

/** Starts without a selection each time it opens. */
export function MemoryPicker({ open, ...choice }: MemoryPickerProps) {
  return (
    <Dialog open={open} onOpenChange={choice.onOpenChange} title={choice.title}>
      <Choice {...choice} />
    </Dialog>
  );
}
