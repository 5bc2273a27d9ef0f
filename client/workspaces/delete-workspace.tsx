/**
 * Deleting the workspace: shows in numbers what is deleted, requires its name, and navigates away afterwards. Only its owner
 * sees this.
 */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { WORKSPACE_KEEP_DAYS } from '#shared/workspaces/limits.ts';
import { pathTo } from '#shared/pages.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { api } from '#client/api/session-client.ts';
import { refreshPerson } from '#client/api/session.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { useCounts } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { countOf, countMemories } from '#shared/english.ts';

function Consequence({ others }: { others: number }) {
  const counts = useCounts();
  return (
    <>
      {counts ? (
        <p>
          {countMemories(counts.memories)}, {countOf(counts.spaces, 'space')} and{' '}
          {countOf(counts.threads, 'thread')} go with it. Public pages answer “not found” at once.
        </p>
      ) : (
        <Skeleton className="h-5 w-4/5" />
      )}
      {others > 0 && (
        <p className="mt-2">
          {countOf(others, 'other member loses', 'other members lose')} access, and what only they can see
          goes too.
        </p>
      )}
      <p className="mt-2">
        For {WORKSPACE_KEEP_DAYS} days you can bring it back from the page where workspaces are created. After
        that it cannot be recovered.
      </p>
    </>
  );
}

/** A button, and the question behind it. */
export function DeleteWorkspace({ workspace }: { workspace: Workspace }) {
  const navigate = useNavigate();
  const isOnline = useIsOnline();
  const others = useQuery((view) => view.list('workspace_member').length, []) - 1;
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { busy, run } = useBusy();
  const remove = () =>
    run(async () => {
      await api('workspace.remove', { params: { workspaceId: workspace.id } });
      const { workspaces } = await refreshPerson();
      const [next] = workspaces;
      setOpen(false);
      await navigate(
        next ? pathTo('workspace_home', { workspace_slug: next.slug }) : pathTo('create_workspace', {}),
        { replace: true },
      );
      showToast({ title: `“${workspace.name}” was deleted`, kind: 'success' });
    });
  return (
    <>
      <div>
        <Button
          variant="quietDanger"
          disabled={!isOnline}
          onClick={() => {
            setTyped('');
            setOpen(true);
          }}
        >
          Delete this workspace
        </Button>
        {!isOnline && <p className="mt-2 text-xs text-ink-muted">Available when you are online.</p>}
      </div>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete “${workspace.name}”?`}
        confirm="Delete workspace"
        ready={typed.trim() === workspace.name}
        busy={busy}
        onConfirm={() => void remove()}
      >
        <Consequence others={others} />
        <Field label={`Type “${workspace.name}” to confirm`} className="mt-4 text-ink">
          <Input
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </ConfirmDialog>
    </>
  );
}
