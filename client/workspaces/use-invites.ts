/**
 * The open invitations of the workspace, read from the server: no replica holds them. Read again when the network is back,
 * when the members change, because an invitation may have been accepted, and after every act of this page.
 */
import { useCallback, useEffect, useState } from 'react';
import type { Id } from '#shared/ids.ts';
import type { Invite } from '#shared/workspaces/invite.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import type { Loaded } from '#client/shell/use-loaded.ts';

type KnownInvites = Loaded<readonly Invite[]>;

const UNREACHABLE: KnownInvites = { state: 'unreachable' };

async function fetchInvites(workspaceId: Id<'workspace'>): Promise<KnownInvites> {
  const invites: Invite[] = [];
  try {
    for (let page = 1; ; page += 1) {
      const { result } = await api('invite.list', {
        params: { workspaceId },
        query: { status: 'pending', perPage: 100, page },
      });
      invites.push(...result);
      if (result.length < 100) return { state: 'here', value: invites };
    }
  } catch (failure) {
    console.info('members: the invitations are not here', failure);
    return UNREACHABLE;
  }
}

/** Earlier invitations stay when the server cannot be reached. */
const latest = (found: KnownInvites) => (earlier: KnownInvites) =>
  found.state === 'unreachable' && earlier.state === 'here' ? earlier : found;

/** `members` is their number. */
export function useInvites(
  workspaceId: Id<'workspace'>,
  members: number,
): { known: KnownInvites; reload: () => Promise<void> } {
  const [known, setKnown] = useState<KnownInvites>({ state: 'loading' });
  const isOnline = useIsOnline();
  const reload = useCallback(
    () => fetchInvites(workspaceId).then((found) => setKnown(latest(found))),
    [workspaceId],
  );
  useEffect(() => {
    // Without members the replica has not answered yet.
    if (members === 0 || !isOnline) return undefined;
    let isCurrent = true;
    void fetchInvites(workspaceId).then((found) => isCurrent && setKnown(latest(found)));
    return () => {
      isCurrent = false;
    };
  }, [workspaceId, members, isOnline]);
  return { known: known.state === 'loading' && !isOnline ? UNREACHABLE : known, reload };
}
