/**
 * A choice of one from a list: the platform's own control, which works with every phone, keyboard and screen reader.
 * For rich rows or actions use a dropdown menu.
 */
import { clsx } from 'clsx';
import { ChevronsUpDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { controlHeight, controlStyle } from '#client/ui/control-style.ts';
import { useFieldControl } from '#client/ui/field-context.ts';

interface SelectProps extends ComponentProps<'select'> {
  options: readonly { value: string; label: string; disabled?: boolean }[];
  /** First row without value, shown until a choice is made. */
  placeholder?: string;
}

/** Accepts every attribute of the native element. */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  const wiring = useFieldControl();
  return (
    <span className={clsx('relative block', className)}>
      <select
        {...wiring}
        {...rest}
        className={clsx(controlStyle, controlHeight, 'picker appearance-none pe-9')}
      >
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-3.5 text-ink-faint"
      />
    </span>
  );
}
