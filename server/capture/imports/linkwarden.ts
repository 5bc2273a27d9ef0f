// Linkwarden: the JSON of its settings, with links in nested collections.
import { z } from 'zod';
import { itemPath, linkItem, timeOf, type ImportFormat } from './format.ts';
import { pathsOf, requireShape } from './nested-folders.ts';
import { jsonOf } from './upload.ts';

const link = z.object({
  name: z.string().nullish(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  tags: z.array(z.object({ name: z.string() })).nullish(),
  createdAt: z.string().nullish(),
  importDate: z.string().nullish(),
});
const collection = z.object({
  collections: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      parentId: z.number().nullish(),
      links: z.array(z.unknown()).nullish(),
    }),
  ),
});

/** The collection of links that are in no other. */
const UNORGANIZED = 'Unorganized';

function itemOf(value: unknown, folder: readonly string[]) {
  const given = link.parse(value);
  return linkItem(given.url ?? '', {
    keyed: folder,
    title: given.name?.trim() || null,
    description: given.description?.trim() || null,
    text: null,
    tags: (given.tags ?? []).map(({ name }) => name),
    folders: [folder],
    created: timeOf(given.importDate ?? given.createdAt),
  });
}

export const linkwarden: ImportFormat = {
  id: 'linkwarden',
  async sources(_upload, files) {
    const found = await Promise.all(
      files.map(async (file) => requireShape(collection, await jsonOf(file), file.path)),
    );
    return found.flatMap(({ collections }) => {
      const paths = pathsOf(collections);
      return collections.flatMap(({ id, name, links }) => {
        const folder = name === UNORGANIZED ? [] : (paths.get(id) ?? []);
        return (links ?? []).map((value, index) => {
          const given = link.safeParse(value).data;
          const shown = given?.name || given?.url || `Link ${index + 1}`;
          return { path: itemPath(...folder, shown), read: () => itemOf(value, folder) };
        });
      });
    });
  },
};
