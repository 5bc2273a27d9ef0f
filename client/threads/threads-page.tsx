/**
 * `/{workspace_slug}/threads`: threads by the day of their last change, those of visitors, and recently deleted ones;
 * filtered by a search in names and messages. View and query are in the address. Everything comes from the replica, and
 * the server adds matches in messages that are not on this device.
 */
import { Plus, Search } from 'lucide-react';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { pathTo } from '#shared/pages.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { useServerSearch } from '#client/shell/use-server-search.ts';
import {
  useDeletedThreads,
  useThreadMatches,
  useThreads,
  type ThreadMatch,
} from '#client/threads/queries.ts';
import { ThreadList } from '#client/threads/thread-list.tsx';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { useIsOnline } from '#client/shell/online.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { useCan, useWorkspaceSlug, useWorkspace } from '#client/workspaces/queries.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Input } from '#client/ui/input.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { LiveRegion } from '#client/ui/live-region.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { countOf } from '#shared/english.ts';

const VIEWS = [
  { value: 'all', label: 'Threads' },
  { value: 'visitors', label: 'Visitors' },
  { value: 'deleted', label: 'Deleted' },
] as const;

type View = (typeof VIEWS)[number]['value'];

/** Started by a visitor of a public space, not by a member. */
function isVisitors(thread: Thread): boolean {
  return thread.createdBy === null;
}

function Begin() {
  const slug = useWorkspaceSlug();
  const may = useCan()('thread.create');
  if (may === false) return null;
  return (
    <LinkButton
      // It has its place before that is known, so that nothing beside it moves.
      className={may ? '' : 'invisible'}
      to={pathTo('thread_new', { workspace_slug: slug })}
      size="sm"
      variant="primary"
      icon={<Plus />}
    >
      New thread
    </LinkButton>
  );
}

/** Matches on this device, then further ones from the server. */
function useFoundThreads(query: string): readonly ThreadMatch[] {
  const here = useThreadMatches(query);
  const threads = useThreads();
  const beyond = useServerThreads(query);
  return useMemo(() => {
    if (query.trim() === '' || beyond === undefined) return here;
    const known = new Set<string>(here.map(({ thread }) => thread.id));
    const byId = new Map<string, Thread>(threads.map((thread) => [thread.id, thread]));
    const added = beyond.flatMap(({ id, passage }): ThreadMatch[] => {
      const thread = known.has(id) ? undefined : byId.get(id);
      return thread ? [{ thread, passage }] : [];
    });
    return [...here, ...added];
  }, [query, here, threads, beyond]);
}

function Nothing({ view, query, hasAny }: { view: View; query: string; hasAny: boolean }) {
  const online = useIsOnline();
  if (query.trim() !== '' && hasAny) {
    return (
      <EmptyState title="No matching threads">
        {!online &&
          'Only what is on this device was searched. Older messages are searched when you are online.'}
      </EmptyState>
    );
  }
  if (view === 'deleted') {
    return (
      <EmptyState title="No deleted threads">
        Deleted threads can be restored from here for {TRASH_DAYS} days.
      </EmptyState>
    );
  }
  if (view === 'visitors') {
    return (
      <EmptyState title="No visitor threads">
        What visitors ask in a public space of this workspace appears here.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No threads yet" action={<Begin />}>
      A thread collects thoughts about one question, message by message.
    </EmptyState>
  );
}

export function ThreadsPage() {
  usePageTitle('Threads');
  const [params, setParams] = useSearchParams();
  const view = VIEWS.find(({ value }) => value === params.get('view'))?.value ?? 'all';
  const query = params.get('q') ?? '';
  const put = (key: string, value: string) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === '') next.delete(key);
        else next.set(key, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const threads = useThreads();
  const found = useFoundThreads(query);
  const deleted = useDeletedThreads();
  const hasVisitors = threads.some(isVisitors);
  const matches = useMemo(() => {
    if (view === 'all') return found.filter(({ thread }) => !isVisitors(thread));
    if (view === 'visitors') return found.filter(({ thread }) => isVisitors(thread));
    const wanted = query.trim().toLowerCase();
    return deleted
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map((thread) => ({ thread, passage: undefined }));
  }, [view, found, deleted, query]);
  const hasAny = view === 'deleted' ? deleted.length > 0 : threads.length > 0;
  const isSearching = query.trim() !== '';
  const count = countOf(matches.length, 'thread');
  return (
    <>
      <PageBar
        title={view === 'deleted' ? 'Recently deleted threads' : 'Threads'}
        actions={
          <>
            <SegmentedControl
              className="me-2 md:text-sm"
              label="Show"
              options={VIEWS.filter(({ value }) => value !== 'visitors' || hasVisitors || view === value)}
              value={view}
              onValueChange={(next) => put('view', next === 'all' ? '' : next)}
            />
            <span className="max-sm:hidden">
              <Begin />
            </span>
          </>
        }
      />
      <div className="column flex flex-col gap-4 pt-3 pb-28 md:pb-16">
        <span className="self-end sm:hidden">
          <Begin />
        </span>
        {hasAny && (
          <Input
            type="search"
            aria-label="Search in threads"
            placeholder="Search in names and messages"
            icon={<Search />}
            value={query}
            onChange={(event) => put('q', event.target.value)}
          />
        )}
        <LiveRegion text={isSearching ? count : ''} />
        {matches.length === 0 ? (
          <FirstSyncNotice>
            <Nothing view={view} query={query} hasAny={hasAny} />
          </FirstSyncNotice>
        ) : (
          <ThreadList matches={matches} query={query} />
        )}
      </div>
    </>
  );
}

/** A found thread with the piece of text it was found by. */
interface ServerThread {
  id: string;
  passage: string | undefined;
}

const PER_PAGE = 50;

/**
 * Threads that only the server finds, because their messages are not on this device; undefined until its response arrives.
 * Hits for the query, best first.
 */
function useServerThreads(query: string): readonly ServerThread[] | undefined {
  const workspaceId = useWorkspace()?.id;
  return useServerSearch(query, workspaceId, async (wanted, signal): Promise<readonly ServerThread[]> => {
    if (workspaceId === undefined) return [];
    const { result } = await api(
      'thread.search',
      { body: { workspaceId, query: wanted, perPage: PER_PAGE } },
      { signal },
    );
    return result.map(({ id, snippets }) => ({
      id,
      passage: snippets.find(({ field }) => field === 'message' || field === 'summary')?.text,
    }));
  });
}
