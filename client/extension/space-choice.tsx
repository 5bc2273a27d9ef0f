/** The choice of a space, and what there is to choose from. */
import { useEffect, useState } from 'react';
import { Field } from '#client/ui/field.tsx';
import { Select } from '#client/ui/select.tsx';
import type { Id } from '#shared/ids.ts';
import { ask, type Offered } from './messages.ts';

const NOTHING: Offered = { spaces: [], tags: [], spaceId: null };

/** Spaces and tags of the workspace; empty until they are loaded. */
export function useOffered(): Offered {
  const [offered, setOffered] = useState(NOTHING);
  useEffect(() => {
    void (async () => {
      try {
        setOffered(await ask('offered', {}));
      } catch (error) {
        console.info('extension: spaces and tags cannot be shown', error);
      }
    })();
  }, []);
  return offered;
}

interface SpaceChoiceProps {
  offered: Offered;
  value: Id<'space'> | null;
  onChoose: (id: Id<'space'> | null) => void;
}

export function SpaceChoice({ offered, value, onChoose }: SpaceChoiceProps) {
  const isUnknown = value !== null && !offered.spaces.some(({ id }) => id === value);
  return (
    <Field label="Space">
      <Select
        value={value ?? ''}
        onChange={({ target }) => onChoose(offered.spaces.find(({ id }) => id === target.value)?.id ?? null)}
        options={[
          { value: '', label: 'No space' },
          ...(isUnknown ? [{ value, label: 'As before' }] : []),
          ...offered.spaces.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </Field>
  );
}
