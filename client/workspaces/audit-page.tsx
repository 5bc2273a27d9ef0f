/**
 * `/{workspace_slug}/settings/audit`: what happened in the workspace, for its owners: filtered by action and person, page by
 * page, and as a file. Read from the server.
 */
import { useState } from 'react';
import { deviceName } from '#shared/accounts/device-name.ts';
import {
  AUDIT_ACTION_NAMES,
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEvent,
} from '#shared/audit/audit-event.ts';
import { displayName } from '#shared/accounts/display-name.ts';
import { PAGE_SIZE } from '#shared/constants.ts';
import { AUDIT } from '#shared/workspaces/limits.ts';
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { NO_ROWS, useResultPage } from '#client/api/use-result.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { perform } from '#client/shell/perform.ts';
import { detailsText } from '#client/workspaces/audit-words.ts';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Select } from '#client/ui/select.tsx';

interface Filters {
  action: AuditAction | '';
  actorId: Id<'user'> | '';
}

const queryOf = ({ action, actorId }: Filters) => ({
  ...(action !== '' && { action }),
  ...(actorId !== '' && { actorId }),
});

function EventRow({ event }: { event: AuditEvent }) {
  const details = detailsText(event);
  const from = [
    event.via === 'api_key' ? 'API key' : event.via === 'oauth_token' ? 'Connected app' : undefined,
    event.userAgent === null ? undefined : deviceName(event.userAgent),
    event.address ?? undefined,
  ].filter((part) => part !== undefined);
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{AUDIT_ACTIONS[event.action]}</span>
        {event.targetName !== null && <span className="wrap-anywhere">{event.targetName}</span>}
        {event.impersonated && <Badge tone="warning">Support</Badge>}
      </p>
      {details !== '' && <p className="text-sm wrap-anywhere text-ink-muted">{details}</p>}
      <p className="text-xs wrap-anywhere text-ink-muted">
        {event.actorName ?? 'The server'}, <RelativeTime at={event.created} />
        {from.length > 0 && ` · ${from.join(' · ')}`}
      </p>
    </li>
  );
}

function Events({ workspaceId, filters }: { workspaceId: Id<'workspace'>; filters: Filters }) {
  const [page, setPage] = useState(1);
  const { action, actorId } = filters;
  const query = { ...queryOf(filters), page };
  const { known, load } = useResultPage('audit.list', { params: { workspaceId }, query });
  return (
    <LoadedList known={known} what="the audit log" usual={NO_ROWS} onRetry={() => void load()}>
      {({ rows: events, total }) =>
        events.length === 0 ? (
          <p className="text-ink-muted">
            {action === '' && actorId === ''
              ? 'Nothing has been recorded yet.'
              : 'No events with these filters.'}
          </p>
        ) : (
          <>
            <ul aria-label="Events" className="divide-y divide-line/60">
              {events.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </ul>
            <PageTurner
              page={page}
              pages={Math.max(1, Math.ceil(total / PAGE_SIZE))}
              previous="Newer events"
              next="Older events"
              onTurn={setPage}
            />
          </>
        )
      }
    </LoadedList>
  );
}

function Download({ workspaceId, filters }: { workspaceId: Id<'workspace'>; filters: Filters }) {
  const [busy, setBusy] = useState<'csv' | 'json'>();
  const save = async (format: 'csv' | 'json') => {
    setBusy(format);
    await perform(async () => {
      const query = { ...queryOf(filters), format };
      const { result } = await api('audit.export', { params: { workspaceId }, query });
      downloadText(`audit-log.${format}`, String(result));
    });
    setBusy(undefined);
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button loading={busy === 'csv'} onClick={() => void save('csv')}>
        Download CSV
      </Button>
      <Button loading={busy === 'json'} onClick={() => void save('json')}>
        Download JSON
      </Button>
    </div>
  );
}

function AuditLog({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const members = useQuery((view) => view.list('workspace_member'), []);
  const [filters, setFilters] = useState<Filters>({ action: '', actorId: '' });
  return (
    <>
      <SettingsSection
        title="Events"
        lead={`Sharing, people, keys, exports and deletions of the last ${AUDIT.keepDays} days. Only owners see this page.`}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Action">
            <Select
              options={[
                { value: '', label: 'All actions' },
                ...AUDIT_ACTION_NAMES.map((name) => ({ value: name, label: AUDIT_ACTIONS[name] })),
              ]}
              value={filters.action}
              onChange={({ target }) => {
                const action = AUDIT_ACTION_NAMES.find((name) => name === target.value) ?? '';
                setFilters({ ...filters, action });
              }}
            />
          </Field>
          <Field label="Member">
            <Select
              options={[
                { value: '', label: 'Everyone' },
                ...members.map((member) => ({ value: member.userId, label: displayName(member) })),
              ]}
              value={filters.actorId}
              onChange={({ target }) => {
                const member = members.find(({ userId }) => userId === target.value);
                setFilters({ ...filters, actorId: member?.userId ?? '' });
              }}
            />
          </Field>
        </div>
        <Download workspaceId={workspaceId} filters={filters} />
        <Events key={JSON.stringify(filters)} workspaceId={workspaceId} filters={filters} />
      </SettingsSection>
    </>
  );
}

/** The page; not found for everyone but owners. */
export function AuditPage() {
  return (
    <WorkspaceSettings title="Audit log" action="audit.read">
      {({ id }) => <AuditLog key={id} workspaceId={id} />}
    </WorkspaceSettings>
  );
}
