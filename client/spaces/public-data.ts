// Data of the public page of a space, from the public API. Loaded with the first visit, not with the site.
import { memoryPagePath, publicSpacePath } from '#shared/citation-path.ts';
import { PAGE_NUMBER_MAX } from '#shared/constants.ts';
import { PUBLIC } from '#shared/spaces/limits.ts';
import type { PublicMemory } from '#shared/memories/public-memory.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { askPublic, findPublic, moveTo, pageNumber, refuseEmptyPart } from '#client/public-api.ts';
import { PageMove, type PageRequest } from '#client/public-page.tsx';

/** Memories per page: enough to browse, few enough to arrive at once. */
const PER_PAGE = 40;

/** Everything on the page. */
export interface PublicSpaceData {
  space: PublicSpace;
  memories: PublicMemory[];
  /** Words searched for, empty without a search. */
  query: string;
  page: number;
  hasNext: boolean;
  /** The address names one memory, which is all that is shown. */
  isOne: boolean;
}

function searched({ url }: PageRequest): string {
  const words = (url.searchParams.get('q') ?? '').trim().slice(0, PUBLIC.queryMax);
  return words.length >= PUBLIC.queryMin ? words : '';
}

/** The memory that the address names; undefined when the space does not show it, or not any more. */
async function named(input: PageRequest, space: PublicSpace): Promise<PublicMemory | undefined> {
  const id = input.url.searchParams.get('memory');
  if (id === null || id === '') return undefined;
  const path = `/v1/public/memories/${space.workspaceId}/${space.id}/${encodeURIComponent(id)}`;
  return findPublic<PublicMemory>(input, { path });
}

/** @throws not-found; a redirect from an earlier address, and to the page of the one memory that is named */
export async function loadPublicSpace(input: PageRequest): Promise<PublicSpaceData> {
  const { workspace_slug = '', space_slug = '' } = input.params;
  const space = await askPublic<PublicSpace>(input, {
    path: `/v1/public/spaces/slug/${encodeURIComponent(workspace_slug)}/${encodeURIComponent(space_slug)}`,
  });
  moveTo(input, publicSpacePath(space));
  const query = searched(input);
  const one = query === '' ? await named(input, space) : undefined;
  if (one && space.publishText) throw new PageMove(memoryPagePath(space, one.id));
  if (one) return { space, memories: [one], query, page: 1, hasNext: false, isOne: true };
  const page = pageNumber(input, PAGE_NUMBER_MAX);
  const { workspaceId, id: spaceId } = space;
  const list = `/v1/public/memories/${workspaceId}/${spaceId}?orderBy=created&order=desc&perPage=${PER_PAGE}&page=${page}`;
  const memories = await askPublic<PublicMemory[]>(
    input,
    query === ''
      ? { path: list }
      : {
          method: 'POST',
          path: '/v1/public/memories/search',
          body: { workspaceId, spaceId, query, page, perPage: PER_PAGE },
        },
  );
  if (query === '') refuseEmptyPart(input, page, memories.length);
  const hasNext = query === '' ? page * PER_PAGE < space.memoryCount : memories.length === PER_PAGE;
  return { space, memories, query, page, hasNext, isOne: false };
}
