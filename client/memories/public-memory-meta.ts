// The document head of a memory's public page.
import { publicMemoryPath } from '#shared/citation-path.ts';
import { pathTo } from '#shared/pages.ts';
import { sharedPageMeta, type MetaInput, type PageMeta } from '#client/public-page.tsx';
import type { PublicMemoryData } from '#client/memories/public-memory-data.ts';

const LONGEST_DESCRIPTION = 200;

/**
 * Head of /{workspace}/spaces/p/{space}/{memory}. A memory has a page in each space that shows it; search engines count
 * the one of its canonical space.
 */
export function publicMemoryMeta({ data, pathname }: MetaInput<PublicMemoryData>): PageMeta {
  const { space, memory, name } = data;
  const isPublic = space.visibility === 'public';
  const canonical =
    isPublic && memory.canonicalSpace !== null ? canonicalPath(data, memory.canonicalSpace) : pathname;
  const words = memory.description || memory.summary || memory.excerpt;
  const description =
    words.replaceAll(/\s+/g, ' ').slice(0, LONGEST_DESCRIPTION) ||
    `In ${space.name}, collected by ${space.workspace.name}`;
  return {
    title: name,
    description,
    ...sharedPageMeta(pathname, 1),
    canonical,
    type: 'article',
    published: memory.created,
    modified: memory.updated,
    ...(isPublic ? {} : { noindex: true }),
    jsonLd: isPublic ? [article(data, { canonical, description })] : [],
  };
}

function canonicalPath({ space, memory }: PublicMemoryData, spaceSlug: string): string {
  return publicMemoryPath({
    workspaceSlug: space.workspace.slug,
    spaceSlug,
    memoryId: memory.id,
    hasPage: true,
  });
}

/** Structured data for crawlers. */
function article(
  { space, memory, name }: PublicMemoryData,
  { canonical, description }: { canonical: string; description: string },
): Record<string, unknown> {
  const publisher = { '@type': 'Organization', name: space.workspace.name };
  return {
    '@type': 'Article',
    headline: name,
    description,
    mainEntityOfPage: canonical,
    datePublished: memory.created,
    dateModified: memory.updated,
    author: space.author === null ? publisher : { '@type': 'Person', name: space.author },
    publisher,
    isPartOf: {
      '@type': 'CollectionPage',
      name: space.name,
      url: pathTo('public_space', { workspace_slug: space.workspace.slug, space_slug: space.slug }),
    },
    ...(memory.tags.length > 0 ? { keywords: memory.tags } : {}),
    ...(memory.url === null ? {} : { isBasedOn: memory.url }),
  };
}
