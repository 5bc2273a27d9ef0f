/**
 * A choice of one colour among named swatches. Native radio buttons; every swatch has a name, because many people
 * cannot tell colours apart.
 */
import { Check } from 'lucide-react';
import { useId } from 'react';

interface ColorSwatchPickerProps<V extends string> {
  label: string;
  /** `color` is any CSS colour on which the ground of a card shows: the tick has it. */
  swatches: readonly { value: V; name: string; color: string }[];
  value: V | undefined;
  onValueChange: (value: V) => void;
}

/** Wraps to as many rows as needed. */
export function ColorSwatchPicker<V extends string>({
  label,
  swatches,
  value,
  onValueChange,
}: ColorSwatchPickerProps<V>) {
  const group = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {swatches.map((swatch) => (
          <label
            key={swatch.value}
            title={swatch.name}
            className="relative grid size-7 place-items-center rounded-full border border-ink/15 has-checked:outline-2 has-checked:outline-offset-2 has-checked:outline-ink-faint has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary pointer-coarse:size-11"
            style={{ background: swatch.color, forcedColorAdjust: 'none' }}
          >
            <input
              type="radio"
              name={group}
              value={swatch.value}
              aria-label={swatch.name}
              checked={swatch.value === value}
              onChange={() => onValueChange(swatch.value)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {swatch.value === value && (
              <Check
                aria-hidden="true"
                strokeWidth={3}
                className="pointer-events-none size-3.5 text-raised"
              />
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
