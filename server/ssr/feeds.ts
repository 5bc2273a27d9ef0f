// Files about the site for machines: feeds of the blog, sitemap, robots, llms.txt, and documents as Markdown. Pure text from
// content and the pages table; independent of requests.
import { Feed } from 'feed';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { PAGES, type PageRow } from '#shared/pages.ts';
import type { SourceDocument } from '#shared/site/content.ts';
import type { ContentStore } from './content-store.ts';

const BLOG_DESCRIPTION = `How ${PRODUCT_NAME} is built, with the measurements behind it.`;
const LONG_SECONDS = 'T00:00:00Z';

function day(date: string): Date {
  return new Date(date + LONG_SECONDS);
}

function posts(content: ContentStore): SourceDocument[] {
  return content
    .all()
    .filter(({ kind }) => kind === 'post')
    .sort((a, b) => (b.date ?? '').localeCompare(a.date ?? ''));
}

/** The blog as a feed; the caller picks the format. */
export function blogFeed(content: ContentStore, origin: string): Feed {
  const items = posts(content);
  const newest = items
    .map(({ updated }) => updated)
    .sort()
    .at(-1);
  const feed = new Feed({
    id: `${origin}/blog`,
    link: `${origin}/blog`,
    title: `${PRODUCT_NAME} blog`,
    description: BLOG_DESCRIPTION,
    language: 'en',
    favicon: `${origin}/favicon.ico`,
    generator: PRODUCT_NAME,
    feedLinks: { atom: `${origin}/feed.xml`, json: `${origin}/feed.json` },
    ...(newest ? { updated: day(newest) } : {}),
  });
  for (const post of items) {
    feed.addItem({
      id: origin + post.path,
      link: origin + post.path,
      title: post.title,
      description: post.description,
      content: absoluteLinks(post.html ?? '', origin),
      date: day(post.updated),
      published: day(post.date ?? post.updated),
      author: post.authors.map(({ name }) => ({ name })),
    });
  }
  return feed;
}

/** Feed readers have no base address. */
function absoluteLinks(html: string, origin: string): string {
  return html.replace(/(href|src)="\/(?!\/)/g, `$1="${origin}/`);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export interface SitemapEntry {
  path: string;
  /** Day or moment of the last change, if known. */
  updated?: string;
}

/** Every address of the site that search engines may list: fixed pages, documents, and the public pages from the database. */
export function sitemap(content: ContentStore, origin: string, shared: SitemapEntry[]): string {
  const rows: PageRow[] = Object.values(PAGES);
  const fixed = rows.filter(({ indexable }) => indexable).map(({ path }): SitemapEntry => ({ path }));
  const documents = content
    .all()
    .filter(({ kind, listed }) => kind !== 'page' && listed)
    .map(({ path, updated }): SitemapEntry => ({ path, updated }));
  const known = new Map([...fixed, ...documents, ...shared].map((entry) => [entry.path, entry]));
  const urls = [...known.values()].map(
    ({ path, updated }) =>
      `<url><loc>${escapeXml(origin + path)}</loc>${updated ? `<lastmod>${escapeXml(updated)}</lastmod>` : ''}</url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

/** Crawlers may read what visitors may read; the API and one-time addresses are excluded. */
export function robots(origin: string): string {
  const closed = ['/v1/', '/auth/', '/oauth/', '/onboarding', '/imp', '/_share'];
  return [
    'User-agent: *',
    'Allow: /',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
}

/** One line of a list of documents, leading to the Markdown form. */
const lineFor =
  (origin: string) =>
  ({ title, path, description }: SourceDocument): string =>
    `- [${title}](${origin}${path === '/' ? '/index' : path}.md): ${description}`;

/** The posts as a list, newest first. */
export function postLines(content: ContentStore, origin: string): string[] {
  return posts(content).map(lineFor(origin));
}

/** The site in one text for language models (llmstxt.org). */
export function llmsText(content: ContentStore, origin: string): string {
  const line = lineFor(origin);
  const docs = content.all().filter(({ kind, listed }) => kind === 'doc' && listed);
  const home = content.find('/');
  return [
    `# ${PRODUCT_NAME}`,
    '',
    `> ${home?.description ?? PRODUCT_NAME}`,
    '',
    'Every page of the documentation and every post has a Markdown form: add `.md` to its address.',
    `The REST API is described in OpenAPI 3.1 at ${origin}/v1/openapi.json.`,
    '',
    '## Documentation',
    '',
    ...docs.map(line),
    '',
    '## Blog',
    '',
    ...postLines(content, origin),
    '',
    '## Pages',
    '',
    ...content
      .all()
      .filter(({ kind }) => kind === 'page')
      .map(line),
    '',
  ].join('\n');
}

/** A document as Markdown with its title, for people and programs that prefer text. */
export function markdownOf({ title, description, markdown }: SourceDocument): string {
  return `# ${title}\n\n> ${description}\n\n${markdown.trim()}\n`;
}
