// The public spaces that the explore page lists, requested from the public API: trending, newest, or search results; the
// address says which, so that each works as a plain link. The list is optional: if it cannot be loaded (a busy database), the
// page says so and still opens.
import { PAGE_NUMBER_MAX } from '#shared/constants.ts';
import { PUBLIC } from '#shared/spaces/limits.ts';
import type { ExploreData } from '#shared/site/content.ts';
import { WITHOUT_LIST } from '#shared/site/explore-address.ts';
import type { PublicSpace, TrendingSpace } from '#shared/spaces/public-space.ts';
import { askPublic, pageNumber, refuseEmptyPart } from '#client/public-api.ts';
import type { PageRequest } from '#client/public-page.tsx';
import { loadExploreData } from '#client/site/content.ts';

const PER_PAGE = 24;

/** The list that the address selects. */
export type ExploreList = 'trending' | 'newest' | 'found';

/** Spaces of the page, or that they could not be loaded. */
export interface ExploreSpaces {
  reachable: boolean;
  list: ExploreList;
  query: string;
  page: number;
  hasNext: boolean;
  spaces: PublicSpace[];
  /** There are no trending spaces, and the newest are listed instead. */
  isStandIn: boolean;
}

/** Everything the explore page shows. */
export async function loadExplore(args: PageRequest): Promise<ExploreData & { found: ExploreSpaces }> {
  const [page, found] = await Promise.all([loadExploreData(), loadExploreSpaces(args)]);
  // The trending list has one part only.
  const shown = found.list === 'trending' ? 0 : found.spaces.length;
  if (found.reachable) refuseEmptyPart(args, pageNumber(args, PAGE_NUMBER_MAX), shown);
  return { ...page, found };
}

async function loadExploreSpaces(args: PageRequest): Promise<ExploreSpaces> {
  const { searchParams } = args.url;
  const query = (searchParams.get('q') ?? '').trim().slice(0, PUBLIC.queryMax);
  const isSearch = query.length >= PUBLIC.queryMin;
  const list = isSearch ? 'found' : searchParams.get('order') === 'newest' ? 'newest' : 'trending';
  const page = list === 'trending' ? 1 : pageNumber(args, PAGE_NUMBER_MAX);
  const asked = { list, page, query: isSearch ? query : '' } as const;
  const unknown = { reachable: false, ...asked, hasNext: false, spaces: [], isStandIn: false };
  if (searchParams.has(WITHOUT_LIST)) return unknown;
  try {
    const spaces = await askPublic<(PublicSpace & Partial<TrendingSpace>)[]>(args, callFor(asked));
    const isStandIn = list === 'trending' && !spaces.some(({ trending }) => trending);
    const hasNext = list !== 'trending' && spaces.length === PER_PAGE;
    return { reachable: true, ...asked, hasNext, spaces, isStandIn };
  } catch (error) {
    // A rate-limited search shows how long to wait, as on every page.
    if (error instanceof Response && error.status === 429) throw error;
    console.warn('Public spaces could not be asked for', error);
    return unknown;
  }
}

function callFor({ list, page, query }: { list: ExploreList; page: number; query: string }) {
  if (list === 'trending') return { path: '/v1/public/spaces/trending' };
  if (list === 'newest') {
    return {
      path: `/v1/public/spaces/newest?orderBy=created&order=desc&perPage=${PER_PAGE}&page=${page}`,
    };
  }
  const body = { query, page, perPage: PER_PAGE };
  return { method: 'POST' as const, path: '/v1/public/spaces/search', body };
}
