/**
 * The route tree of the application, from the table of pages: layouts around pages, guards before them. Public pages have no
 * route: the browser loads their addresses from the server.
 */
import type { ComponentType } from 'react';
import type { LoaderFunctionArgs, RouteObject } from 'react-router';
import { PAGES, type ShellPageName } from '#shared/pages.ts';
import { checkGuard, leaveApplication } from '#client/api/guards.ts';
import type { PageRoute } from '#client/page-route.ts';
import { pageRoutes } from '#client/page-routes.ts';
import { RootError, RootFallback, RootLayout } from '#client/root.tsx';

type ShellLayout = (typeof PAGES)[ShellPageName]['layout'];

const layoutRoutes: Record<ShellLayout, () => Promise<ComponentType>> = {
  auth: () => import('#client/layouts/narrow-column.tsx').then((m) => m.AuthLayout),
  onboarding: () => import('#client/layouts/narrow-column.tsx').then((m) => m.OnboardingLayout),
  empty: () => import('#client/layouts/empty.tsx').then((m) => m.EmptyLayout),
  dashboard: () => import('#client/layouts/dashboard.tsx').then((m) => m.DashboardLayout),
};

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

function routeOf(name: ShellPageName): RouteObject[] {
  const route = pageRoutes[name];
  if (!route) return [];
  const { path, guard, layout } = PAGES[name];
  return [
    {
      id: name,
      path,
      handle: route,
      lazy: { Component: layout === 'dashboard' ? () => loadOrWait(route.load) : route.load },
      HydrateFallback: RootFallback,
      loader: async (args: LoaderFunctionArgs) => {
        await checkGuard(guard, args);
        return null;
      },
    },
  ];
}

function layoutOf(layout: ShellLayout): RouteObject {
  const names = Object.keys(pageRoutes).filter((name): name is ShellPageName => name in pageRoutes);
  return {
    id: `layout:${layout}`,
    lazy: { Component: layoutRoutes[layout] },
    HydrateFallback: RootFallback,
    children: names.filter((name) => PAGES[name].layout === layout).flatMap(routeOf),
  };
}

/** The whole route tree. Each call makes fresh objects, because routers write resolved modules into them. */
export function createRoutes(): RouteObject[] {
  const layouts = Object.keys(layoutRoutes).filter((name): name is ShellLayout => name in layoutRoutes);
  return [
    {
      id: 'root',
      Component: RootLayout,
      ErrorBoundary: RootError,
      HydrateFallback: RootFallback,
      children: [
        ...layouts.map(layoutOf),
        {
          id: 'elsewhere',
          path: '*',
          loader: leaveApplication,
          Component: () => null,
        },
      ],
    },
  ];
}
