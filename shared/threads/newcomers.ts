// The people who get access to a thread by a change.
import type { GrantHolder } from '../spaces/grant.ts';
import { anonymousReads, VISIBILITY, type Visibility } from '../spaces/visibility.ts';
import type { Thread } from './thread.ts';

/** Readers of a thread whom a change adds. */
export interface Newcomers {
  members: boolean;
  domain: boolean;
  visitors: boolean;
  /** `all` who are named and now count, those of positions, or one. */
  named: 'none' | 'all' | 'positions' | { holder: GrantHolder };
  /** The messages that they see: after the one, up to the other. Null = no limit. */
  after: Thread['publicUntil'];
  until: Thread['publicUntil'];
}

/** A change of who reads a thread, or of where its public view ends. */
export interface Opening {
  visibility?: Visibility | undefined;
  publicUntil?: Thread['publicUntil'] | undefined;
  /** Named now. */
  holder?: GrantHolder | undefined;
}

/** Undefined when the change adds no readers. */
export function newcomersOf(thread: Thread, change: Opening): Newcomers | undefined {
  const [from, to] = [VISIBILITY[thread.visibility], VISIBILITY[change.visibility ?? thread.visibility]];
  const until = change.publicUntil === undefined ? thread.publicUntil : change.publicUntil;
  const showsLater = Boolean(thread.publicUntil) && until !== thread.publicUntil;
  const visitors = to.anonymousReads && (!from.anonymousReads || showsLater);
  const members = to.workspaceReads && !from.workspaceReads;
  const domain = to.domain && !from.domain;
  const named = namedBy(from, to, change.holder);
  if (!visitors && !members && !domain && named === 'none') return undefined;
  const areVisitorsOnly = visitors && !members && !domain && named === 'none';
  return {
    members,
    domain,
    visitors,
    named,
    after: areVisitorsOnly && anonymousReads(thread.visibility) ? thread.publicUntil : null,
    until: areVisitorsOnly ? until : null,
  };
}

type Rules = (typeof VISIBILITY)[Visibility];

function namedBy(from: Rules, to: Rules, holder: GrantHolder | undefined): Newcomers['named'] {
  if (to.guests && !from.guests) return 'all';
  if (to.guests && holder !== undefined) return { holder };
  return to.positions && !from.positions ? 'positions' : 'none';
}
