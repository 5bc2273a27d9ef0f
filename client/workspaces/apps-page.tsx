/** `/{workspace_slug}/settings/apps`: the apps that the person connected to this workspace. The list comes from the server. */
import { useCallback } from 'react';
import type { Id } from '#shared/ids.ts';
import { ConnectedAppsCard } from '#client/oauth/connected-apps-card.tsx';
import { useQuery } from '#client/replica/use-query.ts';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';

export function AppsPage() {
  const spaces = useQuery((view) => view.list('space'), []);
  const nameOfSpace = useCallback(
    (id: Id<'space'>) => spaces.find((space) => space.id === id)?.name,
    [spaces],
  );
  return (
    <WorkspaceSettings title="Apps" action="oauth.authorize">
      {({ id }) => (
        <SettingsSection
          title="Connected apps"
          lead="Apps that act for you in this workspace, within what you allowed and what you may do yourself."
        >
          <ConnectedAppsCard key={id} workspaceId={id} nameOfSpace={nameOfSpace} />
        </SettingsSection>
      )}
    </WorkspaceSettings>
  );
}
