/** Delivery log of a webhook with the results, newest first; each delivery can be resent. */
import { useEffect, useState } from 'react';
import { PAGE_SIZE } from '#shared/constants.ts';
import { WEBHOOKS } from '#shared/webhooks/limits.ts';
import type { Webhook, WebhookDelivery } from '#shared/webhooks/webhook.ts';
import { api } from '#client/api/session-client.ts';
import { NO_ROWS, useResultPage } from '#client/api/use-result.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { EVENT_LABELS } from '#client/webhooks/event-words.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Sheet } from '#client/ui/sheet.tsx';
import { countOf } from '#shared/english.ts';

const POLL_MS = 2_000;

const STATUS = {
  pending: { label: 'Waiting', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'primary' },
  failed: { label: 'Failed', tone: 'danger' },
} as const;

function Outcome({
  delivery: { status, attempts, httpStatus, error, nextAt },
}: {
  delivery: WebhookDelivery;
}) {
  const tries = countOf(attempts, 'attempt');
  return (
    <p className="text-xs leading-5 wrap-anywhere text-ink-muted">
      {attempts === 0 ? 'Not sent yet' : tries}
      {error === null ? httpStatus !== null && ` · answer ${httpStatus}` : ` · ${error}`}
      {status === 'pending' && nextAt !== null && (
        <>
          {' · next attempt '}
          <RelativeTime at={nextAt} />
        </>
      )}
    </p>
  );
}

function DeliveryRow({
  delivery,
  onReplay,
}: {
  delivery: WebhookDelivery;
  /** Undefined while it cannot be sent again. */
  onReplay: (() => Promise<void>) | undefined;
}) {
  const { busy, run } = useBusy();
  const { label, tone } = STATUS[delivery.status];
  const replay = () => run(async () => onReplay?.());
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{EVENT_LABELS[delivery.event]}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <Outcome delivery={delivery} />
        <p className="text-xs leading-5 wrap-anywhere text-ink-muted">
          Created <RelativeTime at={delivery.created} /> · <code>{delivery.id}</code>
        </p>
      </div>
      {onReplay && (
        <Button
          size="sm"
          aria-label={`Send again: ${EVENT_LABELS[delivery.event]}, ${delivery.id}`}
          loading={busy}
          onClick={() => void replay()}
        >
          Send again
        </Button>
      )}
    </li>
  );
}

function Log({ webhook: { workspaceId, id, enabled } }: { webhook: Webhook }) {
  const [page, setPage] = useState(1);
  const params = { workspaceId, webhookId: id };
  const { known, load } = useResultPage('webhook_delivery.list', { params, query: { page } });
  const isSending =
    known.state === 'here' &&
    known.value.rows.some(({ status, nextAt }) => status === 'pending' && nextAt === null);
  useEffect(() => {
    if (!isSending) return undefined;
    const timer = setInterval(() => void load(), POLL_MS);
    return () => clearInterval(timer);
  }, [isSending, load]);
  const replay = async (delivery: WebhookDelivery) => {
    if (await perform(() => api('webhook_delivery.replay', { params: { ...params, id: delivery.id } })))
      showToast({ kind: 'success', title: 'Sending again' });
    await load();
  };
  return (
    <LoadedList known={known} what="the deliveries" usual={NO_ROWS} onRetry={() => void load()}>
      {({ rows: deliveries, total }) =>
        total === 0 ? (
          <p className="text-ink-muted">Nothing was sent in the last {WEBHOOKS.logDays} days.</p>
        ) : (
          <>
            <ul aria-label="Deliveries" className="divide-y divide-line/60">
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  onReplay={enabled && delivery.status !== 'pending' ? () => replay(delivery) : undefined}
                />
              ))}
            </ul>
            {total > PAGE_SIZE && (
              <PageTurner
                page={page}
                pages={Math.ceil(total / PAGE_SIZE)}
                previous="Newer deliveries"
                next="Older deliveries"
                onTurn={setPage}
              />
            )}
          </>
        )
      }
    </LoadedList>
  );
}

/** Open while it is rendered; reads again by itself while a delivery is on its way. */
export function DeliveryLog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title="Deliveries"
      description={
        <>
          <span className="block wrap-anywhere">{webhook.url}</span>
          {!webhook.enabled && 'Enable the webhook to send deliveries again.'}
        </>
      }
    >
      <Log webhook={webhook} />
    </Sheet>
  );
}
