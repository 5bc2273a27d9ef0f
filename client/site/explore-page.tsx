// Explore: public spaces that visitors may read. Trending and newest are links and the search is a form, so that the page works
// without script.
import { clsx } from 'clsx';
import { PUBLIC } from '#shared/spaces/limits.ts';
import type { ExploreData } from '#shared/site/content.ts';
import type { ExploreSpaces } from '#client/site/explore-spaces.ts';
import { CallToAction, Column, LinkRow } from '#client/site/section.tsx';
import { PageLinks } from '#client/shell/page-links.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { PublicSpaceCard } from '#client/spaces/public-space-card.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlStyle } from '#client/ui/control-style.ts';

const LISTS = [
  { list: 'trending', to: '/explore', label: 'Trending' },
  { list: 'newest', to: '/explore?order=newest', label: 'Newest' },
] as const;

export function ExplorePage({ data }: { data: ExploreData & { found: ExploreSpaces } }) {
  const { hero, cta, found } = data;
  return (
    <>
      <Column className="pt-16 pb-10 sm:pt-24">
        <h1 className="font-serif text-title">{hero.title}</h1>
        <p className="mt-5 max-w-2xl text-reading text-ink-muted">{hero.description}</p>
        {hero.links && (
          <div className="mt-8">
            <LinkRow links={hero.links} />
          </div>
        )}
      </Column>
      <Column>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          <Lists current={found.list} />
          <SearchForm query={found.query} />
        </div>
        <section aria-labelledby="spaces">
          <h2 id="spaces" className={found.list === 'found' ? 'mt-8 font-serif text-name' : 'sr-only'}>
            {headingOf(found)}
          </h2>
          {found.isStandIn && found.spaces.length > 0 && (
            <p className="mt-6 text-ink-muted">Nothing is trending right now. These are the newest spaces.</p>
          )}
          {found.spaces.length > 0 ? (
            <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {found.spaces.map((space) => (
                <li key={space.id} className="flex">
                  <PublicSpaceCard space={space} className="flex-1" />
                </li>
              ))}
            </ul>
          ) : (
            <Nothing found={found} />
          )}
          <PageLinks page={found.page} hasNext={found.hasNext} hrefOf={(page) => hrefOf(found, page)} />
        </section>
      </Column>
      <CallToAction {...cta} />
    </>
  );
}

function headingOf({ list, query, isStandIn }: ExploreSpaces): string {
  if (list === 'found') return `Spaces about “${query}”`;
  return list === 'newest' || isStandIn ? 'Newest spaces' : 'Trending spaces';
}

function Lists({ current }: { current: ExploreSpaces['list'] }) {
  return (
    <nav aria-label="Order">
      <ul className="flex gap-1 rounded-control bg-sunk p-1">
        {LISTS.map(({ list, to, label }) => (
          <li key={list}>
            <a
              href={to}
              aria-current={list === current ? 'page' : undefined}
              className={clsx(
                'inline-flex h-9 items-center rounded-control px-4 text-sm font-medium pointer-coarse:h-11',
                list === current ? 'bg-raised text-ink shadow-sm' : 'text-ink-muted hover:text-ink',
              )}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SearchForm({ query }: { query: string }) {
  return (
    <search className="w-full sm:max-w-xs">
      <form action="/explore" className="flex gap-2">
        <input
          key={query}
          type="search"
          name="q"
          defaultValue={query}
          minLength={PUBLIC.queryMin}
          maxLength={PUBLIC.queryMax}
          required
          aria-label="Search public spaces"
          placeholder="Search public spaces"
          className={`${controlStyle} h-10 min-w-0 flex-1 pointer-coarse:h-11`}
        />
        <button
          type="submit"
          className={buttonStyle({ variant: 'secondary', size: 'lg' })}
          aria-label="Find spaces"
        >
          <SiteIcon name="search" />
        </button>
      </form>
    </search>
  );
}

/** Address of a part of the list that is shown. */
function hrefOf({ list, query }: ExploreSpaces, page: number): string {
  const params = new URLSearchParams(list === 'found' ? { q: query } : { order: 'newest' });
  if (page > 1) params.set('page', String(page));
  return `/explore?${params.toString()}`;
}

function wordsFor({ reachable, list, query }: ExploreSpaces): string {
  if (!reachable) return 'Could not load public spaces. Try again later.';
  if (list === 'found') return `No public space has “${query}” in its name or description.`;
  return 'No space is public here yet. The first one will appear on this page.';
}

function Nothing({ found }: { found: ExploreSpaces }) {
  return (
    <div className="mt-6 flex items-center gap-4 rounded-card border border-dashed border-line-strong px-6 py-10 text-ink-muted">
      <SiteIcon name="compass" className="size-6 shrink-0" />
      <p className="text-base wrap-anywhere">{wordsFor(found)}</p>
    </div>
  );
}
