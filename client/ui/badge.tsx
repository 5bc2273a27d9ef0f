/**
 * A small word about the state of something, never clickable.
 * The word carries the meaning; the colour only repeats it.
 */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';

const TONES = {
  neutral: 'bg-hover text-ink-muted',
  primary: 'bg-primary-soft text-primary',
  info: 'bg-info-soft text-info',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
} as const;

interface BadgeProps {
  tone?: keyof typeof TONES;
  icon?: ReactNode;
  children: ReactNode;
}

/** One line; it never wraps. */
export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
        TONES[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
