/**
 * A choice of one among two to five short options, as words in a row of which the chosen one is underlined: the layout of
 * a list, what it shows. Native radio buttons underneath.
 */
import { clsx } from 'clsx';
import { useId } from 'react';

interface SegmentedControlProps<V extends string> {
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onValueChange: (value: V) => void;
  className?: string;
}

/** `label` names the group for screen readers. */
export function SegmentedControl<V extends string>({
  label,
  options,
  value,
  onValueChange,
  className,
}: SegmentedControlProps<V>) {
  const name = useId();
  return (
    <fieldset className={clsx('flex w-fit shrink-0 gap-3 text-xs font-medium text-ink-muted', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-7 items-center border-b-2 border-transparent transition-colors duration-fast hover:text-ink has-checked:border-primary has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-primary pointer-coarse:h-9"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
