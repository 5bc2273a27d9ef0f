// Loader and head of every page of the public site. Loaders run on the server and in the browser alike and get
// their content through content.ts; components live in the page files, which export components only.
import type { LoaderFunctionArgs } from 'react-router';
import { PAGE_NUMBER_MAX, PRODUCT_NAME } from '#shared/constants.ts';
import type {
  BlogData,
  ContentDocument,
  DocPage,
  ExploreData,
  IndexData,
  PostCard,
  PostPage,
  PricingData,
  Seo,
} from '#shared/site/content.ts';
import { notFound } from '#client/guards.ts';
import type { MetaArgs, PageMeta } from '#client/page-route.ts';
import { pageNumber, refuseEmptyPart } from '#client/public-api.ts';
import { loadContent, loadExplore } from '#client/site/lazy-content.ts';
import type { ExploreSpaces } from '#client/site/explore-spaces.ts';

/** Address of the picture that link previews show for a page. */
function previewPicture(path: string): string {
  return `/og${path === '/' ? '/home' : path}.png`;
}

function markdownForm(path: string) {
  return { type: 'text/markdown', href: `${path === '/' ? '/index' : path}.md` };
}

function fromSeo(seo: Seo, path: string): PageMeta {
  return {
    ...(seo.title ? { title: seo.title } : {}),
    ...(seo.description ? { description: seo.description } : {}),
    canonical: path,
    ...(import.meta.env.SSR ? { image: previewPicture(path) } : {}),
  };
}

const FEEDS = [
  { type: 'application/atom+xml', href: '/feed.xml', title: `${PRODUCT_NAME} blog` },
  { type: 'application/feed+json', href: '/feed.json', title: `${PRODUCT_NAME} blog` },
];

// Structured data and previews are for crawlers. The condition stands at each place that makes any: only there it leaves the
// browser's bundle together with what is made.

export const homePage = {
  loader: async () => (await loadContent()).loadIndexData(),
  meta: ({ data }: MetaArgs<IndexData>): PageMeta => ({
    ...fromSeo(data.seo, '/'),
    alternates: [markdownForm('/')],
    jsonLd: import.meta.env.SSR
      ? [
          {
            '@type': 'SoftwareApplication',
            name: PRODUCT_NAME,
            applicationCategory: 'ProductivityApplication',
            operatingSystem: 'Any modern browser',
            description: data.seo.description,
            offers: { '@type': 'Offer', price: '0', priceCurrency: 'EUR', description: 'Self-hosted' },
          },
        ]
      : [],
  }),
};

export const pricingPage = {
  loader: async () => (await loadContent()).loadPricingData(),
  meta: ({ data }: MetaArgs<PricingData>): PageMeta => ({
    ...fromSeo(data.seo, '/pricing'),
    alternates: [markdownForm('/pricing')],
    jsonLd: import.meta.env.SSR
      ? [
          {
            '@type': 'FAQPage',
            mainEntity: data.faq.map(({ question, answer }) => ({
              '@type': 'Question',
              name: question,
              acceptedAnswer: { '@type': 'Answer', text: answer },
            })),
          },
        ]
      : [],
  }),
};

export const explorePage = {
  loader: async (args: LoaderFunctionArgs) => (await loadExplore()).loadExplore(args),
  meta: ({ data }: MetaArgs<ExploreData & { found: ExploreSpaces }>): PageMeta => ({
    ...fromSeo(data.seo, '/explore'),
    alternates: [markdownForm('/explore')],
    // The orders of one list are one page to search engines, and what somebody searched for is none.
    ...(data.found.list === 'found' ? { noindex: true } : {}),
  }),
};

export const requestAccessPage = {
  meta: (): PageMeta => ({
    ...fromSeo(
      {
        title: 'Request access',
        description: `Leave your e-mail address and we will invite you to ${PRODUCT_NAME}.`,
      },
      '/request-access',
    ),
    alternates: [markdownForm('/request-access')],
  }),
};

async function loadBlog(args: LoaderFunctionArgs): Promise<BlogData & { posts: PostCard[] }> {
  // All posts stand on one page.
  if (import.meta.env.SSR) refuseEmptyPart(args, pageNumber(args.request, PAGE_NUMBER_MAX), 0);
  const { loadBlogData, listPosts } = await loadContent();
  const [page, posts] = await Promise.all([loadBlogData(), listPosts()]);
  return { ...page, posts };
}

export const blogPage = {
  loader: loadBlog,
  meta: ({ data }: MetaArgs<BlogData>): PageMeta => ({
    ...fromSeo(data.seo, '/blog'),
    alternates: [markdownForm('/blog'), ...FEEDS],
  }),
};

type Find<Page> = (path: string) => Promise<Page | undefined>;

/** The document that a request's path names. @throws not-found when nothing stands there. */
async function required<Page>(find: Find<Page>, { request }: LoaderFunctionArgs): Promise<Page> {
  const { pathname } = new URL(request.url);
  const page = await find(decodeURI(pathname));
  if (!page) throw notFound(pathname);
  return page;
}

/** `article` is its structured data as far as it differs by kind. */
function articleMeta(page: ContentDocument, article: Record<string, unknown>): PageMeta {
  return {
    ...fromSeo(page.seo, page.path),
    title: page.seo.title ?? page.title,
    description: page.seo.description ?? page.description,
    ...(import.meta.env.SSR ? { type: 'article', modified: page.updated } : {}),
    alternates: [markdownForm(page.path)],
    jsonLd: import.meta.env.SSR
      ? [
          {
            headline: page.title,
            description: page.description,
            dateModified: page.updated,
            mainEntityOfPage: page.path,
            publisher: { '@type': 'Organization', name: PRODUCT_NAME },
            ...article,
          },
        ]
      : [],
  };
}

export const blogPostPage = {
  loader: async (args: LoaderFunctionArgs) => required((await loadContent()).findPost, args),
  meta: ({ data }: MetaArgs<PostPage>): PageMeta => ({
    ...articleMeta(
      data,
      import.meta.env.SSR
        ? {
            '@type': 'BlogPosting',
            datePublished: data.date,
            author: data.authors.map(({ name }) => ({ '@type': 'Organization', name })),
          }
        : {},
    ),
    ...(import.meta.env.SSR ? { published: data.date } : {}),
    alternates: [markdownForm(data.path), ...FEEDS],
  }),
};

export const docsPage = {
  loader: async (args: LoaderFunctionArgs) => required((await loadContent()).findDoc, args),
  meta: ({ data }: MetaArgs<DocPage>): PageMeta => ({
    ...articleMeta(data, import.meta.env.SSR ? { '@type': 'TechArticle' } : {}),
    // Decision records are published but not listed.
    ...(data.group === null ? { noindex: true } : {}),
  }),
};
