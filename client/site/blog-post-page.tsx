// One post, or the page that says why: title, authors, text, table of contents on wide screens.
import type { PostPage } from '#shared/site/content.ts';
import { ContentBody } from '#client/site/content-body.tsx';
import { Column } from '#client/site/section.tsx';
import { TableOfContents } from '#client/site/table-of-contents.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { formatDate } from '#shared/english.ts';
import { noonOf } from '#client/ui/local-day.ts';

export function BlogPostPage({ data: post }: { data: PostPage }) {
  return (
    <Column className="py-12 sm:py-16">
      <article className="mx-auto max-w-5xl lg:grid lg:grid-cols-[minmax(0,1fr)_14rem] lg:gap-14">
        <div className="min-w-0 max-w-[44rem]">
          <a
            href="/blog"
            className="inline-flex min-h-8 items-center gap-2 text-sm text-ink-muted hover:text-ink pointer-coarse:min-h-11"
          >
            <SiteIcon name="arrow-left" className="size-4" />
            All posts
          </a>
          <header className="mt-6 mb-10">
            <h1 className="font-serif text-title">{post.title}</h1>
            <p className="mt-5 text-reading text-ink-muted">{post.description}</p>
            <p className="mt-6 flex flex-wrap gap-x-3 border-y border-line py-3 text-sm text-ink-muted">
              <span className="font-medium text-ink">{post.authors.map(({ name }) => name).join(', ')}</span>
              <time dateTime={post.date}>{formatDate(noonOf(post.date))}</time>
              <span>{post.minutes} min read</span>
              {post.updated !== post.date && <span>Edited {formatDate(noonOf(post.updated))}</span>}
            </p>
          </header>
          <ContentBody body={post.body} />
        </div>
        <TableOfContents headings={post.headings} />
      </article>
    </Column>
  );
}
