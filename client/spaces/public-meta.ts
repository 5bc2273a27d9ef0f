// The document head of a public space.
import type { MetaInput, PageMeta } from '#client/public-page.tsx';
import type { PublicSpaceData } from '#client/spaces/public-data.ts';

const LONGEST_DESCRIPTION = 200;

/** Head of /{workspace}/spaces/p/{space}: searches, single memories and unlisted spaces are for people only. */
export function publicSpaceMeta({ data, pathname }: MetaInput<PublicSpaceData>): PageMeta {
  const { space, memories, page, query, isOne } = data;
  const { name, workspace, visibility } = space;
  const isPublic = visibility === 'public';
  const description =
    space.description?.slice(0, LONGEST_DESCRIPTION) || `${name}, collected by ${workspace.name}`;
  const feed = (format: string) => ({ href: `${pathname}/feed.${format}`, title: name });
  return {
    title: name,
    description,
    canonical: page > 1 ? `${pathname}?page=${page}` : pathname,
    image: `/og${pathname}.png`,
    embeddable: true,
    modified: space.updated,
    ...(isPublic && query === '' && !isOne ? {} : { noindex: true }),
    alternates: [
      { type: 'text/markdown', href: `${pathname}.md` },
      ...(isPublic
        ? [
            { type: 'application/atom+xml', ...feed('xml') },
            { type: 'application/feed+json', ...feed('json') },
          ]
        : []),
    ],
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
              itemListElement: memories.slice(0, 20).map(({ title, url }, index) => ({
                '@type': 'ListItem',
                position: index + 1,
                ...(title === null ? {} : { name: title }),
                ...(url === null ? {} : { url }),
              })),
            },
          },
        ]
      : [],
  };
}
