/** The hues of spaces as choices. */
import { SPACE_COLORS } from '#shared/spaces/space-looks.ts';

/** Swatches of a colour picker. */
export const SPACE_SWATCHES = SPACE_COLORS.map((value) => ({
  value,
  name: `${value.slice(0, 1).toUpperCase()}${value.slice(1)}`,
  color: `var(--${value})`,
}));
