/**
 * Workspaces that the person deleted and can still restore. Empty when there are none. Shown on the page where workspaces are
 * created, because people without a workspace land there.
 */
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { DAY_MS } from '#shared/constants.ts';
import { WORKSPACE_KEEP_DAYS } from '#shared/workspaces/limits.ts';
import type { ResultOf } from '#shared/define/endpoint.ts';
import { pathTo } from '#shared/pages.ts';
import type { workspaceEndpoints } from '#shared/workspaces/endpoints.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { refreshPerson } from '#client/api/session.ts';
import { perform } from '#client/shell/perform.ts';
import { Button } from '#client/ui/button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

type Deleted = ResultOf<(typeof workspaceEndpoints)['workspace.list_deleted']>;

const lastDay = (deletedAt: string) =>
  new Date(new Date(deletedAt).getTime() + WORKSPACE_KEEP_DAYS * DAY_MS).toISOString();

/** A list with one button each. */
export function DeletedWorkspaces() {
  const navigate = useNavigate();
  const [deleted, setDeleted] = useState<Deleted>([]);
  const [isReached, setReached] = useState(true);
  const [busy, setBusy] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    api('workspace.list_deleted', {}).then(
      ({ result }) => isCurrent && setDeleted(result),
      (failure: unknown) => {
        console.info('Could not load deleted workspaces', failure);
        if (isCurrent) setReached(failure instanceof ApiProblem);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  if (!isReached) {
    return (
      <output className="mt-6 block border-t border-line pt-5 text-ink-muted">
        The server cannot be reached. Workspaces are made and brought back there; what you type here is kept
        until then.
      </output>
    );
  }
  if (deleted.length === 0) return null;
  const bringBack = async ({ id }: Deleted[number]) => {
    setBusy(id);
    await perform(async () => {
      const { result } = await api('workspace.restore', { params: { workspaceId: id } });
      await refreshPerson();
      await navigate(pathTo('workspace_home', { workspace_slug: result.slug }), { replace: true });
    });
    setBusy(undefined);
  };
  return (
    <section aria-label="Deleted workspaces" className="mt-6 border-t border-line pt-5">
      <h2 className="font-serif text-name">Deleted workspaces</h2>
      <ul className="mt-2 divide-y divide-line/60">
        {deleted.map((each) => (
          <li key={each.id} className="flex items-center gap-3 py-2.5">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{each.name}</span>
              <span className="block text-xs text-ink-muted">
                Permanently deleted <RelativeTime at={lastDay(each.deletedAt)} />
              </span>
            </span>
            <Button
              size="sm"
              loading={busy === each.id}
              aria-label={`Restore ${each.name}`}
              onClick={() => void bringBack(each)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
