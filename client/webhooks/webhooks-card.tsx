/** The webhooks of a workspace for its owners and admins: state, deliveries, and everything that can be done with each. */
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { WEBHOOKS } from '#shared/webhooks/limits.ts';
import type { Id } from '#shared/ids.ts';
import type { Webhook } from '#shared/webhooks/webhook.ts';
import { UnconfirmedAddressCard } from '#client/accounts/unconfirmed-address-card.tsx';
import { api } from '#client/api/session-client.ts';
import { usePerson } from '#client/api/session.ts';
import { useResult } from '#client/api/use-result.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { useIsOnline } from '#client/shell/online.ts';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Input } from '#client/ui/input.tsx';
import { useActor, useMemberName } from '#client/workspaces/queries.ts';
import { DeliveryLog } from '#client/webhooks/delivery-log.tsx';
import { eventsText } from '#client/webhooks/event-words.ts';
import { WebhookDialog } from '#client/webhooks/webhook-dialog.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

type Open =
  | { what: 'add' }
  | { what: 'edit' | 'renew' | 'remove' | 'log'; webhook: Webhook }
  | { what: 'secret'; secret: string };

const hostOf = ({ url }: Webhook): string => URL.parse(url)?.host ?? url;

function State({ webhook: { enabled, failingSince } }: { webhook: Webhook }) {
  if (!enabled) return <Badge>Disabled</Badge>;
  return failingSince === null ? <Badge tone="primary">Active</Badge> : <Badge tone="warning">Failing</Badge>;
}

function Trouble({ webhook: { enabled, failingSince, disabledReason } }: { webhook: Webhook }) {
  if (!enabled) return disabledReason !== null && <p className="text-warning">{disabledReason}.</p>;
  if (failingSince === null) return null;
  return (
    <p className="text-warning">
      First failed delivery: <RelativeTime at={failingSince} />. A webhook that fails for{' '}
      {WEBHOOKS.disabledAfterDays} days is disabled.
    </p>
  );
}

interface RowProps {
  webhook: Webhook;
  /** False without a network or a confirmed address. */
  canChange: boolean;
  onOpen: (open: Open) => void;
  onChange: () => Promise<void>;
}

function WebhookRow({ webhook, canChange, onOpen, onChange }: RowProps) {
  const { userId } = useActor();
  const owner = useMemberName(webhook.ownerId);
  const { workspaceId, id, enabled } = webhook;
  const params = { workspaceId, id };
  const host = hostOf(webhook);
  const test = async () => {
    if (await perform(() => api('webhook.test', { params }))) onOpen({ what: 'log', webhook });
  };
  const setEnabled = async (next: boolean) => {
    if (await perform(() => api('webhook.update', { params, body: { enabled: next } })))
      showToast({ kind: 'success', title: next ? 'Webhook enabled' : 'Webhook disabled' });
    await onChange();
  };
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium wrap-anywhere">{webhook.url}</span>
          <State webhook={webhook} />
        </p>
        {webhook.description !== null && <p className="wrap-anywhere">{webhook.description}</p>}
        <div className="text-xs leading-5 wrap-anywhere text-ink-muted">
          <Trouble webhook={webhook} />
          {eventsText(webhook.events)} · sends what {webhook.ownerId === userId ? 'you' : owner} can see
        </div>
      </div>
      <div className="flex items-center gap-3">
        <Button
          size="sm"
          aria-label={`Deliveries to ${host}`}
          onClick={() => onOpen({ what: 'log', webhook })}
        >
          Deliveries
        </Button>
        <DropdownMenu
          trigger={
            <PlainIconButton label={`Actions for ${host}`} icon={<Ellipsis />} disabled={!canChange} />
          }
          entries={[
            { label: 'Edit…', run: () => onOpen({ what: 'edit', webhook }) },
            enabled && { label: 'Send test event', run: () => void test() },
            { label: 'Renew secret…', run: () => onOpen({ what: 'renew', webhook }) },
            {
              label: enabled ? 'Disable webhook' : 'Enable webhook',
              run: () => void setEnabled(!enabled),
            },
            { kind: 'line' },
            { label: 'Delete…', tone: 'danger', run: () => onOpen({ what: 'remove', webhook }) },
          ]}
        />
      </div>
    </li>
  );
}

interface QuestionProps {
  what: 'renew' | 'remove';
  webhook: Webhook;
  onClose: () => void;
  onDone: (secret: string | undefined) => void;
}

function Question({ what, webhook, onClose, onDone }: QuestionProps) {
  const { busy, run } = useBusy();
  const { workspaceId, id } = webhook;
  const params = { workspaceId, id };
  const act = async () => {
    let secret: string | undefined;
    const isDone = await run(async () => {
      if (what === 'remove') await api('webhook.remove', { params });
      else secret = (await api('webhook.renew_secret', { params })).result.secret;
    });
    if (!isDone) return;
    if (what === 'remove') showToast({ kind: 'success', title: 'Webhook deleted' });
    onDone(secret);
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={what === 'renew' ? 'Renew the signing secret?' : `Delete the webhook to ${hostOf(webhook)}?`}
      confirm={what === 'renew' ? 'Renew secret' : 'Delete webhook'}
      busy={busy}
      onConfirm={() => void act()}
    >
      {what === 'renew'
        ? 'The present secret stops working at once. Put the new one into the receiver afterwards.'
        : 'Nothing more is sent to it, and its log of deliveries is deleted. This cannot be undone.'}
    </ConfirmDialog>
  );
}

function AddWebhook({ count, onAdd }: { count: number; onAdd: () => void }) {
  const person = usePerson();
  const isOnline = useIsOnline();
  if (person?.user.emailVerified === false) return <UnconfirmedAddressCard purpose="add webhooks" />;
  if (!isOnline) return <p className="text-ink-muted">Webhooks can be changed when you are online.</p>;
  if (count >= WEBHOOKS.perWorkspace)
    return <p className="text-ink-muted">A workspace can have {WEBHOOKS.perWorkspace} webhooks.</p>;
  return (
    <div>
      <Button variant="primary" onClick={onAdd}>
        New webhook
      </Button>
    </div>
  );
}

/** The list with its dialogs. */
export function WebhooksCard({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const { known, load } = useResult('webhook.list', { params: { workspaceId }, query: { perPage: 100 } });
  const [open, setOpen] = useState<Open>();
  const person = usePerson();
  const isOnline = useIsOnline();
  const close = () => setOpen(undefined);
  const showSecret = (secret: string | undefined) => {
    setOpen(secret === undefined ? undefined : { what: 'secret', secret });
    void load();
  };
  return (
    <>
      <LoadedList known={known} what="the webhooks" usual={[]} onRetry={() => void load()}>
        {(webhooks) => (
          <>
            <AddWebhook count={webhooks.length} onAdd={() => setOpen({ what: 'add' })} />
            {webhooks.length === 0 ? (
              <EmptyState title="No webhooks">
                A webhook tells another program at once when something changes in this workspace.
              </EmptyState>
            ) : (
              <ul aria-label="Webhooks" className="divide-y divide-line/60">
                {webhooks.map((webhook) => (
                  <WebhookRow
                    key={webhook.id}
                    webhook={webhook}
                    canChange={isOnline && person?.user.emailVerified !== false}
                    onOpen={setOpen}
                    onChange={load}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </LoadedList>
      {(open?.what === 'add' || open?.what === 'edit') && (
        <WebhookDialog
          workspaceId={workspaceId}
          webhook={open.what === 'edit' ? open.webhook : undefined}
          onClose={close}
          onSaved={showSecret}
        />
      )}
      {open?.what === 'secret' && <SigningSecretDialog secret={open.secret} onClose={close} />}
      {open?.what === 'log' && (
        <DeliveryLog
          webhook={open.webhook}
          onClose={() => {
            close();
            void load();
          }}
        />
      )}
      {(open?.what === 'renew' || open?.what === 'remove') && (
        <Question what={open.what} webhook={open.webhook} onClose={close} onDone={showSecret} />
      )}
    </>
  );
}

function SigningSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Signing secret"
      description="The receiver uses it to check that requests come from here, for example with a library for Standard Webhooks."
      // A press beside the dialog must not lose what is shown only once.
      onDismiss={() => false}
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="rounded-control bg-warning-soft px-3 py-2 text-warning">
          Copy the secret now. It will not be shown again.
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <Input
            readOnly
            aria-label="Signing secret"
            value={secret}
            className="min-w-48 flex-1 font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={secret} label="Copy secret" />
        </div>
      </div>
    </Dialog>
  );
}
