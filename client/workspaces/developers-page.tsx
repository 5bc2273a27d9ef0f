/**
 * `/{workspace_slug}/settings/webhooks`: what programs get from the workspace: webhooks, and the OAuth clients that belong to it.
 * Not found for everyone but owners and admins. Both lists come from the server.
 */
import { OauthClientsCard } from '#client/oauth/oauth-clients-card.tsx';
import { WebhooksCard } from '#client/webhooks/webhooks-card.tsx';
import { useCan } from '#client/workspaces/queries.ts';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';

export function DevelopersPage() {
  const can = useCan();
  return (
    <WorkspaceSettings title="Developers" action="webhook.manage">
      {({ id }) => (
        <>
          <SettingsSection
            title="Webhooks"
            lead="Addresses of other programs that receive changes of this workspace as they happen."
          >
            <WebhooksCard key={id} workspaceId={id} />
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
