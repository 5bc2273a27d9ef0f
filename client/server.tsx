// Entry of the page bundle: turns one request into the pieces of a public page. The server loads the built file by path
// and calls `render`; nothing here may touch Node or the browser.
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  RouterContextProvider,
  StaticRouterProvider,
} from 'react-router';
import type { StaticHandlerContext } from 'react-router';
import type { CallApi, PageFault, RenderedPage, RenderPage } from '#shared/site/render.ts';
import { callApiContext } from '#client/call-api.ts';
import { HeadTags, metaOf } from '#client/head.tsx';
import { isPageRoute } from '#client/page-route.ts';
import { createRoutes, ROOT } from '#client/router.tsx';

const handler = createStaticHandler(createRoutes());

/** Renders the page that the request's path names. Redirects and failures come back as pages too; only faults of ours throw. */
export const render: RenderPage = async ({ url, callApi, failure }) => {
  const context = failure ? await failedContext(url, failure) : await loadedContext(url, callApi);
  if (context instanceof Response) return redirected(context);
  rethrowFault(context);
  const router = createStaticRouter(handler.dataRoutes, context);
  const { pathname, origin } = new URL(url);
  const matches = context.matches.map((match) => ({
    handle: match.route.handle,
    loaderData: context.loaderData[match.route.id],
    params: match.params,
  }));
  const meta = metaOf(matches, pathname, Object.values(context.errors ?? {})[0]);
  const about = {
    '@context': 'https://schema.org',
    url: meta.canonical ?? pathname,
    ...(meta.image === undefined ? {} : { image: meta.image }),
  };
  const jsonLd = (meta.jsonLd ?? []).map(
    (item) =>
      `<script type="application/ld+json">${safeJson({ ...about, ...item }, absolute(origin))}</script>`,
  );
  return {
    status: context.statusCode,
    head:
      renderToStaticMarkup(<HeadTags meta={meta} origin={origin} pathname={pathname} />) + jsonLd.join(''),
    body: renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />),
    data: safeJson({ loaderData: context.loaderData, actionData: null, errors: context.errors }),
    modules: modulesOf(context),
    noindex: meta.noindex === true,
  };
};

async function loadedContext(url: string, callApi: CallApi): Promise<StaticHandlerContext | Response> {
  const requestContext = new RouterContextProvider();
  requestContext.set(callApiContext, callApi);
  return handler.query(new Request(url), { requestContext });
}

/**
 * As if the root had failed, so that the browser finds the same error there whatever the address. No loader runs; the
 * router is asked for an address of no page, because it begins to load the code of one that it finds.
 */
async function failedContext(
  url: string,
  { status, message, detail }: PageFault,
): Promise<StaticHandlerContext | Response> {
  const nowhere = new Request(new URL('/-/-/-/-/-/-/-', url));
  const context = await handler.query(nowhere, { filterMatchesToLoad: () => false });
  if (context instanceof Response) return context;
  const { pathname, search } = new URL(url);
  const error = { status, statusText: message, internal: false, data: { error: { message, detail } } };
  return {
    ...context,
    location: { ...context.location, pathname, search },
    statusCode: status,
    errors: { [ROOT]: error },
  };
}

function redirected(response: Response): RenderedPage {
  const location = response.headers.get('location') ?? '/';
  return { status: response.status, location, head: '', body: '', data: '', modules: [], noindex: true };
}

/** An error that no loader meant to throw is a fault: the server answers 500 and logs it. */
function rethrowFault(context: StaticHandlerContext): void {
  for (const error of Object.values(context.errors ?? {})) {
    if (!isRouteErrorResponse(error)) throw error;
  }
}

function modulesOf(context: StaticHandlerContext): string[] {
  return context.matches.flatMap(({ route: { handle } }: { route: { handle?: unknown } }) => {
    if (isPageRoute(handle)) return [handle.source];
    if (typeof handle === 'object' && handle !== null && 'layoutSource' in handle)
      return [String(handle.layoutSource)];
    return [];
  });
}

const ADDRESSES = new Set(['url', 'image', 'mainEntityOfPage']);

/** Structured data names pages by whole addresses; the pages themselves know only their paths. */
function absolute(origin: string) {
  return (key: string, value: unknown): unknown =>
    ADDRESSES.has(key) && typeof value === 'string' && value.startsWith('/') ? origin + value : value;
}

/** JSON that cannot end its script element or start a comment in it. */
function safeJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
