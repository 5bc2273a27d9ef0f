/**
 * The home of a workspace: quick capture on top, then its memories, filtered and ordered as in the address. Also shows
 * the archive and recently deleted memories. Everything comes from the replica.
 */
import { useDeferredValue, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { CaptureCard } from '#client/capture/capture-card.tsx';
import { ListFilters } from '#client/memories/list-filters.tsx';
import { isFiltered, timeOf, type ListScope, type ListView } from '#client/memories/list-view.ts';
import { ListSourceContext } from '#client/memories/list-source.ts';
import { MemoriesCard } from '#client/memories/memories-card.tsx';
import { useMemoryRows, useSpaceLinks } from '#client/memories/queries.ts';
import { SearchResults } from '#client/memories/search-results.tsx';
import { inScope, selectMemories } from '#client/memories/select-memories.ts';
import { useLayoutChoice } from '#client/memories/use-layout-choice.ts';
import { useListView } from '#client/memories/use-list-view.ts';
import { useIsWhole, useKnown, useLastCount } from '#client/replica/use-known.ts';
import { useActor, useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { ChecklistCard } from '#client/workspaces/checklist-card.tsx';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { openModal } from '#client/shell/modals.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { openImport } from '#client/shell/import-state.ts';
import { usePageTitle } from '#client/shell/page-title.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { Button } from '#client/ui/button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Kbd } from '#client/ui/kbd.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';
import { countMemories } from '#shared/english.ts';

const SCOPES = [
  { value: 'active', label: 'Memories' },
  { value: 'archived', label: 'Archive' },
  { value: 'deleted', label: 'Deleted' },
] as const;

const TITLES: Readonly<Record<ListScope, string>> = {
  active: 'Home',
  archived: 'Archive',
  deleted: 'Recently deleted',
};

interface NothingProps {
  view: ListView;
  hasAny: boolean;
  clear: () => void;
}

/** Why the list is empty, in the three cases that are not the same. */
function Nothing({ view, hasAny, clear }: NothingProps) {
  const can = useCan();
  if (hasAny && isFiltered(view)) {
    return (
      <EmptyState
        title="Nothing matches these filters"
        action={<Button onClick={clear}>Clear filters</Button>}
      />
    );
  }
  if (view.scope === 'archived') {
    return (
      <EmptyState title="The archive is empty">
        Archive what you are done with. It leaves the list and stays searchable.
      </EmptyState>
    );
  }
  if (view.scope === 'deleted') {
    return (
      <EmptyState title="Nothing in the trash">
        Deleted memories can be restored from here for {TRASH_DAYS} days.
      </EmptyState>
    );
  }
  if (!can('memory.create')) {
    return (
      <EmptyState title="Nothing saved yet">What members of this workspace save appears here.</EmptyState>
    );
  }
  return (
    <EmptyState
      title="Save your first memory"
      action={
        <>
          <Button variant="primary" onClick={() => openModal('createMemory', {})}>
            Save a memory
          </Button>
          <Button onClick={() => openImport()}>Import notes and bookmarks</Button>
          <span
            aria-hidden="true"
            className="flex items-center gap-1.5 text-xs text-ink-faint pointer-coarse:hidden"
          >
            or press <Kbd keys={keysOf('memory.capture')} />
          </span>
        </>
      }
    >
      A thought, a link, something you want to find again. Try pasting a web address.
    </EmptyState>
  );
}

function CaptureSkeleton() {
  return (
    <SkeletonGroup label="Opening the workspace">
      <Skeleton className="h-10.5 w-full rounded-card md:h-11.5" />
    </SkeletonGroup>
  );
}

function QuickCapture() {
  const workspace = useWorkspace();
  const { userId } = useActor();
  const can = useCan();
  const may = can('memory.create');
  if (may === false) return null;
  if (!may || !workspace) return <CaptureSkeleton />;
  return <CaptureCard key={workspace.id} draftKey={`capture-home/${userId}/${workspace.id}`} />;
}

/** How many memories the scope has, regardless of filters. */
function Tally({ scope }: { scope: ListScope }) {
  const known = useKnown(
    (view) => {
      const rows = scope === 'deleted' ? view.deleted('memory') : view.list('memory');
      return rows.reduce((sum, row) => sum + Number(inScope(row, { scope })), 0);
    },
    [scope],
  );
  const count = useLastCount(`memories/${useWorkspace()?.id ?? ''}/${scope}`, known);
  if (count === undefined || count === 0) return null;
  return <>{countMemories(count)}</>;
}

interface ListProps {
  view: ListView;
  setView: (view: ListView) => void;
}

/** The only part of the page that is rendered again when memories are added or removed. */
function Listing({ view, setView }: ListProps) {
  const [layout, setLayout] = useLayoutChoice('home');
  const newestFirst = useMemoryRows(view.scope);
  const links = useSpaceLinks();
  const place = `${useWorkspace()?.id ?? ''}/${view.scope}`;
  const newest = useMemo(() => ({ newestFirst, links, place }), [newestFirst, links, place]);
  // While the first copy arrives the list is updated at low priority, so that typing stays responsive. The first rows are
  // drawn at once: a list that is only behind would be called empty.
  const following = useDeferredValue(newest);
  const isBehind = following.place === place && following.newestFirst.length > 0;
  const source = !useIsWhole() && isBehind ? following : newest;
  const rows = useMemo(() => selectMemories(source, view), [source, view]);
  const hasAny = rows.length > 0 || newestFirst.some((row) => inScope(row, view));
  return (
    <>
      {(hasAny || isFiltered(view)) && (
        <ListSourceContext value={source}>
          <ListFilters view={view} onView={setView} layout={layout} onLayout={setLayout} saves />
        </ListSourceContext>
      )}
      {rows.length > 0 ? (
        <MemoriesCard
          key={view.scope}
          label={TITLES[view.scope]}
          rows={rows}
          layout={layout}
          dated={timeOf(view)}
        />
      ) : (
        <FirstSyncNotice>
          <Nothing
            view={view}
            hasAny={hasAny}
            clear={() => setView({ ...view, space: [], tag: [], type: [], origin: [] })}
          />
        </FirstSyncNotice>
      )}
    </>
  );
}

/** The memories of one scope: all, archived, or deleted ones. */
function ScopeList({ view, setView }: ListProps) {
  usePageTitle(TITLES[view.scope]);
  return (
    <>
      <PageBar
        title={TITLES[view.scope]}
        note={<Tally scope={view.scope} />}
        actions={
          <>
            {view.scope === 'active' && <ChecklistCard />}
            <SegmentedControl
              label="Show"
              options={SCOPES}
              value={view.scope}
              onValueChange={(scope) => setView({ ...view, scope })}
              className="md:text-sm"
            />
          </>
        }
      />
      <div className="column flex flex-col gap-px pt-px pb-28 md:gap-1.5 md:pt-2 md:pb-16">
        {view.scope === 'active' && <QuickCapture />}
        <Listing view={view} setView={setView} />
      </div>
    </>
  );
}

function withQuery(params: URLSearchParams, query: string): URLSearchParams {
  const next = new URLSearchParams(params);
  next.set('q', query);
  return next;
}

/** `/{workspace_slug}`, and with `?q=` the results of a search. */
export function MemoriesPage() {
  const [params, setParams] = useSearchParams();
  const [view, setView] = useListView();
  const query = params.get('q');
  if (query === null) return <ScopeList view={view} setView={setView} />;
  return (
    <SearchResults
      query={query}
      view={view}
      onView={setView}
      onQuery={(next) =>
        setParams((current) => withQuery(current, next), { replace: true, preventScrollReset: true })
      }
    />
  );
}
