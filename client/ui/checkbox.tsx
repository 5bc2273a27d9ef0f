/**
 * A box that is on, off or mixed, with its words.
 * A native checkbox underneath: forms, keyboards and assistive technology need nothing else.
 */
import { clsx } from 'clsx';
import { Check, Minus } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { ChoiceText } from '#client/ui/choice-text.tsx';

interface CheckboxProps {
  label: string;
  hint?: ReactNode;
  hideLabel?: boolean;
  checked: boolean | 'mixed';
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  /** -1 where another control does the same for the keyboard. */
  tabIndex?: number;
  className?: string;
}

/** `mixed` is for "some of the rows below". */
export function Checkbox({
  label,
  hint,
  hideLabel,
  checked,
  onCheckedChange,
  disabled,
  tabIndex,
  className,
}: CheckboxProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = checked === 'mixed';
  }, [checked]);
  const Mark = checked === 'mixed' ? Minus : Check;
  return (
    <span className={clsx('flex items-start gap-2.5', className)}>
      <span
        className={clsx(
          'relative -mx-1 grid size-6 shrink-0 place-items-center pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5',
          // On the first line of its words, without making that line higher.
          !hideLabel && '-mt-0.5 -mb-1',
        )}
      >
        <input
          ref={box}
          id={id}
          type="checkbox"
          tabIndex={tabIndex}
          disabled={disabled}
          checked={checked === true}
          onChange={(event) => onCheckedChange(event.target.checked)}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className="peer absolute inset-0 z-1 cursor-pointer opacity-0 disabled:cursor-not-allowed pointer-coarse:-inset-2.5"
        />
        <span
          aria-hidden="true"
          className="grid size-4 place-items-center rounded-md border border-line-control bg-raised text-primary-ink transition-colors duration-fast [&>svg]:invisible peer-checked:border-primary peer-checked:bg-primary peer-checked:[&>svg]:visible peer-indeterminate:border-primary peer-indeterminate:bg-primary peer-indeterminate:[&>svg]:visible peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary peer-disabled:opacity-50"
        >
          <Mark className="size-3" strokeWidth={3} />
        </span>
      </span>
      <ChoiceText id={id} label={label} hint={hint} hidden={hideLabel ?? false} />
    </span>
  );
}
