/**
 * `/{workspace_slug}/settings/api-keys`, and the same with the dialog for a new key at `/api-keys/new`.
 * Not found for those whose position allows no keys.
 */
import { ApiKeys } from '#client/api-keys/api-keys-card.tsx';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';

function KeysPage({ isCreating }: { isCreating: boolean }) {
  const can = useCan();
  const workspaceId = useWorkspace()?.id;
  if (workspaceId === undefined) return <SettingsFrame title="API keys">{null}</SettingsFrame>;
  if (!can('api_key.create')) return <MissingPage />;
  return (
    <SettingsFrame title="API keys">
      <SettingsSection
        title="API keys"
        lead={
          can('api_key.read')
            ? 'All keys of this workspace. A key may do what its scopes and the position of its owner both allow.'
            : 'Your keys in this workspace. A key may do what its scopes and your position both allow.'
        }
      >
        <ApiKeys workspaceId={workspaceId} isCreating={isCreating} />
      </SettingsSection>
    </SettingsFrame>
  );
}

/** The list. */
export function ApiKeysPage() {
  return <KeysPage isCreating={false} />;
}

/** The list with the dialog over it. */
export function NewApiKeyPage() {
  return <KeysPage isCreating />;
}
