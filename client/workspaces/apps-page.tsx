/**
 * `/{workspace_slug}/settings/apps`: the apps that the person connected to this workspace and, for owners and admins, the
 * OAuth clients that belong to it. Both lists come from the server.
 */
import { useCallback } from 'react';
import type { Id } from '#shared/ids.ts';
import { ConnectedAppsCard } from '#client/oauth/connected-apps-card.tsx';
import { OauthClientsCard } from '#client/oauth/oauth-clients-card.tsx';
import { useQuery } from '#client/replica/use-query.ts';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';
import { useCan } from '#client/workspaces/queries.ts';

export function AppsPage() {
  const can = useCan();
  const spaces = useQuery((view) => view.list('space'), []);
  const nameOfSpace = useCallback(
    (id: Id<'space'>) => spaces.find((space) => space.id === id)?.name,
    [spaces],
  );
  return (
    <WorkspaceSettings title="Apps" action="oauth.authorize">
      {({ id }) => (
        <>
          <SettingsSection
            title="Connected apps"
            lead="Apps that act for you in this workspace, within what you allowed and what you may do yourself."
          >
            <ConnectedAppsCard key={id} workspaceId={id} nameOfSpace={nameOfSpace} />
          </SettingsSection>
          {can('oauth.register_client') && (
            <SettingsSection
              title="OAuth clients"
              lead="Your own apps that people can connect to their workspaces with OAuth 2.1 and OpenID Connect."
            >
              <OauthClientsCard key={id} workspaceId={id} mayVerify={can('oauth.verify_client') === true} />
            </SettingsSection>
          )}
        </>
      )}
    </WorkspaceSettings>
  );
}
