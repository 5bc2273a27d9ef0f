// The document head of a public thread.
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { sharedPageMeta, type MetaInput, type PageMeta } from '#client/public-page.tsx';
import type { PublicThreadData } from '#client/threads/public-thread-data.ts';

const LONGEST_DESCRIPTION = 200;
const LONGEST_TEXT = 2_000;

/** Elements that end no word. */
const INLINE = /^(?:a|em|strong|del|code|sup)$/;

/** The plain text of a message, without formatting. */
function wordsOf(nodes: readonly BodyNode[]): string {
  const words = (node: BodyNode): string => {
    if (typeof node === 'string') return node;
    const [tag, , ...children] = node;
    return children.map(words).join('') + (INLINE.test(tag) ? '' : ' ');
  };
  return nodes.map(words).join('').replaceAll(/\s+/g, ' ').trim();
}

/** Structured data is for crawlers. The text of a thread is its first message, which only its first page shows. */
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
export function publicThreadMeta({ data, pathname }: MetaInput<PublicThreadData>): PageMeta {
  const { thread, page } = data;
  const { name, workspace, created, updated } = thread;
  const isPublic = thread.visibility === 'public';
  const description = thread.summary?.slice(0, LONGEST_DESCRIPTION) || `A thread in ${workspace.name}`;
  return {
    title: name,
    description,
    ...sharedPageMeta(pathname, page, isPublic ? name : undefined),
    type: 'article',
    published: created,
    modified: updated,
    ...(isPublic ? {} : { noindex: true }),
    jsonLd: isPublic ? forum(data, pathname) : [],
  };
}
