// The document head of a workspace's public page.
import { pathTo } from '#shared/pages.ts';
import { sharedPageMeta, type MetaInput, type PageMeta } from '#client/public-page.tsx';
import type { PublicWorkspaceData } from '#client/workspaces/public-workspace-data.ts';

export function publicWorkspaceMeta({ data, pathname }: MetaInput<PublicWorkspaceData>): PageMeta {
  const { name, description: words } = data.workspace;
  const description = words || `Public spaces and threads of ${name}`;
  return {
    title: name,
    description,
    ...sharedPageMeta(pathname, data.page),
    type: 'profile',
    jsonLd: [
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
    ],
  };
}
