/**
 * A choice of one among two to five short options in a row, for example the layout of a list.
 * Native radio buttons underneath.
 */
import { clsx } from 'clsx';
import { useId, type ReactNode } from 'react';
import { Tooltip } from '#client/ui/tooltip.tsx';

interface SegmentedControlProps<V extends string> {
  label: string;
  options: readonly { value: V; label: string; icon?: ReactNode }[];
  value: V;
  onValueChange: (value: V) => void;
  /** Show icons only; the labels become tooltips. */
  iconOnly?: boolean;
  className?: string;
}

/** `label` names the group for screen readers. */
export function SegmentedControl<V extends string>({
  label,
  options,
  value,
  onValueChange,
  iconOnly = false,
  className,
}: SegmentedControlProps<V>) {
  const name = useId();
  return (
    <fieldset
      className={clsx(
        'inline-flex w-fit rounded-control bg-hover p-0.5 dark:bg-sunk dark:inset-ring dark:inset-ring-line',
        className,
      )}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => {
        const segment = (
          <label
            key={option.value}
            className={clsx(
              'relative flex h-7 min-w-7 items-center justify-center gap-1.5 rounded-md px-2 text-xs font-medium text-ink-muted transition-colors duration-fast pointer-coarse:h-10 pointer-coarse:min-w-10 [&_svg]:size-4',
              'hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:dark:has-checked:bg-active has-focus-visible:outline-2 has-focus-visible:outline-primary forced-colors:has-checked:outline',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {option.icon}
            <span className={clsx('pointer-events-none', iconOnly && 'sr-only')}>{option.label}</span>
          </label>
        );
        return iconOnly ? (
          <Tooltip key={option.value} text={option.label} describes={false}>
            {segment}
          </Tooltip>
        ) : (
          segment
        );
      })}
    </fieldset>
  );
}
