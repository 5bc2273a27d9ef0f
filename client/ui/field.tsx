/**
 * A labelled place for one control: label above, hint or error below, all tied together for screen readers. Accepts any of our
 * controls as its child; does not validate.
 */
import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { clsx } from 'clsx';
import { FieldContext } from '#client/ui/field-context.ts';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  /** Something small at the end of the label's line, for example "Forgot password?". */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** The error replaces the hint and is announced when it appears. */
export function Field({ label, hint, error, required = false, aside, children, className }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  const describedBy = note === undefined ? undefined : `${id}-note`;
  return (
    <div className={clsx('flex flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <FieldContext value={{ id, describedBy, invalid: error !== undefined, required }}>
        {children}
      </FieldContext>
      <div id={`${id}-note`} aria-live="polite" className="text-xs leading-5 empty:hidden">
        {error !== undefined ? (
          <span className="flex items-start gap-1 text-danger">
            <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
            {error}
          </span>
        ) : (
          hint !== undefined && <span className="text-ink-muted">{hint}</span>
        )}
      </div>
    </div>
  );
}
