/** The apps that the person connected to a workspace, what each may do, and the way to end it. */
import { useCallback, useState } from 'react';
import { SCOPES } from '#shared/api-keys/scopes.ts';
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { Id } from '#shared/ids.ts';
import type { oauthEndpoints } from '#shared/oauth/endpoints.ts';
import { api } from '#client/api/session-client.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { useLoaded } from '#client/shell/use-loaded.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { limitText } from '#client/spaces/queries.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { countOf } from '#shared/english.ts';

type ConnectedApp = ResultOf<(typeof oauthEndpoints)['connected_app.list']>[number];

/** From the page, because spaces come from the replica. */
interface ConnectedAppsCardProps {
  workspaceId: Id<'workspace'>;
  nameOfSpace: (id: Id<'space'>) => string | undefined;
}

export function ConnectedAppsCard({ workspaceId, nameOfSpace }: ConnectedAppsCardProps) {
  const fetchApps = useCallback(async () => {
    const { result } = await api('connected_app.list', { query: { perPage: 100 } });
    return result.filter((app) => app.workspaceId === workspaceId);
  }, [workspaceId]);
  const { known, load } = useLoaded(fetchApps);
  return (
    <LoadedList known={known} what="your connected apps" usual={[]} onRetry={() => void load()}>
      {(apps) =>
        apps.length === 0 ? (
          <p className="text-ink-muted">
            Apps that you connect to this workspace are listed here. Connect one from within the app.
          </p>
        ) : (
          <ul className="divide-y divide-line/60">
            {apps.map((app) => (
              <AppRow key={app.client.id} app={app} nameOfSpace={nameOfSpace} onChange={load} />
            ))}
          </ul>
        )
      }
    </LoadedList>
  );
}

function AppRow({
  app,
  nameOfSpace,
  onChange,
}: {
  app: ConnectedApp;
  nameOfSpace: (id: Id<'space'>) => string | undefined;
  onChange: () => Promise<void>;
}) {
  const { client, workspaceId } = app;
  const [asking, setAsking] = useState(false);
  const { busy, run } = useBusy();
  const disconnect = () =>
    run(async () => {
      await api('connected_app.remove', { params: { workspaceId, id: client.id } });
      showToast({ kind: 'success', title: `${client.name} was disconnected` });
      setAsking(false);
    }, onChange);
  return (
    <li className="flex flex-wrap items-start gap-3 py-3">
      <Avatar name={client.name} seed={client.id} square />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">{client.name}</span>
          {!app.verified && <Badge tone="warning">Unverified</Badge>}
        </p>
        <p className="text-xs leading-5 text-ink-muted">
          Connected <RelativeTime at={app.created} /> · last used <RelativeTime at={app.lastUsedAt} />
        </p>
        <p className="text-xs leading-5 wrap-anywhere text-ink-muted">
          {limitText(app.spaceIds, nameOfSpace)}
        </p>
        <details className="mt-1 text-xs leading-5">
          <summary className="w-fit cursor-pointer rounded-xs text-primary hover:underline">
            {countOf(app.scopes.length, 'permission')}
          </summary>
          <ul className="mt-1 list-disc ps-5 text-ink-muted">
            {app.scopes.map((scope) => (
              <li key={scope}>{SCOPES[scope]}</li>
            ))}
          </ul>
        </details>
      </div>
      <Button size="sm" aria-label={`Disconnect ${client.name}`} onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Disconnect ${client.name}?`}
        confirm="Disconnect app"
        busy={busy}
        onConfirm={() => void disconnect()}
      >
        The app loses access to this workspace at once. What it saved here stays. To use it again, connect it
        again.
      </ConfirmDialog>
    </li>
  );
}
