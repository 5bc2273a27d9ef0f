/**
 * A square button with only an icon and an accessible name, without a tooltip: for crosses in corners and public pages.
 * The touch area is 44 px even where the drawing is smaller.
 */
import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { buttonStyle, type ButtonStyle } from '#client/ui/button-style.ts';
import { Spinner } from '#client/ui/spinner.tsx';

export interface PlainIconButtonProps
  extends Omit<ComponentProps<'button'>, 'children'>, Pick<ButtonStyle, 'variant'> {
  label: string;
  icon: ReactNode;
  size?: 'xs' | 'sm' | 'md';
  loading?: boolean;
}

const SIZES = { xs: 'size-6', sm: 'size-7', md: 'size-8' } as const;

/** Can be the child of an `asChild` trigger. */
export function PlainIconButton({
  label,
  icon,
  variant = 'ghost',
  size = 'md',
  loading = false,
  className,
  ...rest
}: PlainIconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled ?? loading}
      aria-label={label}
      aria-busy={loading || undefined}
      className={clsx(
        buttonStyle({ variant }),
        'aspect-square h-auto p-0! pointer-coarse:h-auto! pointer-coarse:after:absolute pointer-coarse:after:-inset-2',
        SIZES[size],
        className,
      )}
    >
      {loading ? <Spinner /> : icon}
    </button>
  );
}
