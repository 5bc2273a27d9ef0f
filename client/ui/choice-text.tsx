/**
 * The words beside a box, a switch or a radio mark: label and optional hint.
 * Only layout; the control itself is the caller's.
 */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface ChoiceTextProps {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  hidden?: boolean;
}

/** The hint gets the id `${id}-hint` for aria-describedby. */
export function ChoiceText({ id, label, hint, hidden = false }: ChoiceTextProps) {
  return (
    <span className={clsx('min-w-0 flex-1', hidden && 'sr-only')}>
      <label htmlFor={id} className="block leading-5 font-medium">
        {label}
      </label>
      {hint !== undefined && (
        <span id={`${id}-hint`} className="mt-0.5 block text-xs leading-5 text-ink-muted">
          {hint}
        </span>
      )}
    </span>
  );
}
