/**
 * Filing memories in spaces from anywhere in the dashboard (drop, menu, dialog), with the question that a public
 * space demands first.
 */
import { useCallback } from 'react';
import type { Id } from '#shared/ids.ts';
import type { Space } from '#shared/spaces/space.ts';
import { anonymousReads } from '#shared/spaces/visibility.ts';
import { useSpacesOf } from '#client/memories/queries.ts';
import { fileMemories } from '#client/memories/actions.ts';
import { askToPublish } from '#client/memories/organize-state.ts';

type MemoryIds = readonly Id<'memory'>[];

/** Adds memories to a space or removes them. `confirmed` skips the confirmation. */
export function useFiling(): (
  ids: MemoryIds,
  space: Space,
  options: { on: boolean; confirmed?: boolean },
) => void {
  const spacesOf = useSpacesOf();
  return useCallback(
    (ids, space, { on, confirmed = false }) => {
      const filed = (id: string) => spacesOf(id).some((filed) => filed.id === space.id);
      const widens = on && anonymousReads(space.visibility) && ids.some((id) => !filed(id));
      if (widens && !confirmed) askToPublish(ids, space.id);
      else void fileMemories(ids, space, { on, filed });
    },
    [spacesOf],
  );
}
