/** The cover of a space: an arcade drawn from its name in its hue. Decorative; the name is always beside it. */
import { clsx } from 'clsx';
import { ARCADE, arcadeOf } from '#shared/spaces/space-looks.ts';
import type { Space } from '#shared/spaces/space.ts';
import { SPACE_HUE } from '#client/spaces/space-mark-card.tsx';

/** Units of a drawing that is as wide as a page. */
const WIDE = 1_800;

interface CoverProps extends Pick<Space, 'color' | 'name'> {
  /** One arch, from the first memory on. */
  lit: boolean;
  /** For a box much wider than high: the arcade continues instead of being stretched. */
  wide?: boolean;
  className?: string;
}

/** As high as its width requires, so that no arch is cut off; a wide one fills the box set by its class names. */
export function SpaceCover({ color, name, lit, wide = false, className }: CoverProps) {
  const width = wide ? WIDE : ARCADE.width;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${ARCADE.height}`}
      preserveAspectRatio="xMinYMax slice"
      className={clsx('cover w-full', !wide && 'aspect-65/29', SPACE_HUE[color], className)}
    >
      {arcadeOf(name, width, lit).map(({ path, opacity, dot }) => (
        <g key={path}>
          <path d={path} fill="currentColor" opacity={opacity} />
          {dot && <circle cx={dot.x} cy={dot.y} r={dot.r} className="fill-raised" />}
        </g>
      ))}
    </svg>
  );
}
