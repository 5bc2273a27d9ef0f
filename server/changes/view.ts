/** Whose copy of a workspace is brought up to date, and which of its rows are looked at. */
import type { ChangeKind } from '#shared/changes/change.ts';
import type { Member } from '../http/call.ts';

/** Ids of rows that may have changed, by kind. */
export type Candidates = Map<ChangeKind, Set<string>>;

export interface ChangeView {
  actor: Member;
  kinds: readonly ChangeKind[];
  /** The client has everything up to this version of the workspace. */
  since: number;
}
