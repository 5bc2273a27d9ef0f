/**
 * The ways to move a space in the sidebar: dropped beside another one, or a step up or down by key and by menu. Announces the
 * new position after each move.
 */
import { useState } from 'react';
import type { Id } from '#shared/ids.ts';
import type { SidebarSection } from '#shared/spaces/sidebar-order.ts';
import { moveSpace, placeBeside, placeOf, type SidebarPlace } from '#client/spaces/sidebar-actions.ts';
import type { Arrangement } from '#client/spaces/queries.ts';

type SpaceId = Id<'space'>;

/** Direction of a step. */
export type Step = 'up' | 'down';

export interface SidebarMoves {
  /** Whether there is a place to step to. */
  canStep: (spaceId: SpaceId, step: Step) => boolean;
  step: (spaceId: SpaceId, step: Step) => void;
  /** Puts a space above or below another one, in the section of that one. */
  drop: (spaceId: SpaceId, beside: SpaceId, isBelow: boolean) => void;
  /** Puts a space at the end of the pinned ones, or before all others. */
  dropOnHeading: (spaceId: SpaceId, section: SidebarSection) => void;
  /** Announcement of the last move for screen readers. */
  moved: string;
}

/** Works on the arrangement that is on screen. */
export function useSidebarMoves(arrangement: Arrangement): SidebarMoves {
  const [moved, setMoved] = useState('');
  const sectionOf = (id: SpaceId): SidebarSection =>
    arrangement.pinned.some((space) => space.id === id) ? 'pinned' : 'spaces';
  const put = (spaceId: SpaceId, to: SidebarPlace) => {
    const from = sectionOf(spaceId);
    const space = arrangement[from].find(({ id }) => id === spaceId);
    if (!space) return;
    const others = arrangement[to.section].filter(({ id }) => id !== spaceId);
    const words = `${space.name} is now ${to.above.length + 1} of ${others.length + 1}`;
    void moveSpace(spaceId, placeOf(from, arrangement[from], spaceId), to).then((isDone) => {
      if (isDone) setMoved(to.section === 'pinned' ? `${words} pinned spaces` : `${words} spaces`);
    });
  };
  const neighbour = (spaceId: SpaceId, step: Step) => {
    const list = arrangement[sectionOf(spaceId)];
    return list[list.findIndex(({ id }) => id === spaceId) + (step === 'up' ? -1 : 1)];
  };
  const drop = (spaceId: SpaceId, beside: SpaceId, isBelow: boolean) => {
    const section = sectionOf(beside);
    put(spaceId, placeBeside(section, arrangement[section], { spaceId, beside, isBelow }));
  };
  return {
    moved,
    canStep: (spaceId, step) => neighbour(spaceId, step) !== undefined,
    step(spaceId, step) {
      const beside = neighbour(spaceId, step);
      if (beside) drop(spaceId, beside.id, step === 'down');
    },
    drop,
    dropOnHeading(spaceId, section) {
      const pinned = arrangement.pinned.filter(({ id }) => id !== spaceId);
      put(spaceId, { section, above: section === 'pinned' ? pinned.map(({ id }) => id) : [] });
    },
  };
}
