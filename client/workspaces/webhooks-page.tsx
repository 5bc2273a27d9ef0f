/** `/{workspace_slug}/settings/webhooks`: where changes of the workspace are sent. Not found for everyone but owners and admins. */
import { WebhooksCard } from '#client/webhooks/webhooks-card.tsx';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';

export function WebhooksPage() {
  return (
    <WorkspaceSettings title="Webhooks" action="webhook.manage">
      {({ id }) => (
        <SettingsSection
          title="Webhooks"
          lead="Addresses of other programs that receive changes of this workspace as they happen."
        >
          <WebhooksCard key={id} workspaceId={id} />
        </SettingsSection>
      )}
    </WorkspaceSettings>
  );
}
