/** A setting that takes effect at once, on or off. For a value that is sent with a form, use a checkbox. */
import { clsx } from 'clsx';
import { useId, type ReactNode } from 'react';
import { ChoiceText } from '#client/ui/choice-text.tsx';

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  className?: string;
}

/** Words at the start, the switch at the end of the row. */
export function Switch({ label, hint, checked, onCheckedChange, disabled, className }: SwitchProps) {
  const id = useId();
  return (
    <span className={clsx('flex items-start gap-4', className)}>
      <ChoiceText id={id} label={label} hint={hint} />
      <span className="relative inline-flex h-6 w-9 shrink-0 items-center pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5">
        <input
          id={id}
          type="checkbox"
          role="switch"
          checked={checked}
          aria-checked={checked}
          disabled={disabled}
          onChange={(event) => onCheckedChange(event.target.checked)}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className="peer absolute inset-0 z-1 cursor-pointer opacity-0 disabled:cursor-not-allowed pointer-coarse:-inset-2.5"
        />
        <span
          aria-hidden="true"
          className="h-5 w-9 rounded-full bg-line-control transition-colors duration-base peer-checked:bg-primary peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary peer-disabled:opacity-50 forced-colors:border"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute start-0.5 size-4 rounded-full bg-white transition-transform duration-base peer-checked:translate-x-4 rtl:peer-checked:-translate-x-4 forced-colors:bg-[ButtonText]"
        />
      </span>
    </span>
  );
}
