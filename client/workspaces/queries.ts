/** Queries of the replica for the open workspace: its row, its members, and the current person. */
import { useCallback } from 'react';
import { useParams } from 'react-router';
import { displayName } from '#shared/accounts/display-name.ts';
import { can, type Action, type Actor, type Subject } from '#shared/permissions.ts';
import type { MemberHead } from '#shared/workspaces/workspace-member.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { useIsWhole, useKnown, type Known } from '#client/replica/use-known.ts';
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

/** Guests have no row among the members, which arrive before the rows of guests. */
function useIsPositionKnown(): boolean {
  const isAnyHere = useQuery(
    (view) => view.position(view.userId) !== undefined || view.count('space') > 0 || view.count('thread') > 0,
    [],
  );
  return useIsWhole() || isAnyHere;
}

/** Whether this person may do something in the open workspace; for the state of buttons. */
export function useCan(): (action: Action, subject?: Subject) => Known<boolean> {
  const actor = useActor();
  const isKnown = useIsPositionKnown();
  return useCallback(
    (action, subject) => (isKnown ? can(actor, action, subject) : undefined),
    [actor, isKnown],
  );
}

function useMember(userId: string | null | undefined): MemberHead | undefined {
  return useQuery((view) => (userId ? view.get('workspace_member', userId) : undefined), [userId]);
}

/** The name to show for a user of this workspace; a person who left is "Former member". */
export function useMemberName(userId: string | null | undefined): string {
  const member = useMember(userId);
  return member ? displayName(member) : 'Former member';
}

interface Counts {
  memories: number;
  spaces: number;
  threads: number;
}

/** How much of the open workspace this device holds. */
export function useCounts(): Known<Counts> {
  return useKnown(
    (view) => ({
      memories: view.count('memory'),
      spaces: view.count('space'),
      threads: view.count('thread'),
    }),
    [],
  );
}
