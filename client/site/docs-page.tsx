// One page of the documentation: text, table of contents, the way to the neighbours and when it was last edited.
import type { DocPage, PageLink } from '#shared/site/content.ts';
import { CallForm } from '#client/site/call-form.tsx';
import { ContentBody } from '#client/site/content-body.tsx';
import { TableOfContents } from '#client/site/table-of-contents.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { formatDate } from '#shared/english.ts';
import { noonOf } from '#client/ui/local-day.ts';

export function DocsPage({ data: page }: { data: DocPage }) {
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_11rem] xl:gap-10">
      <article className="min-w-0 max-w-[46rem]">
        <header className="mb-8">
          {page.group && <p className="text-sm font-medium text-primary">{page.group}</p>}
          <h1 className="mt-2 font-serif text-title">{page.title}</h1>
          <p className="mt-4 text-reading text-ink-muted">{page.description}</p>
        </header>
        <ContentBody body={page.body} />
        {page.body.some((node) => Array.isArray(node) && 'sendable' in node[1]) && <CallForm />}
        <footer className="mt-16 border-t border-line pt-6">
          <p className="flex flex-wrap justify-between gap-3 text-sm text-ink-muted">
            <span>
              Edited <time dateTime={page.updated}>{formatDate(noonOf(page.updated))}</time>
            </span>
            <a
              href={`${page.path}.md`}
              className="inline-flex min-h-6 items-center hover:text-ink hover:underline"
            >
              This page as Markdown
            </a>
          </p>
          <nav aria-label="Neighbours" className="mt-6 grid gap-4 sm:grid-cols-2">
            {page.previous && <Neighbour link={page.previous} direction="previous" />}
            {page.next && <Neighbour link={page.next} direction="next" />}
          </nav>
        </footer>
      </article>
      <TableOfContents headings={page.headings} />
    </div>
  );
}

function Neighbour({ link, direction }: { link: PageLink; direction: 'previous' | 'next' }) {
  const isNext = direction === 'next';
  return (
    <a
      href={link.path}
      rel={isNext ? 'next' : 'prev'}
      className={`group rounded-card border border-line p-4 hover:border-primary ${isNext ? 'text-end sm:col-start-2' : ''}`}
    >
      <span className={`flex items-center gap-2 text-xs text-ink-muted ${isNext ? 'justify-end' : ''}`}>
        {!isNext && <SiteIcon name="arrow-left" className="size-3.5" />}
        {isNext ? 'Next' : 'Previous'}
        {isNext && <SiteIcon name="arrow-right" className="size-3.5" />}
      </span>
      <span className="mt-1 block text-sm font-medium group-hover:text-primary">{link.title}</span>
    </a>
  );
}
