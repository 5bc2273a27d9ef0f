/**
 * The choice of who can see something, limited to the values that this version enforces in full.
 * Values that need a right this person lacks cannot be chosen; one that is set already is always shown.
 */
import { VISIBILITIES, VISIBILITY, anonymousReads, type Visibility } from '#shared/spaces/visibility.ts';
import { Field } from '#client/ui/field.tsx';
import { Select } from '#client/ui/select.tsx';

const OFFERED: ReadonlySet<Visibility> = new Set(['private', 'workspace', 'unlisted', 'public']);

interface VisibilitySelectProps {
  value: Visibility;
  onValueChange: (value: Visibility) => void;
  /** May be shown to people outside the workspace. */
  publishable: boolean;
}

/** A native list with the value's sentence below it. */
export function VisibilitySelect({ value, onValueChange, publishable }: VisibilitySelectProps) {
  const options = VISIBILITIES.filter((known) => OFFERED.has(known) || known === value).map((known) => ({
    value: known,
    label: VISIBILITY[known].label,
    disabled: anonymousReads(known) && !publishable && known !== value,
  }));
  const choose = (chosen: string) => {
    const known = VISIBILITIES.find((candidate) => candidate === chosen);
    if (known) onValueChange(known);
  };
  return (
    <Field label="Who can see it" hint={VISIBILITY[value].description}>
      <Select value={value} options={options} onChange={(event) => choose(event.target.value)} />
    </Field>
  );
}
