// The document head of a public thread. Part of the first load, so it holds little.
import type { BodyNode } from '#shared/site/content.ts';
import type { MetaArgs, PageMeta } from '#client/page-route.ts';
import type { PublicThreadData } from '#client/threads/public-thread-data.ts';

const LONGEST_DESCRIPTION = 200;
const LONGEST_TEXT = 2_000;

/** The words of a message, without its marks. */
function wordsOf(nodes: readonly BodyNode[]): string {
  const words = (node: BodyNode): string =>
    typeof node === 'string'
      ? node
      : node
          .slice(2)
          .map((child) => words(child as BodyNode))
          .join('');
  return nodes.map(words).join(' ').replaceAll(/\s+/g, ' ').trim();
}

/**
 * Structured data is for crawlers: the browser's bundle carries none of it. The text of a thread is its first message,
 * which only its first page shows.
 */
function forum({ thread, messages, page }: PublicThreadData, path: string): Record<string, unknown>[] {
  const { name, author, workspace, created, updated } = thread;
  const text = wordsOf(messages[0]?.body ?? []).slice(0, LONGEST_TEXT);
  if (page > 1 || text === '') return [];
  const posting = {
    '@type': 'DiscussionForumPosting',
    headline: name,
    text,
    mainEntityOfPage: path,
    datePublished: created,
    dateModified: updated,
    author:
      author === null
        ? { '@type': 'Organization', name: workspace.name }
        : { '@type': 'Person', name: author },
  };
  return [posting];
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
    jsonLd: import.meta.env.SSR && isPublic ? forum(data, pathname) : [],
  };
}
