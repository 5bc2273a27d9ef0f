/**
 * The palette of spaces as class names, one row per colour for marks and for grounds, in both modes.
 * Complete by type: a colour without a row does not compile.
 */
import { SPACE_COLORS } from '#shared/spaces/space-looks.ts';
import type { Space } from '#shared/spaces/space.ts';

type Palette = Readonly<Record<Space['color'], string>>;

/** Solid mark of a colour (dots, bars). */
export const SPACE_MARK: Palette = {
  slate: 'bg-slate-500',
  red: 'bg-red-500',
  orange: 'bg-orange-500',
  amber: 'bg-amber-500',
  lime: 'bg-lime-500',
  emerald: 'bg-emerald-500',
  teal: 'bg-teal-500',
  sky: 'bg-sky-500',
  indigo: 'bg-indigo-500',
  violet: 'bg-violet-500',
  pink: 'bg-pink-500',
};

/** Quiet ground of a cover, with the ink of its pattern. */
export const SPACE_GROUND: Palette = {
  slate:
    'from-slate-100 to-slate-200 text-slate-500 dark:from-slate-950 dark:to-slate-900/70 dark:text-slate-400',
  red: 'from-red-100 to-red-200 text-red-500 dark:from-red-950 dark:to-red-900/70 dark:text-red-400',
  orange:
    'from-orange-100 to-orange-200 text-orange-500 dark:from-orange-950 dark:to-orange-900/70 dark:text-orange-400',
  amber:
    'from-amber-100 to-amber-200 text-amber-500 dark:from-amber-950 dark:to-amber-900/70 dark:text-amber-400',
  lime: 'from-lime-100 to-lime-200 text-lime-500 dark:from-lime-950 dark:to-lime-900/70 dark:text-lime-400',
  emerald:
    'from-emerald-100 to-emerald-200 text-emerald-500 dark:from-emerald-950 dark:to-emerald-900/70 dark:text-emerald-400',
  teal: 'from-teal-100 to-teal-200 text-teal-500 dark:from-teal-950 dark:to-teal-900/70 dark:text-teal-400',
  sky: 'from-sky-100 to-sky-200 text-sky-500 dark:from-sky-950 dark:to-sky-900/70 dark:text-sky-400',
  indigo:
    'from-indigo-100 to-indigo-200 text-indigo-500 dark:from-indigo-950 dark:to-indigo-900/70 dark:text-indigo-400',
  violet:
    'from-violet-100 to-violet-200 text-violet-500 dark:from-violet-950 dark:to-violet-900/70 dark:text-violet-400',
  pink: 'from-pink-100 to-pink-200 text-pink-500 dark:from-pink-950 dark:to-pink-900/70 dark:text-pink-400',
};

/** Swatches of a colour picker. */
export const SPACE_SWATCHES = SPACE_COLORS.map((value) => ({
  value,
  name: `${value.slice(0, 1).toUpperCase()}${value.slice(1)}`,
  color: `var(--color-${value}-500)`,
}));

/** The first colour that no space has yet, so that a sidebar of new spaces is not all green. */
export function freshColor(spaces: readonly Pick<Space, 'color'>[]): Space['color'] {
  const order: readonly Space['color'][] = ['emerald', 'sky', 'amber', 'violet', ...SPACE_COLORS];
  const used = new Set(spaces.map(({ color }) => color));
  return order.find((color) => !used.has(color)) ?? 'emerald';
}
