// Explore: public spaces that people read now. Its words come from content/explore.yml, the spaces from the public API.
import { useLoaderData } from 'react-router';
import type { ExploreData } from '#shared/site/content.ts';
import type { ExploreSpaces } from '#client/site/explore-spaces.ts';
import { CallToAction, Column, LinkRow } from '#client/site/section.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { PublicSpaceCard } from '#client/spaces/public-space-card.tsx';

export function ExplorePage() {
  const { hero, cta, spaces } = useLoaderData<ExploreData & { spaces: ExploreSpaces }>();
  return (
    <>
      <Column className="pt-16 pb-10 sm:pt-24">
        <h1 className="text-4xl font-semibold tracking-tight sm:text-5xl">{hero.title}</h1>
        <p className="mt-5 max-w-2xl text-lg leading-8 text-ink-muted">{hero.description}</p>
        {hero.links && (
          <div className="mt-8">
            <LinkRow links={hero.links} />
          </div>
        )}
      </Column>
      <Column>
        <h2 className="text-lg font-semibold">Trending</h2>
        {spaces.trending.length > 0 ? (
          <ul className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {spaces.trending.map((space) => (
              <li key={space.id} className="flex">
                <PublicSpaceCard space={space} className="flex-1" />
              </li>
            ))}
          </ul>
        ) : (
          <Nothing reachable={spaces.reachable} />
        )}
      </Column>
      <CallToAction {...cta} />
    </>
  );
}

function Nothing({ reachable }: { reachable: boolean }) {
  return (
    <div className="mt-5 flex items-center gap-4 rounded-card border border-dashed border-line-strong px-6 py-10 text-ink-muted">
      <SiteIcon name="compass" className="size-6 shrink-0" />
      <p className="text-base leading-7">
        {reachable
          ? 'No space is public here yet. The first one with three memories will appear on this page.'
          : 'The list of public spaces cannot be reached right now. Everything else on this site works.'}
      </p>
    </div>
  );
}
