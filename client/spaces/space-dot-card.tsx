/**
 * The smallest picture of a space: a dot in its colour, alone or with its name.
 * Decorative where the name stands beside it.
 */
import type { Space } from '#shared/spaces/space.ts';
import { SPACE_MARK } from '#client/spaces/space-color.ts';

/** The dot alone. */
export function SpaceDot({ color, className = 'size-2.5' }: { color: Space['color']; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block shrink-0 rounded-full ${SPACE_MARK[color]} ${className}`}
    />
  );
}

/** Dot and name in one line. */
export function SpaceDotCard({ space }: { space: Pick<Space, 'color' | 'name'> }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <SpaceDot color={space.color} />
      <span className="truncate">{space.name}</span>
    </span>
  );
}
