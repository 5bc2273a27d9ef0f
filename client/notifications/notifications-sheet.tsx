/**
 * The slideover with what happened: one's own notifications by day, newest first, from the account realm of the
 * replica. Reading, marking and clearing work offline.
 */
import { Archive, Check, Settings, Trash2, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Notification } from '#shared/notifications/notification.ts';
import { pathTo } from '#shared/pages.ts';
import { mutate, mutateAll } from '#client/replica/current-replica.ts';
import { useNotifications } from '#client/notifications/queries.ts';
import { useModal } from '#client/shell/modals.ts';
import { perform } from '#client/shell/perform.ts';
import { undoable } from '#client/shell/undo.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { Button } from '#client/ui/button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { dayLabel, localDay } from '#client/ui/local-day.ts';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Sheet } from '#client/ui/sheet.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

function setSeen(rows: readonly Notification[], seen: boolean): Promise<boolean> {
  return perform(() =>
    mutateAll(rows.map(({ id }) => ({ name: 'notification.update', args: { id, seen } }))),
  );
}

/** Marks unseen notifications as seen. */
async function see(rows: readonly Notification[]): Promise<void> {
  const fresh = rows.filter(({ seen }) => !seen);
  if (fresh.length === 0) return;
  await undoable({
    act: () => setSeen(fresh, true),
    undo: async () => void (await setSeen(fresh, false)),
    title: fresh.length === 1 ? 'Marked as seen' : `${fresh.length} marked as seen`,
  });
}

const setStatus = ({ id }: Notification, status: Notification['status']) =>
  perform(() => mutate('notification.update', { id, status }));

async function archive(row: Notification): Promise<void> {
  await undoable({
    act: () => setStatus(row, 'archived'),
    undo: async () => void (await setStatus(row, 'active')),
    title: 'Notification archived',
  });
}

/** The status of a row decides its actions. */
function Actions({ row }: { row: Notification }) {
  if (row.status === 'archived') {
    return (
      <>
        <IconButton label="Move back" icon={<Undo2 />} onClick={() => void setStatus(row, 'active')} />
        <IconButton
          label="Delete"
          icon={<Trash2 />}
          onClick={() => void perform(() => mutate('notification.remove', { id: row.id }))}
        />
      </>
    );
  }
  return (
    <>
      {!row.seen && <IconButton label="Mark as seen" icon={<Check />} onClick={() => void see([row])} />}
      <IconButton label="Archive" icon={<Archive />} onClick={() => void archive(row)} />
    </>
  );
}

/** Rows by the day on which they arrived, in the person's time zone. */
function byDay(rows: readonly Notification[]): [day: string, rows: Notification[]][] {
  return [...Map.groupBy(rows, (row) => localDay(row.created))];
}

function Notice({ row, close }: { row: Notification; close: () => void }) {
  const link = typeof row.metadata['link'] === 'string' ? row.metadata['link'] : undefined;
  const count = typeof row.metadata['count'] === 'number' ? row.metadata['count'] : 1;
  const title = count > 1 ? `${row.title} (${count})` : row.title;
  return (
    <li className="flex items-start gap-3 border-b border-line/60 px-5 py-3 last:border-0">
      <span
        aria-hidden="true"
        className={`mt-2 size-2 shrink-0 rounded-full ${row.seen ? 'bg-transparent' : 'bg-primary'}`}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">
          {!row.seen && <span className="sr-only">New: </span>}
          {link === undefined ? (
            title
          ) : (
            <Link
              to={link}
              className="hover:underline"
              onClick={() => {
                void setSeen(row.seen ? [] : [row], true);
                close();
              }}
            >
              {title}
            </Link>
          )}
        </p>
        <p className="mt-0.5 break-words text-ink-muted">{row.body}</p>
        <RelativeTime at={row.created} className="mt-1 text-xs text-ink-faint" />
      </div>
      <Actions row={row} />
    </li>
  );
}

const NONE: readonly Notification[] = [];

const LISTS = [
  { value: 'active', label: 'New and seen' },
  { value: 'archived', label: 'Archived' },
] as const;

function Empty({ list }: { list: Notification['status'] }) {
  if (list === 'archived')
    return <EmptyState title="Nothing archived">Notifications that you archive stay here.</EmptyState>;
  return (
    <EmptyState title="Nothing new">
      Invitations, finished imports and conflicting edits appear here.
    </EmptyState>
  );
}

/** Once per dashboard; `n` opens and closes it. */
export function NotificationsSheet() {
  const { open, onOpenChange, close } = useModal('notifications');
  // The key that opened the list closes it.
  useShortcut('notifications.toggle', close, { enabled: open, inDialog: true });
  const [list, setList] = useState<Notification['status']>('active');
  const known = useNotifications(list);
  const rows = known ?? NONE;
  const slug = useParams()['workspace_slug'] ?? '';
  const days = useMemo(() => byDay(rows), [rows]);
  const unseen = list === 'active' && rows.some((row) => !row.seen);
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Notifications"
      flush
      actions={
        unseen && (
          <Button variant="secondary" onClick={() => void see(rows)}>
            Mark all as seen
          </Button>
        )
      }
    >
      <div className="flex items-center justify-between gap-3 px-5 pt-3">
        <SegmentedControl label="Show" options={LISTS} value={list} onValueChange={setList} />
        <Link
          to={pathTo('settings_notifications', { workspace_slug: slug })}
          onClick={close}
          className="flex items-center gap-1.5 rounded-control py-2 text-xs text-ink-muted hover:text-ink"
        >
          <Settings aria-hidden="true" className="size-3.5" />
          Settings
        </Link>
      </div>
      {known === undefined && (
        <SkeletonGroup label="Opening your notifications">
          <div className="flex flex-col gap-3 px-5 pt-6">
            <Skeleton className="h-12" />
            <Skeleton className="h-12" />
          </div>
        </SkeletonGroup>
      )}
      {known?.length === 0 && <Empty list={list} />}
      {days.map(([day, notices]) => (
        <section key={day} aria-label={dayLabel(day)}>
          <h3 className="px-5 pt-4 pb-1 text-xs font-medium text-ink-faint">{dayLabel(day)}</h3>
          <ul>
            {notices.map((row) => (
              <Notice key={row.id} row={row} close={close} />
            ))}
          </ul>
        </section>
      ))}
    </Sheet>
  );
}
