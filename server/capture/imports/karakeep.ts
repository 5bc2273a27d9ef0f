// Karakeep: the JSON of its settings, with bookmarks and the lists they are in.
import { z } from 'zod';
import { addressOf } from '#shared/hash.ts';
import { itemKey, itemPath, linkItem, timeOf, type ImportFormat, type ImportItem } from './format.ts';
import { pathsOf, requireShape } from './nested-folders.ts';
import { jsonOf } from './upload.ts';

const bookmark = z.object({
  createdAt: z.number().nullish(),
  title: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  lists: z.array(z.string()).nullish(),
  content: z
    .union([
      z.object({ type: z.literal('link'), url: z.string() }),
      z.object({ type: z.literal('text'), text: z.string() }),
    ])
    .nullish(),
  note: z.string().nullish(),
  archived: z.boolean().nullish(),
});
const collection = z.object({
  bookmarks: z.array(z.unknown()),
  lists: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        parentId: z.string().nullish(),
        type: z.string().nullish(),
      }),
    )
    .nullish(),
});

function itemOf(value: unknown, paths: ReadonlyMap<string, readonly string[]>): ImportItem {
  const given = bookmark.parse(value);
  const { content } = given;
  const rest = {
    title: given.title?.trim() || null,
    tags: given.tags ?? [],
    folders: (given.lists ?? []).flatMap((id) => [paths.get(id) ?? []].filter((path) => path.length > 0)),
    created: timeOf(given.createdAt),
    archived: given.archived ?? false,
  };
  const note = given.note?.trim() || null;
  if (content?.type === 'text') {
    const text = [content.text, note].filter((part) => part !== null).join('\n\n');
    // Texts have no id in the export.
    return { ...rest, key: itemKey('text', rest.created ?? '', addressOf(text).hash), url: null, text };
  }
  return linkItem(content?.url ?? '', { ...rest, text: note, keyed: [] });
}

export const karakeep: ImportFormat = {
  id: 'karakeep',
  async sources(_upload, files) {
    const found = await Promise.all(
      files.map(async (file) => requireShape(collection, await jsonOf(file), file.path)),
    );
    return found.flatMap(({ bookmarks, lists }) => {
      // Smart lists are searches; their content was not filed by hand.
      const paths = pathsOf((lists ?? []).filter(({ type }) => type !== 'smart'));
      return bookmarks.map((value, index) => {
        const { title, content } = bookmark.safeParse(value).data ?? {};
        const name = title || (content?.type === 'link' ? content.url : `Bookmark ${index + 1}`);
        return { path: itemPath(name), read: () => itemOf(value, paths) };
      });
    });
  },
};
