// The document head of a workspace's public page. Part of the first load, so it holds little.
import { pathTo } from '#shared/pages.ts';
import type { MetaArgs, PageMeta } from '#client/page-route.ts';
import type { PublicWorkspaceData } from '#client/workspaces/public-workspace-data.ts';

/** Head of /p/{workspace}. */
export function publicWorkspaceMeta({ data, pathname }: MetaArgs<PublicWorkspaceData>): PageMeta {
  const { name, description: words } = data.workspace;
  const description = words || `Public spaces and threads of ${name}`;
  return {
    title: name,
    description,
    canonical: data.page > 1 ? `${pathname}?page=${data.page}` : pathname,
    ...(import.meta.env.SSR
      ? { image: `/og${pathname}.png`, embeddable: true, type: 'profile' as const }
      : {}),
    alternates: [{ type: 'text/markdown', href: `${pathname}.md` }],
    jsonLd: import.meta.env.SSR
      ? [
          {
            '@type': 'CollectionPage',
            name,
            description,
            hasPart: data.spaces.map((space) => ({
              '@type': 'CollectionPage',
              name: space.name,
              url: pathTo('public_space', {
                workspace_slug: space.workspace.slug,
                space_slug: space.slug,
              }),
            })),
          },
        ]
      : [],
  };
}
