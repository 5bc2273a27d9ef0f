// Omnivore: a zip of metadata in JSON, with the highlights and the readable text of each article beside it.
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { itemPath, linkItem, timeOf, type ImportFormat } from './format.ts';
import { readablePage } from './readable-page.ts';
import { jsonOf, textOf, type Upload } from './upload.ts';

const METADATA = /(?:^|\/)metadata_\d+_to_\d+\.json$/;

/** The mark “⤴️” behind each highlight, which leads to its place at Omnivore. */
const PLACE =
  /[ \t]{0,9}\[\u{2934}\u{fe0f}?\]\(https?:\/\/(?:[\w-]+\.)*omnivore\.app(?:\/[^\s()]*)?\)[ \t]{0,9}$/gmu;

const label = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const article = z.object({
  slug: z.string().default(''),
  title: z.string().nullish(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  state: z.string().nullish(),
  labels: z.array(label).nullish(),
  savedAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
});
type Article = z.output<typeof article>;

/** The text of a file of the archive; null where there is none. */
async function partOf({ files }: Upload, ending: string): Promise<string | null> {
  const file = files.find(({ path }) => path === ending || path.endsWith(`/${ending}`));
  return file === undefined ? null : (await textOf(file)).text;
}

async function itemOf(upload: Upload, given: Article) {
  const highlights = await partOf(upload, `highlights/${given.slug}.md`);
  const html = await partOf(upload, `content/${given.slug}.html`);
  return linkItem(given.url ?? '', {
    keyed: [],
    title: given.title?.trim() || null,
    description: given.description?.trim() || null,
    text: highlights?.replaceAll(PLACE, '').trim() || null,
    tags: given.labels ?? [],
    folders: [],
    created: timeOf(given.savedAt),
    updated: timeOf(given.updatedAt),
    archived: /^archived$/i.test(given.state ?? ''),
    page: await readablePage(html),
  });
}

export const omnivore: ImportFormat = {
  id: 'omnivore',
  recognises: ({ files }) => files.some(({ path }) => METADATA.test(path)),
  async sources(upload, recognised) {
    const files = upload.isZip ? upload.files.filter(({ path }) => METADATA.test(path)) : recognised;
    const lists = await Promise.all(
      files.map(async (file) => {
        const list = await jsonOf(file);
        if (!Array.isArray(list))
          throw new AppError('invalid', `file: ${file.path} holds no list of articles`);
        return list as unknown[];
      }),
    );
    return lists.flat().flatMap((value, index) => {
      const parsed = article.safeParse(value);
      const name = parsed.data?.title ?? parsed.data?.url ?? `Article ${index + 1}`;
      if (/^deleted$/i.test(parsed.data?.state ?? '')) return [];
      return [{ path: itemPath(name), read: () => itemOf(upload, article.parse(value)) }];
    });
  },
};
