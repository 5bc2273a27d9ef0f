/**
 * `/{workspace_slug}?q=`: the results of a search, best first, as a list with filters, selection and actions. Searched
 * on this device; results that only the server has follow below when it can be reached.
 */
import { Globe, Search } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useLocation } from 'react-router';
import { ListFilters } from '#client/memories/list-filters.tsx';
import { isFiltered, type ListView } from '#client/memories/list-view.ts';
import { ListSourceContext } from '#client/memories/list-source.ts';
import { MemoriesCard } from '#client/memories/memories-card.tsx';
import { useMemoriesById, useSpaceLinks } from '#client/memories/queries.ts';
import { selectMemories } from '#client/memories/select-memories.ts';
import { useLayoutChoice } from '#client/memories/use-layout-choice.ts';
import { rankedIds, useServerHits, type ServerHits } from '#client/memories/use-server-hits.ts';
import { useSearch } from '#client/replica/use-search.ts';
import { useFirstSync } from '#client/replica/use-sync-status.ts';
import { searchWithMemory, type MemoryLinkState } from '#client/shell/memory-address.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { Button } from '#client/ui/button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Input } from '#client/ui/input.tsx';
import { LiveRegion } from '#client/ui/live-region.tsx';
import { formatCount, countMemories } from '#shared/english.ts';

interface SearchResultsProps {
  query: string;
  view: ListView;
  onQuery: (query: string) => void;
  onView: (view: ListView) => void;
}

/** More than a person scrolls through; the heading shows the total. */
const REQUEST = { limit: 500 } as const;
const STATE: MemoryLinkState = { overPage: true };

function Beyond({ hits }: Pick<ServerHits, 'hits'>) {
  const { search } = useLocation();
  if (hits.length === 0) return null;
  return (
    <section aria-label="More results from the server" className="flex flex-col gap-1">
      <h2 className="px-2 text-xs font-medium text-ink-faint">More results from the server</h2>
      <ul>
        {hits.map((hit) => (
          <li key={hit.id}>
            <Link
              to={{ search: searchWithMemory(search, hit.id) }}
              state={STATE}
              preventScrollReset
              className="flex min-h-11 items-center gap-2.5 rounded-control px-2 font-medium hover:bg-hover"
            >
              <Globe aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
              <span className="min-w-0 truncate">{hit.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function countWords(shown: number, total: number): string {
  if (total > shown && shown === REQUEST.limit) return `The best ${shown} of ${formatCount(total)} memories`;
  return countMemories(shown);
}

/** The page of a question. */
export function SearchResults({ query, view, onQuery, onView }: SearchResultsProps) {
  const wanted = query.trim();
  usePageTitle(wanted === '' ? 'Search' : `Search: ${wanted}`);
  const found = useSearch(query, REQUEST);
  const firstSync = useFirstSync();
  const server = useServerHits(query);
  const ids = useMemo(() => (found.result ? rankedIds(found.result, server) : []), [found.result, server]);
  const all = useMemoriesById(ids);
  const hits = useMemo(() => all.filter((row) => row.deletedAt === null), [all]);
  const links = useSpaceLinks();
  // Results may be archived when the query includes archived memories, regardless of the page's view before.
  const source = useMemo(() => ({ newestFirst: hits, links, everyScope: true }), [hits, links]);
  const rows = useMemo(
    () => selectMemories(source, { ...view, sort: 'created', reversed: false }),
    [source, view],
  );
  const known = useMemo(() => new Set<string>(all.map(({ id }) => id)), [all]);
  const [layout, setLayout] = useLayoutChoice('search');
  const isAnswered = wanted !== '' && found.query === wanted && found.isWhole;
  const count = countWords(rows.length, found.result?.total ?? 0);
  const lacksWords = found.result?.hits.every(({ match }) => match === 'any') === true;
  return (
    <>
      <PageBar title="Search" />
      <div className="column flex flex-col gap-4 pt-3 pb-28 md:pb-16">
        <Input
          type="search"
          aria-label="Search memories"
          placeholder="Words, tag:, space:, type:, before:, after:, “exact words”"
          icon={<Search />}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
        />
        {(hits.length > 0 || isFiltered(view)) && (
          <ListSourceContext value={source}>
            <ListFilters
              view={view}
              onView={onView}
              layout={layout}
              onLayout={setLayout}
              ordered={false}
              saves
            />
          </ListSourceContext>
        )}
        <LiveRegion text={isAnswered ? count : ''} />
        {rows.length > 0 && (
          <p className="px-2 text-xs text-ink-faint">
            {lacksWords && 'No memory contains all of these words. Showing close matches. '}
            {count}, best first
          </p>
        )}
        {rows.length > 0 && <MemoriesCard label="Found memories" rows={rows} layout={layout} />}
        {rows.length === 0 && isAnswered && (
          <EmptyState
            title={hits.length > 0 ? 'Nothing matches these filters' : 'Nothing found'}
            action={
              hits.length > 0 && (
                <Button onClick={() => onView({ ...view, space: [], tag: [], type: [], origin: [] })}>
                  Clear filters
                </Button>
              )
            }
          >
            {hits.length === 0 &&
              'Try fewer or different words. Use is:archived to search archived memories.'}
          </EmptyState>
        )}
        {wanted === '' && (
          <EmptyState title="What are you looking for?">
            Words, or operators such as tag:garden, space:reading, type:link, before:2026 and “exact words”.
          </EmptyState>
        )}
        {wanted !== '' && !isAnswered && firstSync.state !== 'ready' && (
          <p className="px-2 text-ink-muted">Your memories are still downloading.</p>
        )}
        {wanted !== '' && found.isReading && firstSync.state === 'ready' && (
          <output className="px-2 text-ink-muted">Still indexing your memories.</output>
        )}
        <Beyond hits={server.hits.filter(({ id }) => !known.has(id))} />
      </div>
    </>
  );
}
