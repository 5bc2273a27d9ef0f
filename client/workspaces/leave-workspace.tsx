/** Leaving the workspace: its effects, the confirmation, and the redirect. The only owner sees the required steps first. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { api } from '#client/api/session-client.ts';
import { refreshPerson } from '#client/api/session.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { useActor } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';

export function LeaveWorkspace({ workspace }: { workspace: Workspace }) {
  const navigate = useNavigate();
  const isOnline = useIsOnline();
  const { userId, position } = useActor();
  const owners = useQuery(
    (view) => view.list('workspace_member').filter((member) => member.position === 'owner').length,
    [],
  );
  const [asking, setAsking] = useState(false);
  const { busy, run } = useBusy();
  if (position === 'owner' && owners < 2) {
    return (
      <p className="text-ink-muted">
        You are the only owner. Transfer the ownership or make another member an owner before you leave.
      </p>
    );
  }
  const leave = () =>
    run(async () => {
      await api('workspace_member.remove', { params: { workspaceId: workspace.id, id: userId } });
      const { workspaces } = await refreshPerson();
      const [next] = workspaces;
      setAsking(false);
      await navigate(
        next ? pathTo('workspace_home', { workspace_slug: next.slug }) : pathTo('create_workspace', {}),
        { replace: true },
      );
      showToast({ kind: 'success', title: `You left ${workspace.name}` });
    });
  return (
    <div>
      <Button variant="quietDanger" disabled={!isOnline} onClick={() => setAsking(true)}>
        Leave workspace
      </Button>
      {!isOnline && <p className="mt-2 text-xs text-ink-muted">Available when you are online.</p>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Leave ${workspace.name}?`}
        confirm="Leave workspace"
        busy={busy}
        onConfirm={() => void leave()}
      >
        <p>You lose access at once. To come back you need an invitation.</p>
        <p className="mt-2">
          Your memories stay. Your private spaces and threads pass to the workspace’s owner.
        </p>
      </ConfirmDialog>
    </div>
  );
}
