/**
 * A drop target that removes memories from the space they are dragged in; shown only during a drag. The menu of each memory
 * offers the same action as "Remove from this space".
 */
import { clsx } from 'clsx';
import { FolderMinus } from 'lucide-react';
import type { Space } from '#shared/spaces/space.ts';
import { useFiling } from '#client/memories/use-filing.ts';
import { useMemoryDrop, useMemoriesDragged } from '#client/shell/drag.ts';

function DropPlace({ space }: { space: Space }) {
  const file = useFiling();
  const { ref, over } = useMemoryDrop<HTMLDivElement>((ids) => file(ids, space, { on: false }), true);
  return (
    <div
      ref={ref}
      data-testid="remove-from-space"
      className={clsx(
        'fixed inset-x-3 bottom-24 z-30 mx-auto flex w-fit items-center gap-2 rounded-card border border-dashed px-5 py-4 font-medium shadow-float md:bottom-6',
        over ? 'border-primary bg-primary-soft text-primary' : 'border-line-strong bg-raised text-ink-muted',
      )}
    >
      <FolderMinus aria-hidden="true" className="size-4" />
      Drop here to remove from {space.name}
    </div>
  );
}

/** For those who may change the content of the space. */
export function SpaceRemoveCard({ space, may }: { space: Space; may: boolean }) {
  const dragged = useMemoriesDragged();
  return may && dragged ? <DropPlace space={space} /> : null;
}
