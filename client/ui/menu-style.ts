/**
 * Class names of dropdown and context menus. Behaviour is Radix's in the two components.
 */

/** The floating surface of a menu, popover or picker. */
export const popSurface =
  'z-50 rounded-card bg-raised text-ink shadow-float outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in';

/** A menu's surface: scrolls within the window. */
export const menuSurface = `${popSurface} min-w-48 max-w-80 overflow-y-auto p-1 max-h-(--radix-popper-available-height) origin-(--radix-popper-transform-origin)`;

/** A row; the danger tone is for what destroys. */
export const menuRow =
  'relative flex h-8 cursor-default select-none items-center gap-2 rounded-md px-2 text-sm outline-none pointer-coarse:h-11 data-[disabled]:opacity-50 data-[highlighted]:bg-hover data-[state=open]:bg-hover data-[tone=danger]:text-danger data-[tone=danger]:data-[highlighted]:bg-danger-soft [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-faint data-[tone=danger]:[&_svg]:text-danger';

/** The quiet heading of a group. */
export const menuLabel = 'px-2 pt-1.5 pb-1 text-xs font-medium text-ink-faint';

/** The line between groups. */
export const menuLine = '-mx-1 my-1 h-px bg-line';
