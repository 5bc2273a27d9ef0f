/**
 * Entry of the page bundle: turns one request into the pieces of a public page. The server loads the built file by path and
 * calls `render`; nothing here may touch Node or the browser.
 */
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type PageMatch, matchPage } from '#shared/page-match.ts';
import { PAGES } from '#shared/pages.ts';
import type { PageFault, RenderedPage, RenderPage, RenderRequest } from '#shared/site/render.ts';
import { pageNotFound } from '#client/public-api.ts';
import { HeadTags } from '#client/public-head.tsx';
import { type LoadedPage, PageMove, type PageMeta, PageRefusal } from '#client/public-page.tsx';
import { isPublicPage, publicPages } from '#client/public-pages.tsx';
import { LoadingBarTrack } from '#client/shell/loading-bar-track.tsx';
import { PageAddressContext } from '#client/shell/page-address.ts';
import { failureMessage, type PageFailure } from '#client/shell/page-failure.ts';
import { SkipLink } from '#client/shell/skip-link.tsx';
import { loadDocsNavigation } from '#client/site/content.ts';
import { DocsFrame } from '#client/site/docs-frame.tsx';
import { ErrorView } from '#client/site/error-view.tsx';
import { SiteDialogs } from '#client/site/site-dialogs.tsx';
import { SiteFrame } from '#client/site/site-frame.tsx';

/** Renders the page that the request's path names. Redirects and failures come back as pages too; only faults of ours throw. */
export const render: RenderPage = async (request) => {
  const url = new URL(request.url);
  if (request.failure) {
    const { body, meta } = failedPage(request.failure);
    return finished(url, request.failure.status, { body: <SiteFrame>{body}</SiteFrame>, meta });
  }
  const match = matchPage(url.pathname);
  try {
    const page = await load(request, url, match);
    return finished(url, 200, { ...page, body: await framed(match, page.body) });
  } catch (error) {
    if (error instanceof PageMove) return moved(error.path);
    const fault = await faultOf(error);
    const { body, meta } = failedPage(fault);
    return finished(url, fault.status, { body: await framed(match, body), meta });
  }
};

/** @throws what ends the loading of a page */
function load(
  { callApi, markdown }: RenderRequest,
  url: URL,
  match: PageMatch | undefined,
): Promise<LoadedPage> {
  if (!match || !isPublicPage(match.name)) throw pageNotFound(url);
  return publicPages[match.name].load({ url, params: match.params, callApi, markdown });
}

/** The frame of the page's layout, which stays around a failure. */
async function framed(match: PageMatch | undefined, body: ReactNode): Promise<ReactNode> {
  if (match && PAGES[match.name].layout === 'docs')
    return <DocsFrame groups={await loadDocsNavigation()}>{body}</DocsFrame>;
  return <SiteFrame>{body}</SiteFrame>;
}

/** Errors of the API keep their message. @throws every other error, which the server logs */
async function faultOf(error: unknown): Promise<PageFault> {
  if (error instanceof PageRefusal) return error.fault;
  if (!(error instanceof Response)) throw error;
  const { error: said }: { error?: { message?: string; detail?: string } } = await error.clone().json();
  return {
    status: error.status,
    message: said?.message ?? '',
    detail: said?.detail ?? '',
  };
}

function failedPage({ status, message, detail }: PageFault): LoadedPage {
  const failure: PageFailure = {
    statusCode: status,
    ...(message && { statusMessage: message }),
    ...(detail && { message: detail }),
  };
  const { title, description } = failureMessage(failure);
  return { body: <ErrorView failure={failure} />, meta: { title, description, noindex: true } };
}

function finished(url: URL, status: number, { body, meta }: LoadedPage): RenderedPage {
  const page = (
    <PageAddressContext value={url}>
      <SkipLink />
      <LoadingBarTrack />
      {body}
      <SiteDialogs />
    </PageAddressContext>
  );
  const { origin, pathname } = url;
  return {
    status,
    head:
      renderToStaticMarkup(<HeadTags meta={meta} origin={origin} pathname={pathname} />) +
      structuredData(meta, url),
    body: renderToStaticMarkup(page),
    noindex: meta.noindex === true,
  };
}

function moved(location: string): RenderedPage {
  return { status: 301, location, head: '', body: '', noindex: true };
}

function structuredData({ canonical, image, jsonLd = [] }: PageMeta, { origin, pathname }: URL): string {
  const about = {
    '@context': 'https://schema.org',
    url: canonical ?? pathname,
    ...(image === undefined ? {} : { image }),
  };
  return jsonLd
    .map(
      (item) =>
        `<script type="application/ld+json">${safeJson({ ...about, ...item }, absolute(origin))}</script>`,
    )
    .join('');
}

const ADDRESSES = new Set(['url', 'image', 'mainEntityOfPage']);

/** Structured data names pages by whole addresses; the pages themselves know only their paths. */
function absolute(origin: string) {
  return (key: string, value: unknown): unknown =>
    ADDRESSES.has(key) && typeof value === 'string' && value.startsWith('/') ? origin + value : value;
}

/** JSON that cannot end its script element or start a comment in it. */
function safeJson(value: unknown, replacer: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
