/** The OAuth clients of a workspace, for its owners and admins: register, verify, edit, renew the secret, remove. */
import { useState } from 'react';
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { useResult } from '#client/api/use-result.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import type { ManagedClient, Registered } from '#client/oauth/managed-client.ts';
import { OauthClientDialog } from '#client/oauth/oauth-client-dialog.tsx';
import { useBusy } from '#client/shell/use-busy.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

type Open =
  | { what: 'register' }
  | { what: 'edit' | 'renew' | 'remove'; client: ManagedClient }
  | { what: 'credentials'; registered: Registered };

interface OauthClientsCardProps {
  workspaceId: Id<'workspace'>;
  mayVerify: boolean;
}

export function OauthClientsCard({ workspaceId, mayVerify }: OauthClientsCardProps) {
  const { known, load } = useResult('oauth_client.list', {
    params: { workspaceId },
    query: { perPage: 100 },
  });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { run } = useBusy();
  const verify = ({ id, name }: ManagedClient, verified: boolean) =>
    run(async () => {
      await api('oauth_client.verify', { params: { workspaceId, id }, body: { verified } });
      showToast({ kind: 'success', title: verified ? `${name} is verified` : `${name} is unverified` });
    }, load);
  return (
    <>
      <LoadedList known={known} what="the OAuth clients" usual={[]} onRetry={() => void load()}>
        {(clients) => (
          <>
            {clients.length > 0 && (
              <ul className="divide-y divide-line/60">
                {clients.map((client) => (
                  <ClientRow
                    key={client.id}
                    client={client}
                    onOpen={setOpen}
                    onVerify={mayVerify ? (verified) => verify(client, verified) : undefined}
                  />
                ))}
              </ul>
            )}
            <div>
              <Button onClick={() => setOpen({ what: 'register' })}>Register OAuth client</Button>
            </div>
          </>
        )}
      </LoadedList>
      {(open?.what === 'register' || open?.what === 'edit') && (
        <OauthClientDialog
          workspaceId={workspaceId}
          client={open.what === 'edit' ? open.client : undefined}
          onClose={close}
          onSaved={(registered) => {
            setOpen(registered && { what: 'credentials', registered });
            void load();
          }}
        />
      )}
      {open?.what === 'credentials' && <ClientSecretDialog registered={open.registered} onClose={close} />}
      {(open?.what === 'renew' || open?.what === 'remove') && (
        <Question
          workspaceId={workspaceId}
          open={open}
          onClose={close}
          onDone={(registered) => {
            setOpen(registered && { what: 'credentials', registered });
            void load();
          }}
        />
      )}
    </>
  );
}

interface ClientRowProps {
  client: ManagedClient;
  onOpen: (open: Open) => void;
  /** Undefined for people who may not verify. */
  onVerify: ((verified: boolean) => unknown) | undefined;
}

function ClientRow({ client, onOpen, onVerify }: ClientRowProps) {
  const { name, id, confidential, lastUsedAt, verified, workspaceVerified } = client;
  return (
    <li className="flex flex-wrap items-start gap-3 py-3">
      <Avatar name={name} seed={id} square />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">{name}</span>
          {verified || workspaceVerified ? (
            <Badge tone="primary">Verified</Badge>
          ) : (
            <Badge tone="warning">Unverified</Badge>
          )}
        </p>
        <p className="flex items-center gap-1 text-xs leading-5 text-ink-muted">
          <code className="min-w-0 truncate">{id}</code>
          <CopyButton text={id} label={`Copy the client ID of ${name}`} iconOnly size="sm" />
        </p>
        <p className="text-xs leading-5 text-ink-muted">
          {confidential ? 'With a secret' : 'Without a secret'} ·{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last connected <RelativeTime at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {onVerify && (
          <Button
            size="sm"
            aria-label={workspaceVerified ? `Withdraw verification of ${name}` : `Verify ${name}`}
            onClick={() => onVerify(!workspaceVerified)}
          >
            {workspaceVerified ? 'Withdraw verification' : 'Verify'}
          </Button>
        )}
        <Button size="sm" aria-label={`Edit ${name}`} onClick={() => onOpen({ what: 'edit', client })}>
          Edit
        </Button>
        {confidential && (
          <Button
            size="sm"
            aria-label={`Renew the secret of ${name}`}
            onClick={() => onOpen({ what: 'renew', client })}
          >
            Renew secret
          </Button>
        )}
        <Button
          size="sm"
          variant="quietDanger"
          aria-label={`Remove ${name}`}
          onClick={() => onOpen({ what: 'remove', client })}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

interface QuestionProps {
  workspaceId: Id<'workspace'>;
  open: { what: 'renew' | 'remove' | 'edit'; client: ManagedClient };
  onClose: () => void;
  onDone: (registered: Registered | undefined) => void;
}

function Question({ workspaceId, open: { what, client }, onClose, onDone }: QuestionProps) {
  const { busy, run } = useBusy();
  const { id, name } = client;
  const params = { workspaceId, id };
  const act = async () => {
    const isDone = await run(async () => {
      if (what === 'renew') {
        const { result } = await api('oauth_client.renew_secret', { params });
        onDone({ name, id, secret: result.secret });
      } else {
        await api('oauth_client.remove', { params });
        showToast({ kind: 'success', title: `${name} was removed` });
        onDone(undefined);
      }
    });
    if (!isDone) onClose();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={what === 'renew' ? `Renew the secret of ${name}?` : `Remove ${name}?`}
      confirm={what === 'renew' ? 'Renew secret' : 'Remove client'}
      busy={busy}
      onConfirm={() => void act()}
    >
      {what === 'renew'
        ? 'The present secret stops working at once. Put the new one into the app afterwards.'
        : 'All people who connected the app are disconnected at once. This cannot be undone.'}
    </ConfirmDialog>
  );
}

/** The identifier and the secret of a client, shown once: the server stores only a hash of the secret. */
function ClientSecretDialog({ registered, onClose }: { registered: Registered; onClose: () => void }) {
  const { name, id, secret } = registered;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      // A click outside the dialog must not lose a secret that is shown only once.
      onDismiss={() => secret === null}
      title={`Credentials of ${name}`}
      description={
        secret === null
          ? 'The app identifies itself with this client ID.'
          : 'Copy the secret now. It will not be shown again.'
      }
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Shown label="Client ID" value={id} />
        {secret !== null && <Shown label="Client secret" value={secret} />}
      </div>
    </Dialog>
  );
}

function Shown({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-end gap-2">
      <Field label={label} className="min-w-0 flex-1">
        <Input readOnly value={value} onFocus={(event) => event.target.select()} />
      </Field>
      <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} iconOnly variant="secondary" />
    </div>
  );
}
