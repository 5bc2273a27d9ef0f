/**
 * `/{workspace_slug}/threads`: all threads by the day of their last change, narrowed by a search over their names.
 * Everything comes from the replica.
 */
import { MessagesSquare, MoreHorizontal, Pencil, Plus, Search, Share2, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { useThreadRights, useThreads } from '#client/threads/queries.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { openModal } from '#client/shell/modals.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { VisibilityMark } from '#client/spaces/visibility-card.tsx';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Input } from '#client/ui/input.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full' });

function ThreadLine({ thread }: { thread: Thread }) {
  const slug = useWorkspaceSlug();
  const rights = useThreadRights();
  const threadId = thread.id;
  return (
    <li className="group/line relative flex min-h-11 items-center gap-3 rounded-control px-2 hover:bg-hover">
      <MessagesSquare aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
      <Link
        to={pathTo('thread', { workspace_slug: slug, thread_id: thread.id })}
        className="min-w-0 flex-1 truncate font-medium outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-focus"
      >
        {thread.name}
      </Link>
      <span className="flex shrink-0 items-center gap-3 text-xs text-ink-faint">
        <VisibilityMark visibility={thread.visibility} wordless />
        <RelativeTime at={thread.updated} className="max-sm:hidden" />
      </span>
      {rights('thread.update', thread) && (
        <span className="z-1">
          <DropdownMenu
            trigger={
              <PlainIconButton label={`Acts for ${thread.name}`} icon={<MoreHorizontal />} size="sm" />
            }
            entries={[
              { label: 'Share…', icon: <Share2 />, run: () => openModal('shareThread', { threadId }) },
              { label: 'Rename…', icon: <Pencil />, run: () => openModal('renameThread', { threadId }) },
              {
                label: 'Delete…',
                icon: <Trash2 />,
                tone: 'danger',
                run: () => openModal('deleteThread', { threadId }),
              },
            ]}
          />
        </span>
      )}
    </li>
  );
}

/** The page. */
export function ThreadsPage() {
  const threads = useThreads();
  const [query, setQuery] = useState('');
  const slug = useWorkspaceSlug();
  const can = useCan();
  usePageTitle('Threads');
  const days = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    const fits = threads.filter((thread) => thread.name.toLowerCase().includes(wanted));
    return [...Map.groupBy(fits, (thread) => thread.updated.slice(0, 10))];
  }, [threads, query]);
  const begin = can('thread.create') && (
    <LinkButton
      to={pathTo('thread_new', { workspace_slug: slug })}
      size="sm"
      variant="primary"
      icon={<Plus />}
    >
      New thread
    </LinkButton>
  );
  return (
    <>
      <PageBar title="Threads" actions={begin} />
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-3 pt-4 pb-28 sm:px-5 md:pb-16">
        <FirstSyncNotice empty={threads.length === 0}>
          {threads.length > 0 && (
            <Input
              type="search"
              aria-label="Find a thread"
              placeholder="Find a thread"
              icon={<Search />}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          )}
          {days.length === 0 && (
            <EmptyState
              icon={<MessagesSquare />}
              title={threads.length === 0 ? 'No threads yet' : 'No thread with this name'}
              action={threads.length === 0 ? begin : undefined}
            >
              {threads.length === 0 && 'A thread collects thoughts about one question, message by message.'}
            </EmptyState>
          )}
          {days.map(([day, rows]) => (
            <section key={day} aria-label={DAY.format(new Date(day))}>
              <h2 className="px-2 pb-1 text-xs font-medium text-ink-faint">{DAY.format(new Date(day))}</h2>
              <ul>
                {rows.map((thread) => (
                  <ThreadLine key={thread.id} thread={thread} />
                ))}
              </ul>
            </section>
          ))}
        </FirstSyncNotice>
      </div>
    </>
  );
}
