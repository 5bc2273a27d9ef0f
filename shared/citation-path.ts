// Where a memory of a public space is shown by itself, and so a source of a public thread: a long space has many pages, and
// which of them shows a memory changes with every new one.
import { pathTo } from './pages.ts';
import type { PublicCitation } from './threads/citation.ts';

/** Path of one memory in the public page of its space. */
export function publicMemoryPath(workspaceSlug: string, spaceSlug: string, memoryId: string): string {
  const page = pathTo('public_space', { workspace_slug: workspaceSlug, space_slug: spaceSlug });
  return `${page}?memory=${memoryId}#${memoryId}`;
}

/** Path of a source that is not private, below the address of its workspace; null for a private one. */
export function publicCitationPath(
  workspaceSlug: string,
  { memoryId, spaceSlug }: Pick<PublicCitation, 'memoryId' | 'spaceSlug'>,
): string | null {
  if (memoryId === null || spaceSlug === null) return null;
  return publicMemoryPath(workspaceSlug, spaceSlug, memoryId);
}
