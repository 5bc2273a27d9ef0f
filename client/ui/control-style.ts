/**
 * Class names of text controls (input, textarea and select). Text is 16 px on touch, because smaller text makes phones
 * zoom into the field.
 */

/** Border, ground, focus and error of a text control. */
export const controlStyle =
  'w-full rounded-control border border-line-control bg-raised px-3 text-sm text-ink transition-colors duration-fast ' +
  'hover:border-ink-faint focus-visible:border-primary focus-visible:outline-1 focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger aria-invalid:focus-visible:outline-danger ' +
  'disabled:cursor-not-allowed disabled:bg-sunk disabled:text-ink-faint [&[readonly]]:bg-sunk pointer-coarse:text-base';

export const controlHeight = 'h-9 pointer-coarse:h-11';
