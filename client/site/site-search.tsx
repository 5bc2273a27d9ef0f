// The search over docs and posts: index and palette arrive together when somebody searches for the first time.
// Works without a network once the content is on the device.
import { Command } from 'cmdk';
import MiniSearch from 'minisearch';
import { Dialog as Radix } from 'radix-ui';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { DOCS_SEARCH } from '#shared/site/docs-search.ts';
import { useStore } from '#client/shell/external-store.ts';
import { loadSearchIndex } from '#client/site/browser-content.ts';
import { rankSections } from '#client/site/rank-sections.ts';
import { closeSiteSearch, siteSearchStore } from '#client/site/site-search-store.ts';
import { DialogOverlay } from '#client/ui/dialog.tsx';
import { useReturnFocus } from '#client/ui/use-return-focus.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';

const MOST_RESULTS = 12;
const SNIPPET_BEFORE = 40;
const SNIPPET_LENGTH = 140;

interface Hit {
  id: string;
  path: string;
  title: string;
  section: string;
  snippet: string;
}

/** Shown before anything is typed. */
const FIRST_STEPS: Hit[] = [
  {
    id: 'start',
    path: '/docs',
    title: 'Start here',
    section: '',
    snippet: 'Keep your first memory in five minutes.',
  },
  {
    id: 'capture',
    path: '/docs/capture-and-import',
    title: 'Capture and import',
    section: '',
    snippet: 'Notes, links, pasted text and Markdown archives.',
  },
  {
    id: 'operators',
    path: '/docs/search',
    title: 'Search',
    section: '',
    snippet: 'Every operator with an example.',
  },
  {
    id: 'hosting',
    path: '/docs/self-hosting',
    title: 'Self-hosting',
    section: '',
    snippet: 'Run it on your own machine.',
  },
];

/** The piece of text around the question, or else around the first matching word. */
function snippetOf(text: string, query: string, terms: string[]): string {
  const lower = text.toLowerCase();
  const places = [query.trim().toLowerCase(), ...terms].map((words) => lower.indexOf(words));
  const at = places.find((place) => place >= 0) ?? 0;
  const start = Math.max(0, at - SNIPPET_BEFORE);
  const cut = text.slice(start, start + SNIPPET_LENGTH).trim();
  return `${start > 0 ? '…' : ''}${cut}${start + SNIPPET_LENGTH < text.length ? '…' : ''}`;
}

function useIndex(): MiniSearch | undefined {
  const [index, setIndex] = useState<MiniSearch>();
  useEffect(() => {
    const options = {
      ...DOCS_SEARCH,
      fields: [...DOCS_SEARCH.fields],
      storeFields: [...DOCS_SEARCH.storeFields],
    };
    loadSearchIndex().then(
      (text) => setIndex(MiniSearch.loadJSON(text, options)),
      (error: unknown) => console.warn('The search index could not be loaded', error),
    );
  }, []);
  return index;
}

function search(index: MiniSearch | undefined, query: string): Hit[] {
  if (query.trim() === '') return FIRST_STEPS;
  if (!index) return [];
  return rankSections(index, query, MOST_RESULTS).map(({ text, terms, ...section }) => ({
    ...section,
    snippet: snippetOf(text, query, terms),
  }));
}

/** Opens over any page; the results navigate without loading. */
export function SiteSearch() {
  const open = useStore(siteSearchStore);
  const index = useIndex();
  const [query, setQuery] = useState('');
  const deferred = useDeferredValue(query);
  const hits = useMemo(() => search(index, deferred), [index, deferred]);
  const [chosen, setChosen] = useState('');
  const selected = hits.some(({ id }) => id === chosen) ? chosen : (hits[0]?.id ?? '');
  const navigate = useNavigate();
  const returnFocus = useReturnFocus();
  const choose = (path: string): void => {
    closeSiteSearch();
    setQuery('');
    void navigate(path);
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closeSiteSearch()}>
      <Radix.Portal>
        <DialogOverlay />
        <Radix.Content
          data-surface
          {...returnFocus}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-3 z-50 mx-auto flex max-h-[calc(100dvh-1.5rem)] max-w-xl flex-col overflow-hidden rounded-dialog bg-raised shadow-dialog outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in sm:top-[12vh] sm:max-h-[70dvh]"
        >
          <Radix.Title className="sr-only">Search the docs and the blog</Radix.Title>
          <Command
            shouldFilter={false}
            value={selected}
            onValueChange={setChosen}
            label="Search the docs and the blog"
            className="flex min-h-0 flex-col"
          >
            <div className="flex items-center gap-3 border-b border-line px-4 focus-within:border-focus">
              <SiteIcon name="search" className="size-4.5 shrink-0 text-ink-faint" />
              <Command.Input
                value={query}
                onValueChange={(next) => {
                  setQuery(next);
                  setChosen('');
                }}
                placeholder="Search the docs and the blog"
                className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none"
              />
            </div>
            <Command.List data-scroll className="min-h-0 flex-1 overflow-y-auto p-2">
              {hits.length === 0 && (
                <Command.Empty className="px-3 py-10 text-center text-sm text-ink-muted">
                  {index ? `Nothing about “${query}”` : 'Loading the index…'}
                </Command.Empty>
              )}
              {hits.map((hit) => (
                <Result key={hit.id} hit={hit} choose={choose} />
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Result({ hit, choose }: { hit: Hit; choose: (path: string) => void }) {
  return (
    <Command.Item
      value={hit.id}
      onSelect={() => choose(hit.path)}
      className="group flex cursor-pointer items-start gap-3 rounded-control px-3 py-2.5 aria-selected:bg-hover"
    >
      <SiteIcon name="file-text" className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">
          {hit.title}
          {hit.section && <span className="font-normal text-ink-muted"> › {hit.section}</span>}
        </span>
        <span className="mt-0.5 line-clamp-2 block text-xs text-ink-muted">{hit.snippet}</span>
      </span>
      <SiteIcon
        name="enter"
        aria-hidden="true"
        className="mt-1 size-3.5 shrink-0 text-ink-faint opacity-0 group-aria-selected:opacity-100"
      />
    </Command.Item>
  );
}
