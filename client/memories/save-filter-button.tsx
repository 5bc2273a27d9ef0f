/** Saves the shown list under a name, so that the sidebar links to it; or shows the name under which it is saved. */
import { BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { LIMITS } from '#shared/constants.ts';
import { SIDEBAR } from '#shared/spaces/limits.ts';
import { filterQueryOf, saveFilter } from '#client/memories/filter-actions.ts';
import { useSavedFilters } from '#client/spaces/queries.ts';
import { useCan } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { Popover } from '#client/ui/popover.tsx';

function NameForm({ query, onSaved }: { query: string; onSaved: () => void }) {
  const filters = useSavedFilters();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const isKnown = filters.some(([other]) => other === wanted);
  const isFull = !isKnown && filters.length >= SIDEBAR.filters;
  const submit = async () => {
    if (await saveFilter(wanted, query)) onSaved();
  };
  return (
    <form
      className="flex flex-col gap-3 p-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== '' && !isFull) void submit();
      }}
    >
      <Field
        label="Name"
        hint={
          isFull
            ? `You have ${SIDEBAR.filters} filters. Remove one in the sidebar first.`
            : isKnown
              ? 'Replaces the filter of this name.'
              : 'Appears in your sidebar, on all your devices.'
        }
      >
        <Input value={name} maxLength={LIMITS.name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Button type="submit" size="sm" disabled={wanted === '' || isFull}>
        {isKnown ? 'Replace filter' : 'Save filter'}
      </Button>
    </form>
  );
}

/** For the list of all memories; hidden where it is not filtered, and for those who have no sidebar of their own. */
export function SaveFilterButton() {
  const [params] = useSearchParams();
  const query = filterQueryOf(params);
  const filters = useSavedFilters();
  const mayArrange = useCan()('sidebar.update');
  const [isOpen, setOpen] = useState(false);
  const saved = filters.find(([, other]) => other === query);
  if (!mayArrange || query === '') return null;
  if (saved)
    return (
      <span className="max-w-56 shrink-0 truncate px-1 text-sm text-ink-muted">Saved as {saved[0]}</span>
    );
  return (
    <Popover
      label="Save this filter"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost" icon={<BookmarkPlus />}>
          Save filter
        </Button>
      }
    >
      <NameForm query={query} onSaved={() => setOpen(false)} />
    </Popover>
  );
}
