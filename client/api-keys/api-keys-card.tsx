/**
 * The API keys of a workspace that the person may see: owners and admins all of them, members their own. Each can be
 * revoked; a new one is made in a dialog with an address of its own.
 */
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApiKey } from '#shared/api-keys/api-key.ts';
import type { Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { UnconfirmedAddressCard } from '#client/accounts/unconfirmed-address-card.tsx';
import { accessWords } from '#client/api-keys/key-access.ts';
import { NewKeyDialog } from '#client/api-keys/new-key-dialog.tsx';
import { api } from '#client/api/session-client.ts';
import { usePerson } from '#client/api/session.ts';
import { useResult } from '#client/api/use-result.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { useIsOnline } from '#client/shell/online.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { limitText, useSpaces } from '#client/spaces/queries.ts';
import { useActor, useMemberName, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { formatDate } from '#shared/english.ts';
import { LinkButton } from '#client/ui/link-button.tsx';
import { useMinuteClock } from '#client/ui/minute-clock.ts';
import { RelativeTime } from '#client/ui/relative-time.tsx';

function Expiry({ at }: { at: string | null }) {
  const now = useMinuteClock();
  if (at === null) return 'never expires';
  const moment = Date.parse(at);
  return `${now !== undefined && moment <= now ? 'expired on' : 'expires on'} ${formatDate(new Date(moment))}`;
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { userId } = useActor();
  const owner = useMemberName(apiKey.ownerId);
  const spaces = useSpaces();
  const nameOfSpace = (id: Id<'space'>) => spaces.find((space) => space.id === id)?.name;
  const now = useMinuteClock() ?? 0;
  const isExpired = apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) <= now;
  return (
    <li className="flex items-start gap-3 py-3">
      <KeyRound aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium wrap-anywhere">{apiKey.name}</span>
          <code className="text-xs text-ink-muted">sk_…{apiKey.last4}</code>
          {isExpired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="mt-0.5 text-xs text-ink-muted wrap-anywhere">
          {accessWords(apiKey.scopes, apiKey.spaceIds !== null)}
          {apiKey.spaceIds !== null && ` · ${limitText(apiKey.spaceIds, nameOfSpace)}`}
          {apiKey.ownerId !== userId && ` · by ${owner}`}
        </p>
        <p className="mt-0.5 text-xs text-ink-muted">
          {apiKey.lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <RelativeTime at={apiKey.lastUsedAt} />
            </>
          )}
          {' · '}
          <Expiry at={apiKey.expiresAt} />
        </p>
      </div>
      <Button size="sm" variant="quietDanger" aria-label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}

function KeyList({ keys, onChanged }: { keys: readonly ApiKey[]; onChanged: () => void }) {
  const [asked, setAsked] = useState<ApiKey>();
  const [open, setOpen] = useState(false);
  const { busy, run } = useBusy();
  const revoke = async ({ workspaceId, id }: ApiKey) => {
    await run(async () => {
      await api('api_key.remove', { params: { workspaceId, id } });
      showToast({ title: 'API key revoked', kind: 'success' });
      setOpen(false);
    });
    onChanged();
  };
  return (
    <>
      <ul className="divide-y divide-line/60">
        {keys.map((apiKey) => (
          <KeyRow
            key={apiKey.id}
            apiKey={apiKey}
            onRevoke={() => {
              setAsked(apiKey);
              setOpen(true);
            }}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Revoke “${asked?.name ?? ''}”?`}
        confirm="Revoke key"
        busy={busy}
        onConfirm={() => asked && void revoke(asked)}
      >
        <p>Programs that use this key lose access at once. A revoked key cannot be brought back.</p>
      </ConfirmDialog>
    </>
  );
}

/** The link to a new key, or the missing requirement. */
function NewKey({ to }: { to: string }) {
  const person = usePerson();
  const isOnline = useIsOnline();
  if (person?.user.emailVerified === false) return <UnconfirmedAddressCard purpose="create API keys" />;
  if (!isOnline) return <p className="text-ink-muted">Keys can be created when you are online.</p>;
  return (
    <div>
      <LinkButton to={to} variant="primary">
        New API key
      </LinkButton>
    </div>
  );
}

/** The list, the way to a new key, and the dialog for it while `isCreating`. */
export function ApiKeys({ workspaceId, isCreating }: { workspaceId: Id<'workspace'>; isCreating: boolean }) {
  const { known, load } = useResult('api_key.list', { params: { workspaceId }, query: { perPage: 100 } });
  const navigate = useNavigate();
  const person = usePerson();
  const params = { workspace_slug: useWorkspaceSlug() };
  const close = () => {
    void load();
    void navigate(pathTo('settings_api_keys', params), { replace: true });
  };
  return (
    <>
      <NewKey to={pathTo('settings_api_keys_new', params)} />
      <LoadedList known={known} what="the API keys" usual={[]} onRetry={() => void load()}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState title="No API keys">
              Programs use a key to read and save memories in your name.
            </EmptyState>
          ) : (
            <KeyList keys={keys} onChanged={() => void load()} />
          )
        }
      </LoadedList>
      {isCreating && person?.user.emailVerified === true && (
        <NewKeyDialog workspaceId={workspaceId} onClose={close} />
      )}
    </>
  );
}
