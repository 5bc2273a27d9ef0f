/** The square icon button of the public header, with the browser's own tooltip. */
import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { buttonStyle } from '#client/ui/button-style.ts';

interface SiteButtonProps extends ComponentProps<'button'> {
  label: string;
  /** The island that handles the button (islands.ts). */
  'data-action': string;
  'data-label-open'?: string;
}

/** `label` is the accessible name and the native tooltip. */
export function SiteButton({ label, className, children, ...rest }: SiteButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={clsx(buttonStyle({ variant: 'ghost' }), 'size-9 p-0! pointer-coarse:size-11', className)}
    >
      {children}
    </button>
  );
}
