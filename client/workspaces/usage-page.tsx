/**
 * `/{workspace_slug}/settings/usage`: usage of the workspace as counted by the server, at most five minutes old.
 * Figures that are not counted here are left out, not shown as zero.
 */
import type { Id } from '#shared/ids.ts';
import type { Usage } from '#shared/workspaces/usage.ts';
import { useResult } from '#client/api/use-result.ts';
import { bytesText } from '#client/ui/bytes-text.ts';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';
import { UsageChart } from '#client/workspaces/usage-chart.tsx';
import { Button } from '#client/ui/button.tsx';
import { Meter } from '#client/ui/meter.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';
import { formatCount, formatDay } from '#shared/english.ts';
import { noonOf } from '#client/ui/local-day.ts';

function Figure({ label, value, detail }: { label: string; value: string; detail?: string }) {
  return (
    <div className="rounded-card border border-line bg-raised p-3">
      <dt className="text-xs text-ink-muted">{label}</dt>
      <dd className="mt-1 font-serif text-page tabular-nums">{value}</dd>
      {detail !== undefined && <dd className="mt-0.5 text-xs text-ink-muted">{detail}</dd>}
    </div>
  );
}

function Figures({ usage }: { usage: Usage }) {
  const { memories, spaces, threads, messages, members, storage, search, api: calls } = usage;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      <Figure
        label="Memories"
        value={formatCount(memories.total)}
        detail={`${formatCount(memories.created)} this month, ${formatCount(memories.archived)} archived`}
      />
      <Figure
        label="Spaces"
        value={formatCount(spaces.total)}
        detail={`${formatCount(spaces.public)} public`}
      />
      <Figure
        label="Threads"
        value={formatCount(threads.total)}
        detail={`${formatCount(threads.public)} public`}
      />
      <Figure
        label="Messages"
        value={formatCount(messages.total)}
        detail={`${formatCount(messages.inPeriod)} this month`}
      />
      <Figure label="Members" value={formatCount(members.total)} />
      <Figure label="Text" value={bytesText(storage.bytes)} detail="of notes, on the server" />
      {calls.requests !== null && (
        <Figure
          label="Requests"
          value={formatCount(calls.requests)}
          detail={`this month, ${formatCount(calls.errors ?? 0)} of them refused`}
        />
      )}
      {search.queries !== null && (
        <Figure
          label="Searches"
          value={formatCount(search.queries)}
          detail="asked of the server this month"
        />
      )}
    </dl>
  );
}

function Answers({ ai }: { ai: NonNullable<Usage['ai']> }) {
  const vectors = ai.byFeature['embedding'] ?? 0;
  if (ai.calls === 0 && ai.byDay.length === 0 && vectors === 0)
    return <p className="text-sm text-ink-muted">No answer was written by a language model yet.</p>;
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <Figure label="Answers" value={formatCount(ai.calls)} detail="this month" />
        <Figure label="Tokens read" value={formatCount(ai.tokensIn)} detail="this month" />
        <Figure label="Tokens written" value={formatCount(ai.tokensOut)} detail="this month" />
        {vectors > 0 && (
          <>
            <Figure label="Embedding requests" value={formatCount(vectors)} detail="this month" />
            <Figure label="Tokens embedded" value={formatCount(ai.embeddingTokens)} detail="this month" />
          </>
        )}
      </dl>
      {ai.estimated > 0 && (
        <p className="text-sm text-ink-muted">
          {ai.estimated === ai.calls
            ? 'The tokens are estimated'
            : `The tokens of ${formatCount(ai.estimated)} of ${formatCount(ai.calls)} answers are estimated`}{' '}
          from the length of the texts, because the service did not report them.
        </p>
      )}
      {ai.byDay.length > 0 && (
        <table className="w-full text-sm">
          <caption className="pb-1 text-start text-xs font-medium text-ink-muted">
            By day, in the last 30 days
          </caption>
          <thead className="text-xs text-ink-muted">
            <tr>
              {['Day', 'Answers', 'Read', 'Written'].map((head, index) => (
                <th
                  key={head}
                  scope="col"
                  className={`py-1 font-normal ${index === 0 ? 'text-start' : 'text-end'}`}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line/60">
            {ai.byDay.toReversed().map(({ date, calls, tokensIn, tokensOut }) => (
              <tr key={date}>
                <th scope="row" className="py-1.5 text-start font-normal">
                  {formatDay(noonOf(date))}
                </th>
                {[calls, tokensIn, tokensOut].map((value, index) => (
                  <td key={['calls', 'in', 'out'][index]} className="py-1.5 text-end tabular-nums">
                    {formatCount(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** One meter for each limit that the server sets. */
function Limits({ usage }: { usage: Usage }) {
  const measures = [
    { label: 'Memories', value: usage.memories.total, max: usage.limits['memories'] },
    { label: 'Members', value: usage.members.total, max: usage.limits['members'] },
    { label: 'Text', value: usage.storage.bytes, max: usage.limits['storage'], words: bytesText },
    { label: 'Requests this month', value: usage.api.requests ?? 0, max: usage.limits['apiRequests'] },
    { label: 'Answers by models this month', value: usage.ai?.calls, max: usage.limits['aiCalls'] },
  ];
  return measures.map(({ label, value, max, words = formatCount }) =>
    max === null || max === undefined || value === undefined ? null : (
      <Meter key={label} label={label} value={value} max={max} text={`${words(value)} of ${words(max)}`} />
    ),
  );
}

const WORDS: Readonly<Record<string, string>> = {
  note: 'Notes',
  link: 'Links',
  file: 'Files',
  manual_entry: 'Written here',
  clipboard: 'Pasted',
  web: 'Saved from an address',
  import: 'Imported',
  system: 'Samples',
  clone: 'Copied from a public space',
  api: 'Through the API',
  browser_extension: 'Browser extension',
  upload: 'Text files',
  text: 'Shared from another app',
};

function Split({ title, parts }: { title: string; parts: readonly (readonly [string, number])[] }) {
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  return (
    <table className="w-full self-start text-sm">
      <caption className="pb-1 text-start text-xs font-medium text-ink-muted">{title}</caption>
      <tbody className="divide-y divide-line/60">
        {parts.map(([key, count]) => (
          <tr key={key}>
            <th scope="row" className="max-w-0 truncate py-1.5 pe-3 text-start font-normal">
              {WORDS[key] ?? key}
            </th>
            <td className="w-20 py-1.5 text-end tabular-nums">{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).sort(([, a], [, b]) => b - a);

function Numbers({ usage }: { usage: Usage }) {
  const limits = Object.values(usage.limits).filter((limit) => limit !== null);
  return (
    <>
      <SettingsSection
        title="This workspace"
        lead={limits.length === 0 ? 'There are no limits here.' : 'Limits are set by the server.'}
      >
        <Limits usage={usage} />
        <Figures usage={usage} />
      </SettingsSection>
      <SettingsSection title="The last 30 days">
        <UsageChart series={usage.series} />
      </SettingsSection>
      {usage.ai !== null && (
        <SettingsSection title="Answers by language models">
          <Answers ai={usage.ai} />
        </SettingsSection>
      )}
      <SettingsSection title="Contents">
        <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
          <Split title="By kind" parts={sorted(usage.memories.byType)} />
          <Split title="By origin" parts={sorted(usage.memories.byOrigin)} />
          {usage.api.byKey !== null && (
            <Split
              title="Requests by API key this month"
              parts={usage.api.byKey.map(({ id, name, requests }) => [
                name ?? `Revoked key …${id.slice(-4)}`,
                requests,
              ])}
            />
          )}
          <Split title="Most used tags" parts={usage.topTags.map(({ tag, count }) => [tag, count])} />
          <Split
            title="Most saved sites"
            parts={usage.topDomains.map(({ domain, count }) => [domain, count])}
          />
        </div>
      </SettingsSection>
    </>
  );
}

function UsageCard({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const { known, load } = useResult('workspace.usage', { params: { workspaceId } });
  if (known.state === 'here') return <Numbers usage={known.value} />;
  if (known.state === 'loading') {
    return (
      <SkeletonGroup label="Counting">
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
            <Skeleton key={key} className="h-21" />
          ))}
        </div>
      </SkeletonGroup>
    );
  }
  return (
    <EmptyState
      title="Usage is unavailable offline"
      action={<Button onClick={() => void load()}>Try again</Button>}
    >
      Your memories on this device are not affected.
    </EmptyState>
  );
}

/** The page; not found for those who may not see the numbers. */
export function UsagePage() {
  return (
    <WorkspaceSettings title="Usage" action="usage.read">
      {({ id }) => <UsageCard key={id} workspaceId={id} />}
    </WorkspaceSettings>
  );
}
