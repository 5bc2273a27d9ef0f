/** Facts of a workspace for the consent page: position of the person and the spaces to choose from. */
import { useCallback } from 'react';
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { api } from '#client/api/session-client.ts';
import { useResolved } from '#client/shell/use-loaded.ts';

const PAGE = 100;
const PAGES_MAX = 10;

interface WorkspaceFacts {
  position: Position | undefined;
  /** By name; undefined when they could not be loaded. */
  spaces: readonly { id: Id<'space'>; name: string }[] | undefined;
}

async function listSpaces(workspaceId: Id<'workspace'>) {
  const spaces: { id: Id<'space'>; name: string }[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { result } = await api('space.list', { params: { workspaceId }, query: { page, perPage: PAGE } });
    spaces.push(...result.map(({ id, name }) => ({ id, name })));
    if (result.length < PAGE) break;
  }
  return spaces.sort((a, b) => a.name.localeCompare(b.name));
}

async function fetchFacts(
  workspaceId: Id<'workspace'>,
  userId: Id<'user'> | undefined,
): Promise<WorkspaceFacts> {
  try {
    const [spaces, member] = await Promise.all([
      listSpaces(workspaceId),
      userId && api('workspace_member.get', { params: { workspaceId, id: userId } }),
    ]);
    return { spaces, position: member?.result.position };
  } catch (failure) {
    console.info('consent: the spaces are not here', failure);
    return { spaces: undefined, position: undefined };
  }
}

/** The facts of the chosen workspace; undefined while they load. */
export function useWorkspaceFacts(
  workspaceId: Id<'workspace'> | undefined,
  userId: Id<'user'> | undefined,
): WorkspaceFacts | undefined {
  const load = useCallback(
    async () => (workspaceId === undefined ? undefined : fetchFacts(workspaceId, userId)),
    [workspaceId, userId],
  );
  return useResolved(load);
}
