/**
 * `/{workspace_slug}/settings`: name, address, visitor questions, answers and deletion of the workspace.
 * Settings in the replica work offline; those that need the server say so.
 */
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { AddressForm } from '#client/workspaces/address-form.tsx';
import { AnsweringCard } from '#client/threads/answering-card.tsx';
import { DeleteWorkspace } from '#client/workspaces/delete-workspace.tsx';
import { useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { VisitorQuestions } from '#client/workspaces/visitor-questions-card.tsx';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';
import { SuspensionCard } from '#client/workspaces/suspension-card.tsx';
import { WorkspaceForm } from '#client/workspaces/workspace-form.tsx';

export function SettingsPage() {
  const workspace = useWorkspace();
  const can = useCan();
  if (!workspace || can('workspace.read') === undefined) {
    return (
      <SettingsFrame title="Settings">
        <FirstSyncNotice />
      </SettingsFrame>
    );
  }
  return (
    <SettingsFrame title="Settings">
      <SuspensionCard workspaceId={workspace.id} />
      <SettingsSection title="Workspace">
        {can('workspace.update') ? (
          <WorkspaceForm key={workspace.id} workspace={workspace} />
        ) : (
          <p>
            {workspace.name}
            {workspace.description && <span className="text-ink-muted"> · {workspace.description}</span>}
          </p>
        )}
      </SettingsSection>
      <SettingsSection
        title="Address"
        lead="Where the workspace is found, and the start of every link into it."
      >
        {can('workspace.rename_slug') ? (
          <AddressForm key={workspace.slug} workspace={workspace} />
        ) : (
          <p>
            {location.host}/{workspace.slug}
          </p>
        )}
      </SettingsSection>
      {can('workspace.update') && (
        <SettingsSection title="Visitors">
          <VisitorQuestions workspace={workspace} />
        </SettingsSection>
      )}
      {can('answering.manage') && (
        <SettingsSection
          title="Answers"
          lead="Who writes the answers in threads. A language model is sent each question with the passages that fit it."
        >
          <AnsweringCard key={workspace.id} workspaceId={workspace.id} />
        </SettingsSection>
      )}
      {can('workspace.remove') && (
        <SettingsSection
          title="Delete the workspace"
          lead="Deletes the workspace for every member. You will be asked to confirm."
        >
          <DeleteWorkspace workspace={workspace} />
        </SettingsSection>
      )}
    </SettingsFrame>
  );
}
