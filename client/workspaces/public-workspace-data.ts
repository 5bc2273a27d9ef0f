// Data of the public page of a workspace: its public spaces and threads, from the public API.
import { PAGE_NUMBER_MAX } from '#shared/constants.ts';
import { pathTo } from '#shared/pages.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import type { PublicThread } from '#shared/threads/public-thread.ts';
import type { PublicWorkspace } from '#shared/workspaces/public-workspace.ts';
import { askPublic, moveTo, pageNumber, refuseEmptyPart } from '#client/public-api.ts';
import type { PageRequest } from '#client/public-page.tsx';

const PER_PAGE = 30;

export interface PublicWorkspaceData {
  workspace: PublicWorkspace;
  spaces: PublicSpace[];
  threads: PublicThread[];
  page: number;
  hasNext: boolean;
}

/** @throws not-found; a redirect from an earlier address */
export async function loadPublicWorkspace(input: PageRequest): Promise<PublicWorkspaceData> {
  const slug = encodeURIComponent(input.params['workspace_slug'] ?? '');
  const workspace = await askPublic<PublicWorkspace>(input, { path: `/v1/public/workspaces/slug/${slug}` });
  moveTo(input, pathTo('public_workspace', { workspace_slug: workspace.slug }));
  const page = pageNumber(input, PAGE_NUMBER_MAX);
  const list = `${workspace.id}?orderBy=updated&order=desc&perPage=${PER_PAGE}&page=${page}`;
  const [spaces, threads] = await Promise.all([
    askPublic<PublicSpace[]>(input, { path: `/v1/public/spaces/${list}` }),
    askPublic<PublicThread[]>(input, { path: `/v1/public/threads/${list}` }),
  ]);
  refuseEmptyPart(input, page, spaces.length + threads.length);
  const most = Math.max(workspace.spaceCount, workspace.threadCount);
  return { workspace, spaces, threads, page, hasNext: page * PER_PAGE < most };
}
