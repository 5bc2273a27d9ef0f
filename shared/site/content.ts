// The shapes of the content collections and of the build's output. The schemas run at build time only; the browser only imports
// types from here.
import { z } from 'zod';
import type { BodyNode } from '../markdown/body-node.ts';
import { SITE_ICONS } from './icon-names.ts';

const line = z.string().trim().min(1);
const day = z.iso.date();
const localPath = z.string().regex(/^\/(?!\/)/, 'must be a path of this site, starting with a slash');
const link = z.strictObject({ label: line, to: localPath });

const navigation = z.union([
  z.literal(false),
  z.strictObject({
    /** Heading of the page in the navigation. */
    group: line,
    order: z.number(),
    /** Shorter than the page's title where that is long. */
    title: line.optional(),
  }),
]);

const seo = z.strictObject({ title: line.optional(), description: line.optional() });

/** Front matter of a page of the documentation. */
export const docFrontMatter = z.strictObject({
  title: line,
  description: line.max(200),
  navigation,
  updated: day,
  seo: seo.optional(),
  meta: z.record(z.string(), z.string()).optional(),
});

const author = z.strictObject({ name: line, role: line.optional() });

/** Front matter of a post, and of the page that says why. */
export const postFrontMatter = z.strictObject({
  title: line,
  description: line.max(200),
  date: day,
  updated: day.optional(),
  authors: z.array(author).min(1),
  badge: line.optional(),
  image: localPath.optional(),
  seo: seo.optional(),
  meta: z.record(z.string(), z.string()).optional(),
});

const feature = z.strictObject({ title: line, description: line, icon: z.enum(SITE_ICONS) });
const hero = z.strictObject({
  title: line,
  description: line,
  links: z.array(link).optional(),
});
const callToAction = z.strictObject({ title: line, description: line, links: z.array(link).min(1) });
const question = z.strictObject({ question: line, answer: line });

/** A screen of the product: `/screenshots/{name}-light.webp` and `-dark.webp`, 1280 × 800. */
const picture = z.strictObject({ name: z.string().regex(/^[a-z-]+$/), alt: line });

/** content/index.yml: the home page. */
export const indexData = z.strictObject({
  hero,
  sections: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z-]+$/),
      eyebrow: line,
      title: line,
      description: line,
      points: z.array(line).optional(),
      picture,
    }),
  ),
  /** Notes to search in the page, in the order in which they are listed before typing. */
  demo: z.strictObject({
    label: line,
    queries: z.array(line).min(1),
    notes: z.array(z.strictObject({ title: line, text: line, tags: z.array(line).min(1) })).min(1),
  }),
  /** Measured figures, each with the page that explains the method. */
  figures: z.strictObject({
    title: line,
    facts: z.array(z.strictObject({ title: line, description: line, to: localPath })).min(1),
  }),
  features: z.array(feature),
  steps: z.array(z.strictObject({ title: line, description: line })),
  testimonials: z.array(z.strictObject({ quote: line, name: line, role: line })),
  cta: callToAction,
  seo,
});

/** content/pricing.yml */
export const pricingData = z.strictObject({
  headline: line,
  hero,
  logos: z.array(line),
  plans: z.array(
    z.strictObject({
      name: line,
      description: line,
      price: line,
      period: line.optional(),
      features: z.array(line),
      action: z.strictObject({ label: line, to: localPath }),
    }),
  ),
  features: z.array(feature),
  faq: z.array(question),
  seo,
});

/** content/blog.yml */
export const blogData = z.strictObject({
  headline: line,
  description: line,
  features: z.array(feature),
  seo,
});

/** content/explore.yml */
export const exploreData = z.strictObject({ hero, cta: callToAction, seo });

export type IndexData = z.infer<typeof indexData>;
export type PricingData = z.infer<typeof pricingData>;
export type BlogData = z.infer<typeof blogData>;
export type ExploreData = z.infer<typeof exploreData>;
type Author = z.infer<typeof author>;
export type Seo = z.infer<typeof seo>;

export interface Heading {
  id: string;
  text: string;
  depth: 2 | 3;
}

export interface ContentDocument {
  id: string;
  title: string;
  description: string;
  extension: string;
  path: string;
  stem: string;
  seo: Seo;
  meta: Record<string, string>;
  updated: string;
  headings: Heading[];
  body: BodyNode[];
}

export interface PageLink {
  title: string;
  path: string;
}

export interface DocPage extends ContentDocument {
  group: string | null;
  previous: PageLink | null;
  next: PageLink | null;
}

export interface PostPage extends ContentDocument {
  date: string;
  authors: Author[];
  badge: string | null;
  image: string | null;
  minutes: number;
}

export type PostCard = Pick<
  PostPage,
  'path' | 'title' | 'description' | 'date' | 'authors' | 'badge' | 'image' | 'minutes'
>;

export interface NavigationGroup {
  title: string;
  pages: PageLink[];
}

/** One entry of the search over docs and posts: a section of a document. */
export interface SearchSection {
  id: string;
  path: string;
  title: string;
  section: string;
  text: string;
}

/** Metadata and source of a document or page, for feeds, sitemap, llms.txt, previews and the Markdown form. */
export const sourceDocument = z.object({
  kind: z.enum(['doc', 'post', 'page']),
  path: z.string(),
  title: z.string(),
  description: z.string(),
  updated: z.string(),
  /** Publication day of a post. */
  date: z.string().nullable(),
  authors: z.array(author),
  /** False for pages that are in no navigation. */
  listed: z.boolean(),
  markdown: z.string(),
  /** Full text of a post for feeds. */
  html: z.string().nullable(),
});
export type SourceDocument = z.infer<typeof sourceDocument>;
