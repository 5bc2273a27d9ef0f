/**
 * `/{workspace_slug}/settings/api-keys`, and the same with the dialog for a new key at `/api-keys/new`.
 * Not found for those whose position allows no keys.
 */
import { ApiKeys } from '#client/api-keys/api-keys-card.tsx';
import { useCan } from '#client/workspaces/queries.ts';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';

function KeysPage({ isCreating }: { isCreating: boolean }) {
  const can = useCan();
  return (
    <WorkspaceSettings title="API keys" action="api_key.create">
      {({ id }) => (
        <SettingsSection
          title="API keys"
          lead={
            can('api_key.read')
              ? 'All keys of this workspace. A key may do what its scopes and the position of its owner both allow.'
              : 'Your keys in this workspace. A key may do what its scopes and your position both allow.'
          }
        >
          <ApiKeys workspaceId={id} isCreating={isCreating} />
        </SettingsSection>
      )}
    </WorkspaceSettings>
  );
}

export function ApiKeysPage() {
  return <KeysPage isCreating={false} />;
}

/** The list with the dialog over it. */
export function NewApiKeyPage() {
  return <KeysPage isCreating />;
}
