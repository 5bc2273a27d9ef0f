// wallabag: the JSON of its articles, with the text of each page, its tags and annotations.
import { z } from 'zod';
import { itemPath, linkItem, timeOf, type ImportFormat, type ImportItem } from './format.ts';
import { readablePage } from './readable-page.ts';
import { jsonOf } from './upload.ts';

/** The API of wallabag has tags as objects; exports of old versions have empty ones. */
const tag = z.union([
  z.string(),
  z.looseObject({ label: z.string().nullish() }).transform(({ label }) => label ?? ''),
]);
const flag = z.union([z.boolean(), z.number(), z.string().transform(Number)]).transform(Boolean);
const annotation = z.object({ quote: z.string().nullish(), text: z.string().nullish() });
const article = z.object({
  title: z.string().nullish(),
  url: z.string().nullish(),
  given_url: z.string().nullish(),
  content: z.string().nullish(),
  mimetype: z.string().nullish(),
  is_not_parsed: flag.nullish(),
  is_archived: flag.nullish(),
  is_starred: flag.nullish(),
  tags: z.array(tag).nullish(),
  annotations: z.array(z.unknown()).nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  deleted_at: z.string().nullish(),
});
type Article = z.output<typeof article>;

/** In place of a text that wallabag could not get. */
const NO_CONTENT = /wallabag can['’]t retrieve contents/i;

/** Null where the page has to be fetched. */
function htmlOf({ content, mimetype, is_not_parsed: isNotParsed }: Article): string | null {
  if (!content || isNotParsed === true || NO_CONTENT.test(content)) return null;
  if (mimetype && !/html/i.test(mimetype)) return null;
  return content;
}

async function itemOf(given: Article): Promise<ImportItem> {
  const url = given.url ?? given.given_url ?? '';
  const highlights = (given.annotations ?? []).flatMap((value) => {
    const { quote, text } = annotation.safeParse(value).data ?? {};
    return [{ text: quote ?? '', note: text ?? null }];
  });
  return linkItem(url, {
    keyed: [],
    title: given.title?.trim() || null,
    text: null,
    highlights,
    tags: [...(given.tags ?? []), ...(given.is_starred === true ? ['starred'] : [])],
    folders: [],
    created: timeOf(given.created_at),
    updated: timeOf(given.updated_at),
    archived: given.is_archived ?? false,
    page: await readablePage(htmlOf(given)),
  });
}

export const wallabag: ImportFormat = {
  id: 'wallabag',
  async sources(_upload, files) {
    const lists = await Promise.all(
      files.map(async (file): Promise<unknown[]> => {
        const value = await jsonOf(file);
        return Array.isArray(value) ? value : [value];
      }),
    );
    return lists.flat().flatMap((value, index) => {
      const { data } = article.safeParse(value);
      if (data?.deleted_at) return [];
      const name = data?.title || data?.url || `Article ${index + 1}`;
      return [{ path: itemPath(name), read: () => itemOf(article.parse(value)) }];
    });
  },
};
