/** `/{workspace_slug}/settings/feeds`: the feeds that the person follows. Not found for who may not follow any. */
import { FeedsCard } from '#client/capture/feeds-card.tsx';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';

/** The page. */
export function FeedsPage() {
  const can = useCan();
  const workspaceId = useWorkspace()?.id;
  if (workspaceId === undefined) return <SettingsFrame title="Feeds">{null}</SettingsFrame>;
  if (!can('feed.create')) return <MissingPage />;
  return (
    <SettingsFrame title="Feeds">
      <SettingsSection
        title="Feeds"
        lead="New entries of the blogs and sites that you follow are saved as memories, each feed in its own space."
      >
        <FeedsCard key={workspaceId} workspaceId={workspaceId} />
      </SettingsSection>
    </SettingsFrame>
  );
}
