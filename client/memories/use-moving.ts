/**
 * Moves memories to another home from anywhere in the dashboard, with a confirmation first when the move changes who
 * can see them.
 */
import { useCallback } from 'react';
import { displayName } from '#shared/accounts/display-name.ts';
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { Space } from '#shared/spaces/space.ts';
import { anonymousReads, workspaceReads } from '#shared/spaces/visibility.ts';
import { moveMemories } from '#client/memories/actions.ts';
import { groupSentences, moveSentence, staySentence, type Placed } from '#client/memories/move-words.ts';
import { askToMove, closeOrganizing } from '#client/memories/organize-state.ts';
import { useReader } from '#client/replica/use-query.ts';
import type { ReplicaView } from '#client/replica/view.ts';

type MemoryIds = readonly Id<'memory'>[];

function rowsOf(view: ReplicaView, ids: MemoryIds): readonly MemoryHead[] {
  return ids.map((id) => view.get('memory', id)).filter((row) => row !== undefined);
}

interface PlacedIn extends Placed {
  spaces: readonly Space[];
}

function placesNow(view: ReplicaView, row: MemoryHead): PlacedIn {
  const home = row.spaceId === null ? null : view.peek('space', row.spaceId);
  return { ownerId: row.ownerId, home, spaces: view.spacesOf(row.id) };
}

/** It leaves its home but stays in its other spaces. */
function placesIn(view: ReplicaView, row: MemoryHead, home: Space | null): PlacedIn {
  const others = view.spacesOf(row.id).filter(({ id }) => id !== row.spaceId && id !== home?.id);
  return { ownerId: row.ownerId, home, spaces: home === null ? others : [...others, home] };
}

/** Changes in who can read the moved memories, as sentences; empty when nothing changes. */
export function readMove(view: ReplicaView, ids: MemoryIds, home: Space | null): readonly string[] {
  const rows = rowsOf(view, ids).filter((row) => row.spaceId !== (home?.id ?? null));
  const reader = {
    userId: view.actor.userId,
    hasOthers: view.count('workspace_member') > 1,
    nameOf: (userId: string) => {
      const member = view.get('workspace_member', userId);
      return member ? displayName(member) : 'a former member';
    },
  };
  const sentences = rows.map((row) => {
    const now = placesNow(view, row);
    const afterwards = placesIn(view, row, home);
    // Moving into a public space always needs a confirmation, even when others can see the memory already.
    const isNew = home !== null && anonymousReads(home.visibility) && !view.isIn(row.id, home.id);
    const changed = moveSentence(isNew ? { ...now, home: undefined } : now, afterwards, reader);
    if (changed !== undefined || home === null || workspaceReads(home.visibility)) return changed;
    // Into a private space, and yet not hidden.
    const open = afterwards.spaces.filter(({ visibility }) => workspaceReads(visibility));
    return open.length > 0 ? staySentence(open) : undefined;
  });
  return groupSentences(sentences);
}

/** Moves memories, null for no space. `confirmed` skips the question. */
export function useMoving(): (ids: MemoryIds, home: Space | null, options?: { confirmed: boolean }) => void {
  const read = useReader();
  return useCallback(
    (ids, home, { confirmed } = { confirmed: false }) => {
      const asks = !confirmed && read((view) => readMove(view, ids, home).length > 0);
      if (asks) return askToMove(ids, home?.id ?? null);
      closeOrganizing();
      const rows = read((view) => rowsOf(view, ids));
      void moveMemories(rows, home, (memoryId, spaceId) => read((view) => view.isIn(memoryId, spaceId)));
    },
    [read],
  );
}
