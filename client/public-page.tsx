/**
 * Definition of a public page: the server loads its data, renders it once and sends complete HTML. The browser gets no
 * router and none of these components; islands.ts attaches the interactive parts.
 */
import type { ComponentType, ReactNode } from 'react';
import type { RenderMarkdown } from '#shared/markdown/render-task.ts';
import type { CallApi, PageFault } from '#shared/site/render.ts';

/** The head of one page. Paths are site-relative; the head component makes them absolute. */
export interface PageMeta {
  title?: string;
  description?: string;
  /** Path of the one address that counts; the current path when missing. */
  canonical?: string;
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

/** One request for a page, and the ways to what it shows. */
export interface PageRequest {
  url: URL;
  /** Parameters of the page's pattern in the table of pages, decoded. */
  params: Readonly<Record<string, string>>;
  callApi: CallApi;
  markdown: RenderMarkdown;
}

export interface MetaInput<Data> {
  data: Data;
  pathname: string;
}

export interface LoadedPage {
  body: ReactNode;
  meta: PageMeta;
}

/** A page in the table of public pages. */
export interface PublicPage {
  /** @throws PageRefusal, PageMove, or a failed Response of the API */
  load(request: PageRequest): Promise<LoadedPage>;
}

interface PublicPageInput<Data> {
  Component: ComponentType<{ data: Data }>;
  loader: (request: PageRequest) => Promise<Data>;
  meta: (input: MetaInput<Data>) => PageMeta;
}

/** Checks that component and head accept the data that the loader returns. */
export function publicPage<Data>({ Component, loader, meta }: PublicPageInput<Data>): PublicPage {
  return {
    async load(request) {
      const data = await loader(request);
      const { pathname } = request.url;
      return { body: <Component data={data} />, meta: meta({ data, pathname }) };
    },
  };
}

/** Common head elements of pages of shared content: link card, Markdown form, and feeds where they have a title. */
export function sharedPageMeta(
  pathname: string,
  page: number,
  feedTitle?: string,
): Pick<PageMeta, 'canonical' | 'image' | 'embeddable' | 'alternates'> {
  const feeds = (title: string) => [
    { type: 'application/atom+xml', href: `${pathname}/feed.xml`, title },
    { type: 'application/feed+json', href: `${pathname}/feed.json`, title },
  ];
  return {
    canonical: page > 1 ? `${pathname}?page=${page}` : pathname,
    image: `/og${pathname}.png`,
    embeddable: true,
    alternates: [
      { type: 'text/markdown', href: `${pathname}.md` },
      ...(feedTitle === undefined ? [] : feeds(feedTitle)),
    ],
  };
}

/** Ends the loading of a page with the error page. */
export class PageRefusal extends Error {
  readonly fault: PageFault;

  constructor(fault: PageFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/** Ends the loading of a page that has moved permanently to another address. */
export class PageMove extends Error {
  /** Path and query. */
  readonly path: string;

  constructor(path: string) {
    super(`Moved to ${path}`);
    this.path = path;
  }
}
