// What the public page of a thread shows, asked from the public API, with its messages already turned into trees.
import { PAGE_NUMBER_MAX, PUBLIC_PAGE_MESSAGES } from '#shared/constants.ts';
import { pathTo } from '#shared/pages.ts';
import type { BodyNode } from '#shared/site/content.ts';
import type { PublicMessage, PublicThread } from '#shared/threads/public-thread.ts';
import { askPublic, type LoaderInput, moveTo, pageNumber, refuseEmptyPart } from '#client/public-api.ts';
import { loadMarkdown } from '#client/threads/lazy-public-markdown.ts';

/** A message ready to be drawn. */
export type DrawnMessage = Omit<PublicMessage, 'content'> & { body: BodyNode[] };

/** Everything on the page. */
export interface PublicThreadData {
  thread: PublicThread;
  messages: DrawnMessage[];
  page: number;
  hasNext: boolean;
}

/** @throws not-found; a redirect from an earlier address */
export async function loadPublicThread(input: LoaderInput): Promise<PublicThreadData> {
  const { workspace_slug = '', thread_id = '' } = input.params;
  const thread = await askPublic<PublicThread>(input, {
    path: `/v1/public/threads/slug/${encodeURIComponent(workspace_slug)}/${encodeURIComponent(thread_id)}`,
  });
  moveTo(input, pathTo('public_thread', { workspace_slug: thread.workspace.slug, thread_id: thread.id }));
  const page = pageNumber(input.request, PAGE_NUMBER_MAX);
  const [messages, { messageTree }] = await Promise.all([
    askPublic<PublicMessage[]>(input, {
      path: `/v1/public/messages/${thread.workspaceId}/${thread.id}?perPage=${PUBLIC_PAGE_MESSAGES}&page=${page}`,
    }),
    loadMarkdown(),
  ]);
  if (import.meta.env.SSR) refuseEmptyPart(input, page, messages.length);
  return {
    thread,
    messages: messages.map(({ content, ...message }) => ({ ...message, body: messageTree(content) })),
    page,
    hasNext: page * PUBLIC_PAGE_MESSAGES < thread.messageCount,
  };
}
