// What a page tells the router: where its component lives, what it loads, and what stands in the document head.
// Knows the router's types and nothing of any page.
import type { ComponentType } from 'react';
import type { LoaderFunctionArgs, Params } from 'react-router';

/** The head of one page. Paths are site-relative; the head component makes them absolute. */
export interface PageMeta {
  title?: string;
  description?: string;
  /** Path of the one address that counts; the current path when missing. */
  canonical?: string;
  // Rendered on the server only, so a browser's bundle need not make them: picture, type, card, dates, structured data.
  /** Path of the picture for link previews. */
  image?: string;
  type?: 'website' | 'article' | 'profile';
  noindex?: boolean;
  /** Other forms of the same page (feeds, Markdown). */
  alternates?: { type: string; href: string; title?: string }[];
  /** The page has a card that other sites may embed. */
  embeddable?: boolean;
  published?: string;
  modified?: string;
  /** Structured data; the server adds the page's own address and picture. */
  jsonLd?: Record<string, unknown>[];
}

export interface MetaArgs<Data> {
  data: Data;
  params: Params;
  pathname: string;
}

/** A page as the route table keeps it. `meta` is a method so that the type of a page's data may be forgotten here. */
export interface PageRoute {
  /** Path below client/, the key of the module in the build manifest. The browser's bundle is built without it. */
  source: string;
  load: () => Promise<ComponentType>;
  loader?: (args: LoaderFunctionArgs) => unknown;
  meta?(args: MetaArgs<unknown>): PageMeta;
}

interface PageRouteInput<Data> {
  source: string;
  load: () => Promise<ComponentType>;
  loader?: (args: LoaderFunctionArgs) => Promise<Data> | Data;
  meta?(args: MetaArgs<Data>): PageMeta;
}

/** Checks that a page's head takes the data that its loader gives. */
export function page<Data = undefined>(input: PageRouteInput<Data>): PageRoute {
  return input;
}

/** Narrows the untyped `handle` of a route match back to the page that was put there. */
export function isPageRoute(handle: unknown): handle is PageRoute {
  return typeof handle === 'object' && handle !== null && 'load' in handle;
}
