// Where members open a source. Separate from the public path, so that public pages do not load it.
import { pathTo } from './pages.ts';

/** Path of a source for members: its viewer, over the first page of the workspace. */
export function memberCitationPath(workspaceSlug: string, memoryId: string): string {
  return `${pathTo('workspace_home', { workspace_slug: workspaceSlug })}?memory=${memoryId}`;
}
