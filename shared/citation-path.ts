// Where a source of a public thread is shown: in its space, at its own place.
import { pathTo } from './pages.ts';
import type { PublicCitation } from './threads/citation.ts';

/** Path of a source that is not private, below the address of its workspace; null for a private one. */
export function publicCitationPath(
  workspaceSlug: string,
  { memoryId, spaceSlug }: Pick<PublicCitation, 'memoryId' | 'spaceSlug'>,
): string | null {
  if (memoryId === null || spaceSlug === null) return null;
  const page = pathTo('public_space', { workspace_slug: workspaceSlug, space_slug: spaceSlug });
  return `${page}#${memoryId}`;
}
