// Content at build time: reads content/, checks it against shared/site/content.ts, renders Markdown, and writes
// small JSON files below .content-collections/site for the browser bundle and the server. A broken file fails the build.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defineCollection, defineConfig, defineSingleton } from '@content-collections/core';
import MiniSearch from 'minisearch';
import { z } from 'zod';
import {
  blogData,
  type ContentDocument,
  type DocPage,
  docFrontMatter,
  exploreData,
  indexData,
  type NavigationGroup,
  type PageLink,
  type PostPage,
  postFrontMatter,
  pricingData,
  type SearchSection,
  type SourceDocument,
} from '#shared/site/content.ts';
import { DOCS_SEARCH } from '#shared/site/docs-search.ts';
import { apiReference, withCallIds } from './build/api-reference.ts';
import { renderMarkdown, toHtml } from './build/markdown.ts';
import { withSamples } from './build/code-samples.ts';
import { pageMarkdown } from './build/page-markdown.ts';

const contentDir = '../content';
const outDir = join(process.cwd(), 'client/.content-collections/site');
// Documents that were removed must not stay in the build.
await rm(outDir, { recursive: true, force: true });

const WORDS_PER_MINUTE = 220;
/** Day of the last change to the introduction of the generated reference. */
const REFERENCE_DAY = '2026-11-28';

/** One document after rendering, with everything that any output needs. */
interface Rendered {
  document: ContentDocument;
  sections: SearchSection[];
  markdown: string;
  frontMatter: z.infer<typeof docFrontMatter> | z.infer<typeof postFrontMatter>;
  minutes: number;
}

async function write(file: string, value: unknown): Promise<void> {
  const path = join(outDir, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

interface SourceFile {
  content: string;
  _meta: { path: string; extension: string };
}

/** `docs/spaces/index` is served at /docs/spaces. */
function sitePath(base: string, path: string): string {
  const name = path.replaceAll('\\', '/').replace(/(^|\/)index$/, '');
  return name === '' ? base : `${base}/${name}`;
}

/** The collections only hold plain records, so a rendered document is passed as text between transform and output. */
async function render(
  file: Rendered['frontMatter'] & SourceFile,
  place: { base: string; collection: string; isCodeSearched?: boolean },
) {
  const { content, _meta, ...frontMatter } = file;
  const { body, headings, sections, words } = renderMarkdown(content, place);
  const path = sitePath(place.base, _meta.path);
  const stem = `${place.collection}/${_meta.path}`;
  const document: ContentDocument = {
    id: `${stem}.${_meta.extension}`,
    title: frontMatter.title,
    description: frontMatter.description,
    extension: _meta.extension,
    path,
    stem,
    seo: frontMatter.seo ?? {},
    meta: frontMatter.meta ?? {},
    updated: frontMatter.updated ?? ('date' in frontMatter ? frontMatter.date : ''),
    headings,
    body,
  };
  const found = sections.map(({ id, title, text }) => ({
    id: `${path}#${id}`,
    path: id ? `${path}#${id}` : path,
    title: frontMatter.title,
    section: title,
    text: id ? text : `${frontMatter.description} ${text}`,
  }));
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  const item: Rendered = { document, sections: found, markdown: content, frontMatter, minutes };
  return { json: JSON.stringify(item) };
}

function parse(documents: { json: string }[]): Rendered[] {
  return documents.map(({ json }) => JSON.parse(json));
}

const rendered = new Map<string, Rendered[]>();
const sitePages = new Map<string, SourceDocument>();

/** Search and the server's list span the collections, so they are written again whenever one of them changed. */
async function writeShared(collection: string, documents: Rendered[]): Promise<void> {
  rendered.set(collection, documents);
  const all = [...rendered.values()].flat();
  const index = new MiniSearch<SearchSection>({
    ...DOCS_SEARCH,
    fields: [...DOCS_SEARCH.fields],
    storeFields: [...DOCS_SEARCH.storeFields],
  });
  index.addAll(all.filter(isListed).flatMap(({ sections }) => sections));
  await write('search.json', index);
  await writeSources();
}

async function writeSources(): Promise<void> {
  const documents = [...rendered.values()].flat().map(sourceOf);
  await write('sources.json', [...sitePages.values(), ...documents]);
}

function isListed({ frontMatter }: Rendered): boolean {
  return !('navigation' in frontMatter) || frontMatter.navigation !== false;
}

function sourceOf(item: Rendered): SourceDocument {
  const { document, frontMatter, markdown } = item;
  const isPost = 'date' in frontMatter;
  return {
    kind: isPost ? 'post' : 'doc',
    path: document.path,
    title: document.title,
    description: document.description,
    updated: document.updated,
    date: isPost ? frontMatter.date : null,
    authors: isPost ? frontMatter.authors : [],
    listed: isListed(item),
    markdown,
    html: isPost ? toHtml(document.body) : null,
  };
}

interface Placed {
  group: string;
  order: number;
  link: PageLink;
}

function placeOf({ document, frontMatter }: Rendered): Placed[] {
  if (!('navigation' in frontMatter) || frontMatter.navigation === false) return [];
  const { group, order, title } = frontMatter.navigation;
  return [{ group, order, link: { title: title ?? document.title, path: document.path } }];
}

/** The pages of the documentation that are generated. */
function renderReference(): Promise<{ json: string }[]> {
  const pages = apiReference().map(({ path, title, label, description, content }, index) =>
    render(
      {
        title,
        description,
        content,
        navigation: { group: 'API reference', order: 300 + index, title: label },
        updated: REFERENCE_DAY,
        _meta: { path, extension: 'md' },
      },
      // The samples repeat in code what the text says.
      { base: '/docs', collection: 'docs', isCodeSearched: false },
    ),
  );
  return Promise.all(pages);
}

async function writeDocs(written: Rendered[]): Promise<void> {
  const reference = parse(await renderReference());
  for (const { document } of reference) document.body = withCallIds(document.body);
  // The list of all calls repeats the other pages; cut to its first part, so that search finds each call once.
  for (const list of reference.slice(0, 1)) list.sections = list.sections.slice(0, 1);
  const documents = [...written, ...reference];
  for (const { document } of documents) document.body = withSamples(document.body);
  const placed = documents.flatMap(placeOf).sort((a, b) => a.order - b.order);
  const groups: NavigationGroup[] = [];
  for (const { group, link } of placed) {
    const known = groups.find(({ title }) => title === group);
    if (known) known.pages.push(link);
    else groups.push({ title: group, pages: [link] });
  }
  const order = groups.flatMap(({ pages }) => pages);
  for (const { document } of documents) {
    const at = order.findIndex(({ path }) => path === document.path);
    const page: DocPage = {
      ...document,
      group: groups.find(({ pages }) => pages.some(({ path }) => path === document.path))?.title ?? null,
      previous: (at > 0 && order[at - 1]) || null,
      next: (at >= 0 && order[at + 1]) || null,
    };
    await write(`pages${document.path}.json`, page);
  }
  await write('docs-navigation.json', groups);
  await writeShared('docs', documents);
}

async function writePosts(collection: 'posts' | 'why', documents: Rendered[]): Promise<void> {
  const pages = documents.flatMap(({ document, frontMatter, minutes }): PostPage[] =>
    'date' in frontMatter
      ? [
          {
            ...document,
            date: frontMatter.date,
            authors: frontMatter.authors,
            badge: frontMatter.badge ?? null,
            image: frontMatter.image ?? null,
            minutes,
          },
        ]
      : [],
  );
  for (const page of pages) await write(`pages${page.path}.json`, page);
  const cards = pages
    .sort((a, b) => b.date.localeCompare(a.date))
    .map(({ path, title, description, date, authors, badge, image, minutes }) => ({
      path,
      title,
      description,
      date,
      authors,
      badge,
      image,
      minutes,
    }));
  if (collection === 'posts') await write('posts.json', cards);
  await writeShared(collection, documents);
}

const docs = defineCollection({
  name: 'docs',
  directory: `${contentDir}/docs`,
  include: '**/*.md',
  schema: docFrontMatter.extend({ content: z.string() }),
  transform: (file) => render(file, { base: '/docs', collection: 'docs' }),
  onSuccess: (documents) => writeDocs(parse(documents)),
});

const posts = defineCollection({
  name: 'posts',
  directory: `${contentDir}/posts`,
  include: '*.md',
  schema: postFrontMatter.extend({ content: z.string() }),
  transform: (file) => render(file, { base: '/blog', collection: 'posts' }),
  onSuccess: (documents) => writePosts('posts', parse(documents)),
});

const why = defineCollection({
  name: 'why',
  directory: `${contentDir}/why`,
  include: '*.md',
  schema: postFrontMatter.extend({ content: z.string() }),
  transform: (file) => render(file, { base: '/blog', collection: 'why' }),
  onSuccess: (documents) => writePosts('why', parse(documents)),
});

/** A YAML file that is one page's data. */
function pageData(
  name: string,
  path: string,
  schema: typeof indexData | typeof pricingData | typeof blogData | typeof exploreData,
) {
  return defineSingleton({
    name,
    filePath: `${contentDir}/${name}.yml`,
    parser: 'yaml',
    schema,
    transform: (data) => ({
      seo: { title: data.seo.title ?? '', description: data.seo.description ?? '' },
      json: JSON.stringify(data, (key, value: unknown) => (key === '_meta' ? undefined : value)),
    }),
    onSuccess: async (page) => {
      if (!page) throw new Error(`content/${name}.yml is not there, or what was said of it above is wrong`);
      const data: unknown = JSON.parse(page.json);
      await write(`data/${name}.json`, data);
      const nothing = { updated: '', date: null, authors: [], html: null };
      const markdown = pageMarkdown(data);
      sitePages.set(path, { kind: 'page', path, ...page.seo, ...nothing, markdown, listed: true });
      await writeSources();
    },
  });
}

export default defineConfig({
  content: [
    docs,
    posts,
    why,
    pageData('index', '/', indexData),
    pageData('pricing', '/pricing', pricingData),
    pageData('blog', '/blog', blogData),
    pageData('explore', '/explore', exploreData),
  ],
});
