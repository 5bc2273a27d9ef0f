/**
 * What views read of the open workspace: its row, its members, and who is looking at it.
 * Reads of the replica only.
 */
import { useCallback } from 'react';
import { useParams } from 'react-router';
import { displayName } from '#shared/accounts/display-name.ts';
import { can, type Action, type Actor, type Subject } from '#shared/permissions.ts';
import type { MemberHead } from '#shared/workspaces/workspace-member.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { useQuery } from '#client/replica/use-query.ts';

/** Slug in the address of the present page; empty outside a workspace. */
export function useWorkspaceSlug(): string {
  return useParams()['workspace_slug'] ?? '';
}

/** The open workspace; undefined until its row is on the device. */
export function useWorkspace(): Workspace | undefined {
  return useQuery(
    (view) => (view.workspaceId === undefined ? undefined : view.get('workspace', view.workspaceId)),
    [],
  );
}

/** The person with the position in the open workspace. */
export function useActor(): Actor {
  return useQuery((view) => view.actor, []);
}

/** Whether this person may do something in the open workspace; for the state of buttons. */
export function useCan(): (action: Action, subject?: Subject) => boolean {
  const actor = useActor();
  return useCallback((action, subject) => can(actor, action, subject), [actor]);
}

/** A member by the user's id. */
function useMember(userId: string | null | undefined): MemberHead | undefined {
  return useQuery((view) => (userId ? view.get('workspace_member', userId) : undefined), [userId]);
}

/**
 * Whether it is known what this person may do in the open workspace. Before the rows of the device are here nothing is
 * allowed, and what was asked for at the start must wait for them. Guests have no row among the members; members come
 * before what guests are given.
 */
export function useIsPositionKnown(): boolean {
  return useQuery(
    (view) =>
      view.get('workspace_member', view.userId) !== undefined ||
      view.count('space') > 0 ||
      view.count('thread') > 0,
    [],
  );
}

/** The name to show for a user of this workspace; a person who left is "Former member". */
export function useMemberName(userId: string | null | undefined): string {
  const member = useMember(userId);
  return member ? displayName(member) : 'Former member';
}

/** How much of the open workspace this device holds. */
export function useCounts(): { memories: number; spaces: number; threads: number } {
  const memories = useQuery((view) => view.count('memory'), []);
  const spaces = useQuery((view) => view.count('space'), []);
  const threads = useQuery((view) => view.count('thread'), []);
  return { memories, spaces, threads };
}
