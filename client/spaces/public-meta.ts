// The document head of a public space.
import { publicMemoryPath } from '#shared/citation-path.ts';
import type { PublicMemory } from '#shared/memories/public-memory.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { sharedPageMeta, type MetaInput, type PageMeta } from '#client/public-page.tsx';
import type { PublicSpaceData } from '#client/spaces/public-data.ts';

const LONGEST_DESCRIPTION = 200;

/** The memory's own page, otherwise what a link saves. */
function itemAddress(
  { workspace, slug, publishText }: PublicSpace,
  { id, url }: PublicMemory,
): { url?: string } {
  if (publishText)
    return {
      url: publicMemoryPath({ workspaceSlug: workspace.slug, spaceSlug: slug, memoryId: id, hasPage: true }),
    };
  return url === null ? {} : { url };
}

/** Head of /{workspace}/spaces/p/{space}: searches, single memories and unlisted spaces are for people only. */
export function publicSpaceMeta({ data, pathname }: MetaInput<PublicSpaceData>): PageMeta {
  const { space, memories, page, query, isOne } = data;
  const { name, workspace, visibility } = space;
  const isPublic = visibility === 'public';
  const description =
    space.description?.slice(0, LONGEST_DESCRIPTION) || `${name}, collected by ${workspace.name}`;
  return {
    title: name,
    description,
    ...sharedPageMeta(pathname, page, isPublic ? name : undefined),
    modified: space.updated,
    ...(isPublic && query === '' && !isOne ? {} : { noindex: true }),
    jsonLd: isPublic
      ? [
          {
            '@type': 'CollectionPage',
            name,
            description,
            dateCreated: space.created,
            dateModified: space.updated,
            publisher: { '@type': 'Organization', name: workspace.name },
            ...(space.author === null ? {} : { author: { '@type': 'Person', name: space.author } }),
            mainEntity: {
              '@type': 'ItemList',
              numberOfItems: space.memoryCount,
              itemListElement: memories.slice(0, 20).map((memory, index) => ({
                '@type': 'ListItem',
                position: index + 1,
                ...(memory.title === null ? {} : { name: memory.title }),
                ...itemAddress(space, memory),
              })),
            },
          },
        ]
      : [],
  };
}
