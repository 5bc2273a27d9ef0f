/** The smallest picture of a space: an arch in its hue, alone or with its name. Decorative where the name is beside it. */
import { clsx } from 'clsx';
import type { SpaceColor } from '#shared/spaces/space-looks.ts';
import type { Space } from '#shared/spaces/space.ts';

/** Sets the colour that marks and covers are drawn in. */
export const SPACE_HUE: Readonly<Record<SpaceColor, string>> = {
  clay: 'text-clay',
  ochre: 'text-ochre',
  olive: 'text-olive',
  emerald: 'text-emerald',
  lake: 'text-lake',
  iris: 'text-iris',
  plum: 'text-plum',
  slate: 'text-slate',
};

/** The arch alone. */
export function SpaceMark({ color, className = 'size-3' }: { color: Space['color']; className?: string }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className={clsx('shrink-0', SPACE_HUE[color], className)}>
      <path d="M1 10.5V5.5a5 5 0 0 1 10 0v5q0 1-1 1H2q-1 0-1-1Z" fill="currentColor" />
    </svg>
  );
}

/** Arch and name in one line. */
export function SpaceName({ space }: { space: Pick<Space, 'color' | 'name'> }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <SpaceMark color={space.color} />
      <span className="truncate">{space.name}</span>
    </span>
  );
}
