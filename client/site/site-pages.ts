/** The pages of the site: what each shows and its head. Their words come from content.ts. */
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
import { pageNotFound, pageNumber, refuseEmptyPart } from '#client/public-api.ts';
import { type MetaInput, type PageMeta, publicPage, type PageRequest } from '#client/public-page.tsx';
import {
  findDoc,
  findPost,
  listPosts,
  loadBlogData,
  loadIndexData,
  loadPricingData,
} from '#client/site/content.ts';
import { type ExploreSpaces, loadExplore } from '#client/site/explore-spaces.ts';
import { BlogPage } from '#client/site/blog-page.tsx';
import { BlogPostPage } from '#client/site/blog-post-page.tsx';
import { DocsPage } from '#client/site/docs-page.tsx';
import { ExplorePage } from '#client/site/explore-page.tsx';
import { HomePage } from '#client/site/home-page.tsx';
import { OfflinePage } from '#client/site/offline-page.tsx';
import { PricingPage } from '#client/site/pricing-page.tsx';
import { RequestAccessPage } from '#client/site/request-access-page.tsx';

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
    image: previewPicture(path),
  };
}

const FEEDS = [
  { type: 'application/atom+xml', href: '/feed.xml', title: `${PRODUCT_NAME} blog` },
  { type: 'application/feed+json', href: '/feed.json', title: `${PRODUCT_NAME} blog` },
];

export const homePage = publicPage({
  Component: HomePage,
  loader: loadIndexData,
  meta: ({ data }: MetaInput<IndexData>): PageMeta => ({
    ...fromSeo(data.seo, '/'),
    alternates: [markdownForm('/')],
    jsonLd: [
      {
        '@type': 'SoftwareApplication',
        name: PRODUCT_NAME,
        applicationCategory: 'ProductivityApplication',
        operatingSystem: 'Any modern browser',
        description: data.seo.description,
        offers: { '@type': 'Offer', price: '0', priceCurrency: 'EUR', description: 'Self-hosted' },
      },
    ],
  }),
});

export const pricingPage = publicPage({
  Component: PricingPage,
  loader: loadPricingData,
  meta: ({ data }: MetaInput<PricingData>): PageMeta => ({
    ...fromSeo(data.seo, '/pricing'),
    alternates: [markdownForm('/pricing')],
    jsonLd: [
      {
        '@type': 'FAQPage',
        mainEntity: data.faq.map(({ question, answer }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text: answer },
        })),
      },
    ],
  }),
});

export const explorePage = publicPage({
  Component: ExplorePage,
  loader: loadExplore,
  meta: ({ data }: MetaInput<ExploreData & { found: ExploreSpaces }>): PageMeta => ({
    ...fromSeo(data.seo, '/explore'),
    alternates: [markdownForm('/explore')],
    // The orders of one list are one page to search engines, and the results of a search are none.
    ...(data.found.list === 'found' ? { noindex: true } : {}),
  }),
});

export const requestAccessPage = publicPage({
  Component: RequestAccessPage,
  loader: async () => undefined,
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
});

export const offlinePage = publicPage({
  Component: OfflinePage,
  loader: async () => undefined,
  meta: (): PageMeta => ({ title: 'Not on this device', noindex: true }),
});

async function loadBlog(args: PageRequest): Promise<BlogData & { posts: PostCard[] }> {
  // All posts are on one page.
  refuseEmptyPart(args, pageNumber(args, PAGE_NUMBER_MAX), 0);
  const [page, posts] = await Promise.all([loadBlogData(), listPosts()]);
  return { ...page, posts };
}

export const blogPage = publicPage({
  Component: BlogPage,
  loader: loadBlog,
  meta: ({ data }: MetaInput<BlogData>): PageMeta => ({
    ...fromSeo(data.seo, '/blog'),
    alternates: [markdownForm('/blog'), ...FEEDS],
  }),
});

type Find<Page> = (path: string) => Promise<Page | undefined>;

/** The document at the path of a request. @throws not-found when there is none. */
async function required<Page>(find: Find<Page>, { url }: PageRequest): Promise<Page> {
  const page = await find(decodeURI(url.pathname));
  if (!page) throw pageNotFound(url);
  return page;
}

/** `article` is its structured data as far as it differs by kind. */
function articleMeta(page: ContentDocument, article: Record<string, unknown>): PageMeta {
  return {
    ...fromSeo(page.seo, page.path),
    title: page.seo.title ?? page.title,
    description: page.seo.description ?? page.description,
    type: 'article',
    modified: page.updated,
    alternates: [markdownForm(page.path)],
    jsonLd: [
      {
        headline: page.title,
        description: page.description,
        dateModified: page.updated,
        mainEntityOfPage: page.path,
        publisher: { '@type': 'Organization', name: PRODUCT_NAME },
        ...article,
      },
    ],
  };
}

export const blogPostPage = publicPage({
  Component: BlogPostPage,
  loader: (request: PageRequest) => required(findPost, request),
  meta: ({ data }: MetaInput<PostPage>): PageMeta => ({
    ...articleMeta(data, {
      '@type': 'BlogPosting',
      datePublished: data.date,
      author: data.authors.map(({ name }) => ({ '@type': 'Organization', name })),
    }),
    published: data.date,
    alternates: [markdownForm(data.path), ...FEEDS],
  }),
});

export const docsPage = publicPage({
  Component: DocsPage,
  loader: (request: PageRequest) => required(findDoc, request),
  meta: ({ data }: MetaInput<DocPage>): PageMeta => ({
    ...articleMeta(data, { '@type': 'TechArticle' }),
    // Decision records are published but not listed.
    ...(data.group === null ? { noindex: true } : {}),
  }),
});
