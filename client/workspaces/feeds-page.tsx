/** `/{workspace_slug}/settings/feeds`: the feeds that the person follows. Not found for who may not follow any. */
import { FeedsCard } from '#client/capture/feeds-card.tsx';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';

export function FeedsPage() {
  return (
    <WorkspaceSettings title="Feeds" action="feed.create">
      {({ id }) => (
        <SettingsSection
          title="Feeds"
          lead="New entries of the blogs and sites that you follow are saved as memories, each feed in its own space."
        >
          <FeedsCard key={id} workspaceId={id} />
        </SettingsSection>
      )}
    </WorkspaceSettings>
  );
}
