/** Every space or chosen ones: what an app or an API key gets to see of a workspace. */
import type { Id } from '#shared/ids.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

const OPTIONS = [
  { value: 'all', label: 'All spaces', hint: 'Everything you can see in this workspace.' },
  { value: 'chosen', label: 'Chosen spaces', hint: 'Only what is in them. Threads and members stay hidden.' },
] as const;

interface SpacesPickerProps {
  label: string;
  spaces: readonly { id: Id<'space'>; name: string }[] | 'loading' | 'unreachable';
  /** Undefined means every space. */
  chosen: ReadonlySet<Id<'space'>> | undefined;
  onChange: (chosen: ReadonlySet<Id<'space'>> | undefined) => void;
}

export function SpacesPicker({ label, spaces, chosen, onChange }: SpacesPickerProps) {
  return (
    <div className="flex flex-col gap-2">
      <RadioList
        label={label}
        options={OPTIONS}
        value={chosen === undefined ? 'all' : 'chosen'}
        onValueChange={(value) => onChange(value === 'all' ? undefined : new Set())}
      />
      {chosen !== undefined && <Spaces spaces={spaces} chosen={chosen} onChange={onChange} />}
    </div>
  );
}

function Spaces({
  spaces,
  chosen,
  onChange,
}: Pick<SpacesPickerProps, 'spaces' | 'onChange'> & { chosen: ReadonlySet<Id<'space'>> }) {
  if (spaces === 'loading') {
    return (
      <SkeletonGroup label="Loading your spaces">
        <Skeleton className="h-16 w-full" />
      </SkeletonGroup>
    );
  }
  if (spaces === 'unreachable') {
    return <p className="text-ink-muted">Could not load your spaces. Reload the page to try again.</p>;
  }
  if (spaces.length === 0) {
    return <p className="text-ink-muted">There are no spaces in this workspace.</p>;
  }
  const toggle = (id: Id<'space'>, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <fieldset className="max-h-56 min-w-0 overflow-y-auto rounded-control border border-line px-3 py-2.5">
      <legend className="sr-only">Spaces</legend>
      <div className="flex flex-col gap-2.5">
        {spaces.map(({ id, name }) => (
          <Checkbox key={id} label={name} checked={chosen.has(id)} onCheckedChange={(on) => toggle(id, on)} />
        ))}
      </div>
    </fieldset>
  );
}
