// The public spaces that the explore page lists, asked from the public API. The list is an extra:
// where it cannot be had (offline, an older server) the page says so and still opens.
import type { LoaderFunctionArgs } from 'react-router';
import type { ExploreData } from '#shared/site/content.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { askPublic } from '#client/public-api.ts';
import { loadExploreData } from '#client/site/content.ts';

/** What explore knows: the spaces, or that they could not be asked for. */
export interface ExploreSpaces {
  reachable: boolean;
  trending: PublicSpace[];
}

/** Everything the explore page shows. */
export async function loadExplore(
  args: LoaderFunctionArgs,
): Promise<ExploreData & { spaces: ExploreSpaces }> {
  const [page, spaces] = await Promise.all([loadExploreData(), loadExploreSpaces(args)]);
  return { ...page, spaces };
}

async function loadExploreSpaces(args: LoaderFunctionArgs): Promise<ExploreSpaces> {
  try {
    const trending = await askPublic<PublicSpace[]>(args, { path: '/v1/public/spaces/trending' });
    return { reachable: true, trending };
  } catch (error) {
    console.warn('Public spaces could not be asked for', error);
    return { reachable: false, trending: [] };
  }
}
