/**
 * `/{workspace}/spaces/p/{space}`: a space as visitors of the web read it. Rendered on the server and complete without
 * script: search is a form, further memories are links.
 */
import { LIMITS } from '#shared/constants.ts';
import { PUBLIC } from '#shared/spaces/limits.ts';
import { publicSpacePath } from '#shared/citation-path.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { usePageAddress } from '#client/shell/page-address.ts';
import type { PublicSpaceData } from '#client/spaces/public-data.ts';
import { Report, ReportLink } from '#client/spaces/report-card.tsx';
import { PublicMemoryList } from '#client/spaces/public-memory-list.tsx';
import { SaveSpaceDialog, SaveSpaceLink } from '#client/spaces/save-space-card.tsx';
import { SpaceCover } from '#client/spaces/space-cover-card.tsx';
import { QuestionForm } from '#client/threads/question-form-card.tsx';
import { PlaceName } from '#client/workspaces/place-name-card.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlHeight, controlStyle } from '#client/ui/control-style.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { PageLinks } from '#client/shell/page-links.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { formatCount, countMemories } from '#shared/english.ts';

function Facts({ space }: { space: PublicSpace }) {
  const { workspace, author, memoryCount, updated } = space;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-muted">
      <PlaceName workspace={workspace} listed={space.visibility === 'public'} />
      {author !== null && (
        <>
          <span aria-hidden="true">·</span>
          <span>by {author}</span>
        </>
      )}
      <span aria-hidden="true">·</span>
      <span>{countMemories(memoryCount)}</span>
      <span aria-hidden="true">·</span>
      {/* As wide as its longest words: the visitor's clock must not move the page. */}
      <span className="min-w-44">
        updated <RelativeTime at={updated} />
      </span>
    </p>
  );
}

function Head({ space }: { space: PublicSpace }) {
  const address = publicSpacePath(space);
  return (
    <div className="pt-6 sm:pt-10">
      <SpaceCover
        color={space.color}
        name={space.name}
        lit={space.memoryCount > 0}
        wide
        className="h-28 rounded-card sm:h-36"
      />
      <h1 className="mt-8 font-serif text-title wrap-anywhere">{space.name}</h1>
      {space.description && (
        <p className="mt-3 max-w-2xl text-base wrap-anywhere whitespace-pre-line text-ink-muted">
          {space.description}
        </p>
      )}
      <Facts space={space} />
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <SaveSpaceLink space={space} />
        {space.visibility === 'public' && (
          <a href={`${address}/feed.xml`} className={buttonStyle({ size: 'lg' })}>
            <SiteIcon name="rss" />
            Feed
          </a>
        )}
        <a href={`${address}.md`} className={buttonStyle({ size: 'lg' })}>
          As text
        </a>
        <ReportLink subject={{ kind: 'space', id: space.id, workspaceId: space.workspaceId }} />
      </div>
      <noscript>
        <p className="mt-3 text-sm text-ink-muted">
          Saving a copy needs JavaScript, because it happens in your workspace. The page as text can be kept
          without.
        </p>
      </noscript>
      <SaveSpaceDialog space={space} />
      <Report kind="space" />
    </div>
  );
}

function SearchForm({ space, query }: { space: PublicSpace; query: string }) {
  return (
    <search className="w-full sm:max-w-xs">
      <form action={publicSpacePath(space)} className="relative">
        <SiteIcon
          name="search"
          className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-ink-faint"
        />
        <input
          key={query}
          type="search"
          name="q"
          defaultValue={query}
          minLength={PUBLIC.queryMin}
          maxLength={PUBLIC.queryMax}
          required
          aria-label={`Search in ${space.name}`}
          placeholder="Search this space"
          className={`${controlStyle} ${controlHeight} ps-9`}
        />
      </form>
    </search>
  );
}

function Heading({ query, count, of }: { query: string; count: number; of?: number | undefined }) {
  if (query === '') {
    return (
      <h2 className="font-serif text-name">
        {of === undefined ? 'Memories' : `One of ${formatCount(of)} memories`}
      </h2>
    );
  }
  return (
    <h2 className="font-serif text-name wrap-anywhere">
      {count === 0 ? 'Nothing found for' : 'Found for'} “{query}”
    </h2>
  );
}

export function PublicSpacePage({ data }: { data: PublicSpaceData }) {
  const { space, memories, query, page, hasNext, isOne } = data;
  const address = publicSpacePath(space);
  const hrefOf = (number: number) => {
    const params = new URLSearchParams({
      ...(query === '' ? {} : { q: query }),
      ...(number === 1 ? {} : { page: String(number) }),
    });
    return params.size === 0 ? address : `${address}?${params.toString()}`;
  };
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pb-20 sm:px-6">
      <Head space={space} />
      <AskSpace space={space} address={address} />
      <section aria-label="Memories" className="mt-12">
        <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <Heading query={query} count={memories.length} of={isOne ? space.memoryCount : undefined} />
          <SearchForm space={space} query={query} />
        </div>
        {memories.length > 0 ? (
          <PublicMemoryList space={space} memories={memories} />
        ) : (
          <p className="rounded-card border border-dashed border-line-strong px-6 py-10 text-center text-ink-muted">
            {query === '' ? 'This space is still empty.' : 'Try other words.'}
          </p>
        )}
        {(query !== '' || isOne) && (
          <p className="mt-6">
            <a
              href={address}
              className="inline-flex min-h-6 items-center font-medium text-primary hover:underline pointer-coarse:min-h-11"
            >
              Show all memories
            </a>
          </p>
        )}
        <PageLinks page={page} hasNext={hasNext} hrefOf={hrefOf} />
      </section>
    </div>
  );
}

const HINT =
  'Answers quote the memories shown here. Your question gets a page that anyone with its link can read.';

/** Messages by the value of the query parameter that the server redirects with. */
const REFUSALS: Readonly<Record<string, string>> = {
  invalid: `Write a question of at most ${formatCount(LIMITS.description)} characters.`,
  off: 'This space does not take questions from visitors.',
  later: 'Your question could not be answered now. Too many were asked. Try again later.',
};

interface AskSpaceProps {
  space: PublicSpace;
  /** Address of the space's page. */
  address: string;
}

/**
 * The question box. Works without script as a plain form, which leads to the answer. Nothing where visitors may not ask.
 */
function AskSpace({ space, address }: AskSpaceProps) {
  const outcome = usePageAddress().searchParams.get('asked') ?? '';
  const refusal = Object.hasOwn(REFUSALS, outcome) ? REFUSALS[outcome] : undefined;
  if (!space.publicChat) return null;
  return (
    <section id="ask" aria-label="Ask this space" className="mt-10 scroll-mt-20">
      <QuestionForm
        label="Ask this space"
        hint={HINT}
        refusal={refusal}
        place={{ workspaceId: space.workspaceId, spaceId: space.id }}
        action={`${address}/ask`}
      />
    </section>
  );
}
