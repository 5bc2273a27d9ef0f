// Facts about a row for the permission table, read in one way by mutators, handlers and buttons.
import type { Subject } from './permissions.ts';
import { workspaceReads, type Visibility } from './spaces/visibility.ts';

/** The fields of a space or a thread that decide who reads it. */
export interface Place {
  visibility: Visibility;
}

/**
 * Whether every member reads the memories of a home. Without a home (null) it belongs to the whole workspace; a home that
 * cannot be found (undefined) may be a private space of another member, so it counts as closed.
 */
export function isOpenHome(home: Place | null | undefined): boolean {
  return home === null || (home !== undefined && workspaceReads(home.visibility));
}

/** A space or a thread is its own home; the home of a memory is a space, or none (null). */
export function subjectOf(row: { ownerId: string }, home: Place | null | undefined): Subject {
  return { ownerId: row.ownerId, workspaceReads: isOpenHome(home) };
}

/** For showing a space or a thread to people without an account, which the workspace may forbid to its members. */
export function publishingSubjectOf(
  row: { ownerId: string },
  workspace: { allowPublicSharing: boolean } | undefined,
): Subject {
  return { ownerId: row.ownerId, publicSharing: workspace?.allowPublicSharing ?? true };
}
