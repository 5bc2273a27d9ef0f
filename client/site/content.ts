/** Access to the built content for the server's rendering, the only file with its path. */
import type {
  BlogData,
  DocPage,
  ExploreData,
  IndexData,
  NavigationGroup,
  PostCard,
  PostPage,
  PricingData,
} from '#shared/site/content.ts';

const ROOT = '../.content-collections/site';

const docs = import.meta.glob<DocPage>(
  ['../.content-collections/site/pages/docs.json', '../.content-collections/site/pages/docs/**/*.json'],
  { import: 'default' },
);
const posts = import.meta.glob<PostPage>('../.content-collections/site/pages/blog/*.json', {
  import: 'default',
});
const lists = import.meta.glob<PostCard[]>('../.content-collections/site/posts.json', { import: 'default' });
const navigation = import.meta.glob<NavigationGroup[]>('../.content-collections/site/docs-navigation.json', {
  import: 'default',
});
const data = {
  index: import.meta.glob<IndexData>('../.content-collections/site/data/index.json', { import: 'default' }),
  pricing: import.meta.glob<PricingData>('../.content-collections/site/data/pricing.json', {
    import: 'default',
  }),
  blog: import.meta.glob<BlogData>('../.content-collections/site/data/blog.json', { import: 'default' }),
  explore: import.meta.glob<ExploreData>('../.content-collections/site/data/explore.json', {
    import: 'default',
  }),
};

type Loaders<Item> = Record<string, () => Promise<Item>>;

async function load<Item>(loaders: Loaders<Item>, file: string): Promise<Item> {
  const loader = loaders[`${ROOT}/${file}`];
  if (!loader) throw new Error(`The content ${file} was not built`);
  return loader();
}

const withoutTrailingSlash = (path: string): string => path.replace(/\/$/, '');

/** A page of the documentation by its path; undefined when there is none. */
export async function findDoc(path: string): Promise<DocPage | undefined> {
  return docs[`${ROOT}/pages${withoutTrailingSlash(path)}.json`]?.();
}

/** A post by its path; undefined when there is none. */
export async function findPost(path: string): Promise<PostPage | undefined> {
  return posts[`${ROOT}/pages${withoutTrailingSlash(path)}.json`]?.();
}

/** Headings and pages of the documentation, in their order. */
export const loadDocsNavigation = (): Promise<NavigationGroup[]> => load(navigation, 'docs-navigation.json');

/** All posts, newest first, without bodies. */
export const listPosts = (): Promise<PostCard[]> => load(lists, 'posts.json');

export const loadIndexData = (): Promise<IndexData> => load(data.index, 'data/index.json');
export const loadPricingData = (): Promise<PricingData> => load(data.pricing, 'data/pricing.json');
export const loadBlogData = (): Promise<BlogData> => load(data.blog, 'data/blog.json');
export const loadExploreData = (): Promise<ExploreData> => load(data.explore, 'data/explore.json');
