/** Requests for early access for staff: those who wait, longest first, and what became of the others. */
import { useState } from 'react';
import { PAGE_SIZE } from '#shared/constants.ts';
import { EARLY_ACCESS } from '#shared/site/limits.ts';
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { earlyAccessEndpoints } from '#shared/site/early-access-endpoints.ts';
import { api } from '#client/api/session-client.ts';
import { NO_ROWS, useResultPage } from '#client/api/use-result.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { countOf } from '#shared/english.ts';

type AccessRequest = ResultOf<(typeof earlyAccessEndpoints)['access_request.list']>[number];

const LISTS = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'approved', label: 'Approved' },
  { value: 'declined', label: 'Declined' },
] as const;
type Status = (typeof LISTS)[number]['value'];

const EMPTY: Readonly<Record<Status, string>> = {
  waiting: 'No one is waiting.',
  approved: 'No requests have been approved yet.',
  declined: 'No requests have been declined.',
};

function History({ request: { created, approvedAt, declinedAt, joinedAt } }: { request: AccessRequest }) {
  const [word, at] =
    joinedAt !== null
      ? ['joined', joinedAt]
      : approvedAt !== null
        ? ['approved', approvedAt]
        : ['declined', declinedAt];
  return (
    <p className="text-xs text-ink-muted">
      Asked <RelativeTime at={created} />
      {at !== null && (
        <>
          , {word} <RelativeTime at={at} />
        </>
      )}
    </p>
  );
}

function RequestRow({ request, onChange }: { request: AccessRequest; onChange: () => Promise<void> }) {
  const [busy, setBusy] = useState<'approve' | 'decline'>();
  const { email, approvedAt, declinedAt } = request;
  const body = { emails: [email] };
  const act = async (what: 'approve' | 'decline') => {
    setBusy(what);
    const isDone = await perform(async () =>
      what === 'approve' ? api('access_request.approve', { body }) : api('access_request.decline', { body }),
    );
    if (isDone) {
      showToast(
        what === 'approve'
          ? { kind: 'success', title: 'Request approved', description: `${email} gets a link by mail.` }
          : { kind: 'success', title: 'Request declined' },
      );
    }
    await onChange();
    setBusy(undefined);
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium wrap-anywhere">{email}</span>
          {request.news && <Badge>Product updates</Badge>}
        </p>
        <History request={request} />
      </div>
      {approvedAt === null && (
        <div className="flex gap-2">
          <Button
            size="sm"
            aria-label={`Approve ${email}`}
            loading={busy === 'approve'}
            onClick={() => void act('approve')}
          >
            Approve
          </Button>
          {declinedAt === null && (
            <Button
              size="sm"
              variant="quietDanger"
              aria-label={`Decline ${email}`}
              loading={busy === 'decline'}
              onClick={() => void act('decline')}
            >
              Decline
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** Lets in, after a question, as many as are waiting and one batch holds. */
function ApproveOldest({ total, onDone }: { total: number; onDone: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const { busy, run } = useBusy();
  const count = Math.min(total, EARLY_ACCESS.batchMax);
  const people = countOf(count, 'person', 'people');
  const approve = async () => {
    await run(async () => {
      const { approved } = (await api('access_request.approve', { body: { count } })).result;
      showToast({
        kind: 'success',
        title: countOf(approved, 'request approved', 'requests approved'),
      });
    });
    setAsking(false);
    await onDone();
  };
  return (
    <div>
      <Button onClick={() => setAsking(true)}>
        {total === count ? 'Approve all' : `Approve the oldest ${count}`}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Let ${people} in?`}
        confirm={count === 1 ? 'Approve request' : 'Approve requests'}
        tone="primary"
        busy={busy}
        onConfirm={() => void approve()}
      >
        Each gets a mail with a link that works for {EARLY_ACCESS.linkDays} days. This cannot be undone.
      </ConfirmDialog>
    </div>
  );
}

function Requests({ status }: { status: Status }) {
  const [page, setPage] = useState(1);
  const order = status === 'waiting' ? 'asc' : 'desc';
  const { known, load } = useResultPage('access_request.list', { query: { status, page, order } });
  const refresh = async () => {
    setPage(1);
    await load();
  };
  return (
    <LoadedList known={known} what="the requests" usual={NO_ROWS} onRetry={() => void load()}>
      {({ rows: requests, total }) =>
        total === 0 ? (
          <p className="text-ink-muted">{EMPTY[status]}</p>
        ) : (
          <>
            {status === 'waiting' && <ApproveOldest total={total} onDone={refresh} />}
            <ul aria-label="Requests" className="divide-y divide-line/60">
              {requests.map((request) => (
                <RequestRow
                  key={request.email}
                  request={request}
                  onChange={requests.length === 1 ? refresh : load}
                />
              ))}
            </ul>
            {total > PAGE_SIZE && (
              <PageTurner
                page={page}
                pages={Math.ceil(total / PAGE_SIZE)}
                previous="Previous"
                next="Next"
                onTurn={setPage}
              />
            )}
          </>
        )
      }
    </LoadedList>
  );
}

/** Read at every visit. */
export function AccessRequests() {
  const [status, setStatus] = useState<Status>('waiting');
  return (
    <>
      <SegmentedControl label="Show requests" options={LISTS} value={status} onValueChange={setStatus} />
      <Requests key={status} status={status} />
    </>
  );
}
