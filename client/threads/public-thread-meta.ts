// The document head of a public thread. Part of the first load, so it holds little.
import type { MetaArgs, PageMeta } from '#client/page-route.ts';
import type { PublicThreadData } from '#client/threads/public-thread-data.ts';

const LONGEST_DESCRIPTION = 200;

/** Structured data is for crawlers: the browser's bundle carries none of it. */
function forum({ thread }: PublicThreadData, description: string): Record<string, unknown> {
  const { name, author, workspace, created, updated } = thread;
  return {
    '@type': 'DiscussionForumPosting',
    headline: name,
    text: description,
    datePublished: created,
    dateModified: updated,
    author:
      author === null
        ? { '@type': 'Organization', name: workspace.name }
        : { '@type': 'Person', name: author },
  };
}

/** Head of /{workspace}/threads/p/{thread}. */
export function publicThreadMeta({ data, pathname }: MetaArgs<PublicThreadData>): PageMeta {
  const { thread, page } = data;
  const { name, workspace, created, updated } = thread;
  const isPublic = thread.visibility === 'public';
  const description = thread.summary?.slice(0, LONGEST_DESCRIPTION) || `A thread in ${workspace.name}`;
  return {
    title: name,
    description,
    canonical: page > 1 ? `${pathname}?page=${page}` : pathname,
    ...(import.meta.env.SSR
      ? {
          ...{ image: `/og${pathname}.png`, embeddable: true, type: 'article' as const },
          ...{ published: created, modified: updated },
        }
      : {}),
    ...(isPublic ? {} : { noindex: true }),
    alternates: [
      { type: 'text/markdown', href: `${pathname}.md` },
      ...(isPublic
        ? [
            { type: 'application/atom+xml', href: `${pathname}/feed.xml`, title: name },
            { type: 'application/feed+json', href: `${pathname}/feed.json`, title: name },
          ]
        : []),
    ],
    jsonLd: import.meta.env.SSR && isPublic ? [forum(data, description)] : [],
  };
}
