/**
 * `/{workspace_slug}/settings/import`: what brings memories into the workspace (files, feeds, mails) and takes them out. Those who
 * may not save here see the export alone.
 */
import { BookmarkletCard } from '#client/capture/bookmarklet-card.tsx';
import { FeedsCard } from '#client/capture/feeds-card.tsx';
import { WorkspaceExport } from '#client/capture/workspace-export-card.tsx';
import { openImport } from '#client/shell/import-state.ts';
import { Button } from '#client/ui/button.tsx';
import { MailAddressSection } from '#client/workspaces/mail-address-section.tsx';
import { useCan } from '#client/workspaces/queries.ts';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';

export function ImportPage() {
  const can = useCan();
  return (
    <WorkspaceSettings title="Import and export" action="workspace.read">
      {({ id }) => (
        <>
          {can('memory.create') && (
            <SettingsSection
              title="Import"
              lead="Bring in bookmarks of your browser, exports of other products, or a zip of Markdown files. Importing the same file again changes nothing."
            >
              <div>
                <Button onClick={() => openImport()}>Import notes and bookmarks</Button>
              </div>
            </SettingsSection>
          )}
          <SettingsSection
            title="Export"
            lead="Everything you can read here in one zip: Markdown files for Obsidian and other apps, uploaded files, and data that an import restores. You can download it for 7 days."
          >
            <WorkspaceExport key={id} workspaceId={id} />
          </SettingsSection>
          {can('feed.create') && (
            <SettingsSection
              title="Feeds"
              lead="New entries of the blogs and sites that you follow are saved as memories, each feed in its own space."
            >
              <FeedsCard key={id} workspaceId={id} />
            </SettingsSection>
          )}
          {can('memory.create') && (
            <SettingsSection
              title="Save from your browser"
              lead="Drag the button to your bookmarks, or make a bookmark with its address. On any page it opens Loci with the address, the title and the words that you selected."
            >
              <BookmarkletCard />
              <p className="text-ink-muted">
                The{' '}
                <a href="/docs/extension" target="_blank" rel="noreferrer" className="underline">
                  browser extension
                </a>{' '}
                also saves pages behind a log-in, as you see them.
              </p>
            </SettingsSection>
          )}
          {can('memory.create') && <MailAddressSection key={id} workspaceId={id} />}
        </>
      )}
    </WorkspaceSettings>
  );
}
