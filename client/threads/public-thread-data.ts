// The data of a thread's public page from the public API, with its messages already parsed into trees.
import { PAGE_NUMBER_MAX } from '#shared/constants.ts';
import { PUBLIC_PAGE_MESSAGES } from '#shared/threads/limits.ts';
import { pathTo } from '#shared/pages.ts';
import { MARKDOWN } from '#shared/markdown/limits.ts';
import { countElements } from '#shared/markdown/count-elements.ts';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import type { PublicMessage, PublicThread } from '#shared/threads/public-thread.ts';
import { askPublic, moveTo, pageNumber, refuseEmptyPart } from '#client/public-api.ts';
import type { PageRequest } from '#client/public-page.tsx';

export type DrawnMessage = Omit<PublicMessage, 'content'> & { body: BodyNode[] };

export interface PublicThreadData {
  thread: PublicThread;
  messages: DrawnMessage[];
  page: number;
  hasNext: boolean;
}

/** @throws not-found; a redirect from an earlier address */
export async function loadPublicThread(input: PageRequest): Promise<PublicThreadData> {
  const { workspace_slug = '', thread_id = '' } = input.params;
  const thread = await askPublic<PublicThread>(input, {
    path: `/v1/public/threads/slug/${encodeURIComponent(workspace_slug)}/${encodeURIComponent(thread_id)}`,
  });
  moveTo(input, pathTo('public_thread', { workspace_slug: thread.workspace.slug, thread_id: thread.id }));
  const page = pageNumber(input, PAGE_NUMBER_MAX);
  const messages = await askPublic<PublicMessage[]>(input, {
    path: `/v1/public/messages/${thread.workspaceId}/${thread.id}?perPage=${PUBLIC_PAGE_MESSAGES}&page=${page}`,
  });
  refuseEmptyPart(input, page, messages.length);
  return {
    thread,
    messages: await drawn(input, messages),
    page,
    hasNext: page * PUBLIC_PAGE_MESSAGES < thread.messageCount,
  };
}

/** Messages with their trees; once a page has as many elements as it may, the texts behind stay as they are. */
async function drawn({ markdown }: PageRequest, messages: readonly PublicMessage[]): Promise<DrawnMessage[]> {
  const trees = await markdown.trees(messages.map(({ content }) => content));
  let elements = 0;
  return messages.map(({ content, ...message }, index) => {
    const tree = trees[index] ?? null;
    const count = tree === null ? 0 : countElements(tree);
    if (tree === null || elements + count > MARKDOWN.maxPageElements)
      return { ...message, body: [['p', { plain: '' }, content]] };
    elements += count;
    return { ...message, body: tree };
  });
}
