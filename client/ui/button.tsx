/**
 * A button with text. While `loading` it stays focusable and is announced as busy, but does nothing.
 */
import { clsx } from 'clsx';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { buttonStyle, type ButtonStyle } from '#client/ui/button-style.ts';
import { Spinner } from '#client/ui/spinner.tsx';

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  icon?: ReactNode;
  loading?: boolean;
}

/** `type` is "button" by default, so that it never submits by accident. */
export function Button({
  variant,
  size,
  block,
  icon,
  loading = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (loading) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : type}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest['aria-disabled']}
      onClick={handleClick}
      className={clsx(buttonStyle({ variant, size, block }), className)}
    >
      {loading ? <Spinner /> : icon}
      {children}
    </button>
  );
}
