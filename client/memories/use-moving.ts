/**
 * Moving memories to another home from anywhere in the dashboard, with the question that is asked first where a move
 * changes who sees them.
 */
import { useCallback } from 'react';
import { displayName } from '#shared/accounts/display-name.ts';
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { Space } from '#shared/spaces/space.ts';
import { anonymousReads } from '#shared/spaces/visibility.ts';
import { moveMemories } from '#client/memories/actions.ts';
import { moveSentence, type Placed } from '#client/memories/move-words.ts';
import { askToMove, closeOrganizing } from '#client/memories/organize-state.ts';
import { useReader } from '#client/replica/use-query.ts';
import type { ReplicaView } from '#client/replica/view.ts';

type MemoryIds = readonly Id<'memory'>[];

function rowsOf(view: ReplicaView, ids: MemoryIds): readonly MemoryHead[] {
  return ids.map((id) => view.get('memory', id)).filter((row) => row !== undefined);
}

function placesNow(view: ReplicaView, row: MemoryHead): Placed {
  const home = row.spaceId === null ? null : view.peek('space', row.spaceId);
  return { ownerId: row.ownerId, home, spaces: view.spacesOf(row.id) };
}

/** It leaves its home and keeps its other spaces. */
function placesIn(view: ReplicaView, row: MemoryHead, home: Space | null): Placed {
  const others = view.spacesOf(row.id).filter(({ id }) => id !== row.spaceId && id !== home?.id);
  return { ownerId: row.ownerId, home, spaces: home === null ? others : [...others, home] };
}

/** What a move changes for readers, in sentences; none when the same people see everything afterwards. */
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
  const counts = new Map<string, number>();
  for (const row of rows) {
    const now = placesNow(view, row);
    // A space that anybody can read is asked about each time (PRODUCT 5.1), whoever sees the memory already.
    const isNew = home !== null && anonymousReads(home.visibility) && !view.isIn(row.id, home.id);
    const before = isNew ? { ...now, home: undefined } : now;
    const it = rows.length === 1 ? 'it' : 'them';
    const sentence = moveSentence(before, placesIn(view, row, home), { reader, it });
    if (sentence !== undefined) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  }
  return [...counts].map(([sentence, count]) =>
    count === rows.length ? sentence : `${count} of ${rows.length}: ${sentence}`,
  );
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
