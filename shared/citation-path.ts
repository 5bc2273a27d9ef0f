// Where visitors read a memory of a public space, and so a source of a public thread. A space that publishes the texts of
// its notes has a page for each memory. Any other one is its list, in which one memory can be named: a long list has many
// pages, and which of them shows a memory changes with every new one.
import { pathTo } from './pages.ts';
import type { PublicSpace } from './spaces/public-space.ts';
import type { PublicCitation } from './threads/citation.ts';

interface PublicPlace {
  workspaceSlug: string;
  spaceSlug: string;
  memoryId: string;
  /** The space publishes texts. */
  hasPage: boolean;
}

/** Path of a memory's own page, or of its one place in the page of its space. */
export function publicMemoryPath({ workspaceSlug, spaceSlug, memoryId, hasPage }: PublicPlace): string {
  const place = { workspace_slug: workspaceSlug, space_slug: spaceSlug };
  if (hasPage) return pathTo('public_memory', { ...place, memory_id: memoryId });
  return `${pathTo('public_space', place)}?memory=${memoryId}#${memoryId}`;
}

export function publicSpacePath({ workspace, slug }: PublicSpace): string {
  return pathTo('public_space', { workspace_slug: workspace.slug, space_slug: slug });
}

/** Path of a memory's own page in a space that publishes texts. */
export function memoryPagePath({ workspace, slug }: PublicSpace, memoryId: string): string {
  return publicMemoryPath({ workspaceSlug: workspace.slug, spaceSlug: slug, memoryId, hasPage: true });
}

/** Path of a source that is not private, below the address of its workspace; null for a private one. */
export function publicCitationPath(
  workspaceSlug: string,
  { memoryId, spaceSlug, hasPage }: Pick<PublicCitation, 'memoryId' | 'spaceSlug' | 'hasPage'>,
): string | null {
  if (memoryId === null || spaceSlug === null) return null;
  return publicMemoryPath({ workspaceSlug, spaceSlug, memoryId, hasPage });
}
