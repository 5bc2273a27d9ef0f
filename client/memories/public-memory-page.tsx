/**
 * `/{workspace}/spaces/p/{space}/{memory}`: one memory of a public space that publishes the texts of its notes, as visitors
 * read it. Rendered on the server and complete without script.
 */
import { publicMemoryPath } from '#shared/citation-path.ts';
import { LINK_REL, safeLink } from '#shared/markdown/safe-link.ts';
import { domainOf } from '#shared/memories/memory-text.ts';
import { pathTo } from '#shared/pages.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import type { PublicMemoryData } from '#client/memories/public-memory-data.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { Report, ReportLink } from '#client/spaces/report-card.tsx';
import { PublicTags } from '#client/spaces/public-tags-card.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { PublicText } from '#client/ui/public-text.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { PlaceName } from '#client/workspaces/place-name-card.tsx';

function Dot() {
  return <span aria-hidden="true">·</span>;
}

function Place({ space }: { space: PublicSpace }) {
  const { workspace, slug, name, visibility } = space;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-muted">
      <PlaceName workspace={workspace} listed={visibility === 'public'} />
      <span aria-hidden="true">/</span>
      <a
        href={pathTo('public_space', { workspace_slug: workspace.slug, space_slug: slug })}
        className="inline-flex min-h-6 items-center font-medium text-ink hover:text-primary hover:underline"
      >
        {name}
      </a>
    </p>
  );
}

function Facts({ data: { space, memory } }: { data: PublicMemoryData }) {
  const { author } = space;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-muted">
      {author !== null && (
        <>
          <span>by {author}</span>
          <Dot />
        </>
      )}
      {memory.filename !== null && (
        <>
          <span>{memory.filename}</span>
          <Dot />
        </>
      )}
      {/* As wide as its longest words: the visitor's clock must not move the page. */}
      <span className="min-w-44">
        updated <RelativeTime at={memory.updated} />
      </span>
    </p>
  );
}

function Source({ url }: { url: string | null }) {
  const link = safeLink(url ?? undefined);
  if (link === undefined) return null;
  return (
    <p className="mt-6">
      <a href={link} rel={LINK_REL} className={buttonStyle({ size: 'lg' })}>
        <SiteIcon name="arrow-right" />
        <span className="truncate">Open {domainOf(link) ?? 'the source'}</span>
      </a>
    </p>
  );
}

function Words({ data: { memory, body } }: { data: PublicMemoryData }) {
  const { description, summary } = memory;
  const leads = [description, summary].filter((words) => words !== null && words !== '');
  return (
    <>
      {leads.map((words) => (
        <p key={words} className="mt-6 text-base whitespace-pre-line text-ink-muted">
          {words}
        </p>
      ))}
      {body.length > 0 && (
        <div className="mt-8">
          <PublicText body={body} below={1} />
        </div>
      )}
      {leads.length === 0 && body.length === 0 && memory.url === null && (
        <p className="mt-8 text-ink-muted">Nothing is written here but the title.</p>
      )}
    </>
  );
}

/** The list of a space has the newest first. */
const SIDES = [
  { side: 'newer', label: 'Newer', icon: 'arrow-left', className: 'sm:col-start-1' },
  {
    side: 'older',
    label: 'Older',
    icon: 'arrow-right',
    className: 'sm:col-start-2 sm:items-end sm:text-end',
  },
] as const;

function Neighbours({ data: { space, memory } }: { data: PublicMemoryData }) {
  const place = { workspaceSlug: space.workspace.slug, spaceSlug: space.slug, hasPage: true };
  if (memory.newer === null && memory.older === null) return null;
  return (
    <nav aria-label={`More in ${space.name}`} className="mt-12 grid gap-3 sm:grid-cols-2">
      {SIDES.map(({ side, label, icon, className }) => {
        const neighbour = memory[side];
        if (neighbour === null) return null;
        return (
          <a
            key={side}
            href={publicMemoryPath({ ...place, memoryId: neighbour.id })}
            className={`group flex min-w-0 flex-col rounded-card border border-line px-4 py-3 hover:border-line-strong ${className}`}
          >
            <span className="flex items-center gap-1.5 text-xs text-ink-muted">
              <SiteIcon name={icon} className="size-3.5" />
              {label}
            </span>
            <span className="mt-1 line-clamp-2 font-medium wrap-anywhere group-hover:text-primary">
              {neighbour.title}
            </span>
          </a>
        );
      })}
    </nav>
  );
}

export function PublicMemoryPage({ data }: { data: PublicMemoryData }) {
  const { space, memory, name } = data;
  const { workspaceId, workspace, id: spaceId, slug } = space;
  const address = publicMemoryPath({
    workspaceSlug: workspace.slug,
    spaceSlug: slug,
    memoryId: memory.id,
    hasPage: true,
  });
  return (
    <div className="mx-auto w-full max-w-3xl px-4 pb-20 sm:px-6">
      <article className="pt-10 wrap-anywhere sm:pt-14">
        <Place space={space} />
        <h1 className="mt-3 font-serif text-title">{name}</h1>
        <Facts data={data} />
        <PublicTags tags={memory.tags} className="mt-4" />
        <Source url={memory.url} />
        <Words data={data} />
      </article>
      <Neighbours data={data} />
      <div className="mt-8 border-t border-line pt-6">
        <div className="flex flex-wrap items-center gap-2">
          <a href={`${address}.md`} className={buttonStyle({ size: 'lg' })}>
            As text
          </a>
          <ReportLink subject={{ kind: 'space', id: spaceId, workspaceId, memoryId: memory.id }} />
        </div>
        <Report kind="space" />
      </div>
    </div>
  );
}
