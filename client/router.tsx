// Builds the route tree from the pages table: layouts around pages, guards before loaders, not-found at the end.
// Used by the browser and by server rendering; knows no page by name except through the tables.
import type { ComponentType } from 'react';
import type { LoaderFunctionArgs, RouteObject } from 'react-router';
import { LAYOUTS, type Layout, PAGES, type PageName } from '#shared/pages.ts';
import { checkGuard } from '#client/guards.ts';
import { layoutRoutes } from '#client/layout-routes.ts';
import type { PageRoute } from '#client/page-route.ts';
import { pageRoutes } from '#client/page-routes.ts';
import { PageError, RootError, RootFallback, RootLayout } from '#client/root.tsx';
import { notFoundRoute } from '#client/site/not-found.ts';

/** Layouts whose frame stays around the error page; elsewhere the whole screen is replaced. */
const FRAMED: readonly Layout[] = ['default', 'docs', 'public'];
/** How deep `/docs/*` goes. */
const STAR_DEPTH = 4;
/** The route around all others. */
export const ROOT = 'root';

/**
 * A star ranks below `/:workspace_slug/spaces`, so `/docs/spaces` would become a workspace called "docs".
 * Spelled out as parameters it ties, and the earlier layout wins.
 */
function spellOut(path: string): string[] {
  if (!path.endsWith('/*')) return [path];
  const base = path.slice(0, -2);
  return Array.from({ length: STAR_DEPTH }, (_, depth) =>
    [base, ...Array.from({ length: depth + 1 }, (_unused, index) => `:part${index}`)].join('/'),
  );
}

/** A page of a workspace, or one that waits for its code: the frame around it stays whatever happens. */
async function loadOrWait(load: PageRoute['load']): Promise<ComponentType> {
  try {
    return await load();
  } catch (error) {
    console.info('page: its code is not here yet', error);
    const { waitForPage } = await import('#client/layouts/dashboard.tsx');
    return waitForPage(load);
  }
}

function routesOf(name: PageName): RouteObject[] {
  const route: PageRoute | null = pageRoutes[name];
  if (!route) return [];
  const { path, guard, layout } = PAGES[name];
  const { loader } = route;
  return spellOut(path).map((spelled, index) => ({
    id: index === 0 ? name : `${name}:${index}`,
    path: spelled,
    handle: route,
    lazy: { Component: layout === 'dashboard' ? () => loadOrWait(route.load) : route.load },
    HydrateFallback: RootFallback,
    ErrorBoundary: FRAMED.includes(layout) ? PageError : null,
    loader: async (args: LoaderFunctionArgs) => {
      await checkGuard(guard, args);
      return loader ? loader(args) : null;
    },
  }));
}

function layoutOf(layout: Layout): RouteObject {
  const { source, load } = layoutRoutes[layout];
  const names = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);
  const children = names.filter((name) => PAGES[name].layout === layout).flatMap(routesOf);
  if (layout === 'default') children.push(notFoundRoute());
  return {
    id: `layout:${layout}`,
    handle: { layoutSource: source },
    lazy: { Component: load },
    HydrateFallback: RootFallback,
    children,
  };
}

/** The whole route tree. Each call makes fresh objects, because routers write resolved modules into them. */
export function createRoutes(): RouteObject[] {
  // Routes with a workspace slug come last, see spellOut.
  const order = [...LAYOUTS.filter((layout) => layout !== 'dashboard'), 'dashboard' as const];
  return [
    {
      id: ROOT,
      Component: RootLayout,
      ErrorBoundary: RootError,
      HydrateFallback: RootFallback,
      children: order.map(layoutOf),
    },
  ];
}
