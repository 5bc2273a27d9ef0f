/**
 * A choice of one among options that need a sentence each, optionally under group headings.
 * Native radio buttons: arrow keys move, the group is one stop of the Tab key.
 */
import { clsx } from 'clsx';
import { useId, type ReactNode } from 'react';

/** One option; `hint` is its sentence. */
export interface RadioOption<V extends string> {
  value: V;
  label: string;
  hint?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
  /** Heading above this and the following options of the same group. */
  group?: string;
}

interface RadioListProps<V extends string> {
  label: string;
  hideLabel?: boolean;
  options: readonly RadioOption<V>[];
  value: V | undefined;
  onValueChange: (value: V) => void;
  /** Two beside each other where their words have room; for short options without groups. */
  columns?: 2;
}

function RadioRow<V extends string>({
  option,
  name,
  checked,
  onChoose,
}: {
  option: RadioOption<V>;
  name: string;
  checked: boolean;
  onChoose: () => void;
}) {
  const id = useId();
  return (
    <div
      className={clsx(
        'relative flex items-start gap-3 rounded-control px-3 py-2.5 transition-colors duration-fast',
        checked ? 'bg-primary-soft/60' : 'hover:bg-hover',
        option.disabled && 'opacity-55',
      )}
    >
      <input
        id={id}
        type="radio"
        name={name}
        value={option.value}
        checked={checked}
        disabled={option.disabled}
        onChange={onChoose}
        aria-describedby={option.hint === undefined ? undefined : `${id}-hint`}
        className="peer absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-line-control bg-raised peer-checked:border-[5px] peer-checked:border-primary"
      />
      <span className="pointer-events-none min-w-0 flex-1">
        <label
          htmlFor={id}
          className="flex items-center gap-2 leading-5 font-medium [&_svg]:size-4 [&_svg]:text-ink-faint"
        >
          {option.icon}
          {option.label}
        </label>
        {option.hint !== undefined && (
          <span id={`${id}-hint`} className="mt-0.5 block text-xs leading-5 text-ink-muted">
            {option.hint}
          </span>
        )}
      </span>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 rounded-control peer-focus-visible:outline-2 peer-focus-visible:outline-primary"
      />
    </div>
  );
}

/** Options of one group are listed together in order. */
export function RadioList<V extends string>({
  label,
  hideLabel,
  options,
  value,
  onValueChange,
  columns,
}: RadioListProps<V>) {
  const name = useId();
  return (
    <fieldset
      className={clsx(
        'min-w-0',
        columns === 2 && 'grid grid-cols-[repeat(auto-fit,minmax(max(8rem,40%),1fr))] gap-x-2',
      )}
    >
      <legend className={clsx('mb-1.5 text-sm font-medium', hideLabel && 'sr-only')}>{label}</legend>
      {options.map((option, index) => (
        <div key={option.value}>
          {option.group !== undefined && option.group !== options[index - 1]?.group && (
            <p className="px-3 pt-3 pb-1 text-xs font-medium text-ink-faint">{option.group}</p>
          )}
          <RadioRow
            option={option}
            name={name}
            checked={option.value === value}
            onChoose={() => onValueChange(option.value)}
          />
        </div>
      ))}
    </fieldset>
  );
}
