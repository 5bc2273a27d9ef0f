/** Name → page for everything that the server renders. A page of the site is one more line here. */
import type { PublicPageName } from '#shared/pages.ts';
import { publicPage, type PublicPage } from '#client/public-page.tsx';
import { loadPublicMemory } from '#client/memories/public-memory-data.ts';
import { publicMemoryMeta } from '#client/memories/public-memory-meta.ts';
import { PublicMemoryPage } from '#client/memories/public-memory-page.tsx';
import * as site from '#client/site/site-pages.ts';
import { loadPublicSpace } from '#client/spaces/public-data.ts';
import { publicSpaceMeta } from '#client/spaces/public-meta.ts';
import { PublicSpacePage } from '#client/spaces/public-space-page.tsx';
import { loadPublicThread } from '#client/threads/public-thread-data.ts';
import { publicThreadMeta } from '#client/threads/public-thread-meta.ts';
import { PublicThreadPage } from '#client/threads/public-thread-page.tsx';
import { loadPublicWorkspace } from '#client/workspaces/public-workspace-data.ts';
import { publicWorkspaceMeta } from '#client/workspaces/public-workspace-meta.ts';
import { PublicWorkspacePage } from '#client/workspaces/public-workspace-page.tsx';

export const publicPages: Record<PublicPageName, PublicPage> = {
  home: site.homePage,
  explore: site.explorePage,
  pricing: site.pricingPage,
  request_access: site.requestAccessPage,
  offline: site.offlinePage,
  blog: site.blogPage,
  blog_post: site.blogPostPage,
  docs: site.docsPage,
  docs_page: site.docsPage,
  public_workspace: publicPage({
    Component: PublicWorkspacePage,
    loader: loadPublicWorkspace,
    meta: publicWorkspaceMeta,
  }),
  public_space: publicPage({
    Component: PublicSpacePage,
    loader: loadPublicSpace,
    meta: publicSpaceMeta,
  }),
  public_memory: publicPage({
    Component: PublicMemoryPage,
    loader: loadPublicMemory,
    meta: publicMemoryMeta,
  }),
  public_thread: publicPage({
    Component: PublicThreadPage,
    loader: loadPublicThread,
    meta: publicThreadMeta,
  }),
};

const names: ReadonlySet<string> = new Set(Object.keys(publicPages));

/** Whether the server renders the page. */
export function isPublicPage(name: string): name is PublicPageName {
  return names.has(name);
}
