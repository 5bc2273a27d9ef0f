/**
 * The choice of who can see something.
 * Values that need a right this person lacks cannot be chosen; one that is set already is always shown.
 */
import { VISIBILITIES, VISIBILITY, anonymousReads, type Visibility } from '#shared/spaces/visibility.ts';
import { useMayList } from '#client/spaces/queries.ts';
import { Field } from '#client/ui/field.tsx';
import { Select } from '#client/ui/select.tsx';

interface VisibilitySelectProps {
  value: Visibility;
  onValueChange: (value: Visibility) => void;
  /** May be shown to people outside the workspace. */
  publishable: boolean;
}

/** A native list with the value's sentence below it. */
export function VisibilitySelect({ value, onValueChange, publishable }: VisibilitySelectProps) {
  const listable = useMayList();
  const options = VISIBILITIES.map((known) => ({
    value: known,
    label: VISIBILITY[known].label,
    disabled:
      known !== value &&
      ((anonymousReads(known) && !publishable) || (VISIBILITY[known].indexable && !listable)),
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
