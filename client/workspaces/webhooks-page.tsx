/** `/{workspace_slug}/settings/webhooks`: where changes of the workspace are sent. Not found for everyone but owners and admins. */
import { WebhooksCard } from '#client/webhooks/webhooks-card.tsx';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';

/** The page. */
export function WebhooksPage() {
  const can = useCan();
  const workspaceId = useWorkspace()?.id;
  if (workspaceId === undefined) return <SettingsFrame title="Webhooks">{null}</SettingsFrame>;
  if (!can('webhook.manage')) return <MissingPage />;
  return (
    <SettingsFrame title="Webhooks">
      <SettingsSection
        title="Webhooks"
        lead="Addresses of other programs that receive changes of this workspace as they happen."
      >
        <WebhooksCard key={workspaceId} workspaceId={workspaceId} />
      </SettingsSection>
    </SettingsFrame>
  );
}
