// Which texts may be the address of a workspace. Apart from the list of pages, because every page's script needs this and not that.
import { LIMITS, RESERVED_WORKSPACE_SLUGS } from './constants.ts';

/** Lower-case letters, digits and single hyphens, 2 to 48 characters, not a reserved first segment. */
export function isWorkspaceSlug(slug: string): boolean {
  const { slugMin, slugMax } = LIMITS;
  return (
    slug.length >= slugMin &&
    slug.length <= slugMax &&
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) &&
    !RESERVED_WORKSPACE_SLUGS.has(slug)
  );
}
