/** Reports of public content for staff: open ones and decided ones, and what can be decided about each. */
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { ReportDecision, reportEndpoints } from '#shared/site/report-endpoints.ts';
import { VISIBILITY } from '#shared/spaces/visibility.ts';
import { REPORT_REASON_LABELS } from '#shared/spaces/report-reasons.ts';
import { api } from '#client/api/session-client.ts';
import { useResult } from '#client/api/use-result.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

type Report = ResultOf<(typeof reportEndpoints)['report.list']>[number];

const LISTS = [
  { value: 'open', label: 'Open' },
  { value: 'decided', label: 'Decided' },
] as const;

interface DecisionWords {
  decision: ReportDecision;
  act: string;
  done: string;
  question: string;
}

const DECISIONS: readonly DecisionWords[] = [
  {
    decision: 'dismiss',
    act: 'Dismiss report',
    done: 'Report dismissed',
    question: 'It is shown as before. The owner is notified.',
  },
  {
    decision: 'hide',
    act: 'Hide content',
    done: 'Content hidden',
    question: 'Its public address stops working until a later report is dismissed. The owner is notified.',
  },
  {
    decision: 'make_private',
    act: 'Make private',
    done: 'Made private',
    question: 'Only its owner reads it from now on. The owner is notified.',
  },
  {
    decision: 'suspend_workspace',
    act: 'Suspend workspace',
    done: 'Workspace suspended',
    question: 'Nothing of this workspace is public any more. Its owners are notified.',
  },
];

function ReportRow({ report, onChange }: { report: Report; onChange: () => Promise<void> }) {
  const [asking, setAsking] = useState<DecisionWords>();
  const [note, setNote] = useState('');
  const { busy, run } = useBusy();
  const decide = async ({ decision, done }: DecisionWords) => {
    await run(async () => {
      await api('report.decide', { params: { id: report.resourceId }, body: { decision, note } });
      showToast({ kind: 'success', title: done });
    });
    setAsking(undefined);
    await onChange();
  };
  const name = report.name ?? `Deleted ${report.kind}`;
  return (
    <li className="flex flex-col gap-2 py-4">
      <p className="flex flex-wrap items-center gap-2">
        {report.link === null ? (
          <span className="font-medium wrap-anywhere">{name}</span>
        ) : (
          <a
            href={report.link}
            target="_blank"
            rel="noopener"
            className="inline-flex min-h-6 items-center gap-1 font-medium wrap-anywhere text-primary underline-offset-2 hover:underline"
          >
            {name}
            <ExternalLink aria-label="opens in a new tab" className="size-3.5 shrink-0" />
          </a>
        )}
        <Badge tone="warning">{REPORT_REASON_LABELS[report.reason]}</Badge>
        {report.hidden && <Badge>Hidden</Badge>}
        {report.visibility !== null && <Badge>{VISIBILITY[report.visibility].label}</Badge>}
      </p>
      {report.details !== null && (
        <blockquote className="border-s-2 border-line ps-3 whitespace-pre-line wrap-anywhere">
          {report.details}
        </blockquote>
      )}
      <p className="text-xs wrap-anywhere text-ink-muted">
        {report.kind === 'space' ? 'Space' : 'Thread'}
        {report.workspaceName !== null && ` in ${report.workspaceName}`}
        {report.ownerEmail !== null && `, owned by ${report.ownerName} (${report.ownerEmail})`}
      </p>
      <p className="text-xs wrap-anywhere text-ink-muted">
        Reported <RelativeTime at={report.created} />{' '}
        {report.email === null ? 'without an address' : `by ${report.email}`}
        {report.decision !== null &&
          `. ${DECISIONS.find(({ decision }) => decision === report.decision)?.done ?? report.decision}.`}
      </p>
      {report.decision === null && (
        <div className="flex flex-wrap gap-2">
          {DECISIONS.map((words) => (
            <Button key={words.decision} size="sm" onClick={() => setAsking(words)}>
              {words.act}
            </Button>
          ))}
        </div>
      )}
      <ConfirmDialog
        open={asking !== undefined}
        onOpenChange={() => setAsking(undefined)}
        title={`${asking?.act ?? ''}: ${name}`}
        confirm={asking?.act ?? ''}
        busy={busy}
        onConfirm={() => {
          if (asking) void decide(asking);
        }}
      >
        <p className="mb-4">{asking?.question}</p>
        <Field label="Message to the owner" hint="Optional. Sent with the decision.">
          <Textarea
            value={note}
            maxLength={LIMITS.description}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
      </ConfirmDialog>
    </li>
  );
}

/** Read at every visit. */
export function ReportsList() {
  const [status, setStatus] = useState<'open' | 'decided'>('open');
  const { known, load } = useResult('report.list', { query: { status, perPage: 100 } });
  return (
    <>
      <SegmentedControl label="Show reports" options={LISTS} value={status} onValueChange={setStatus} />
      <LoadedList known={known} what="the reports" usual={[]} onRetry={() => void load()}>
        {(reports) =>
          reports.length === 0 ? (
            <p className="text-ink-muted">
              {status === 'open' ? 'No open reports.' : 'No reports have been decided yet.'}
            </p>
          ) : (
            <ul aria-label="Reports" className="divide-y divide-line/60">
              {reports.map((report) => (
                <ReportRow key={report.id} report={report} onChange={load} />
              ))}
            </ul>
          )
        }
      </LoadedList>
    </>
  );
}
