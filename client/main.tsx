// Entry of the browser: hydrates a page that the server rendered, or starts the application in the static shell.
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import {
  createBrowserRouter,
  createPath,
  type HydrationState,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
} from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { loadUnderNewestWorker, registerServiceWorker } from '#client/app-update.ts';
import { loadGuardSession } from '#client/api/lazy-guard-session.ts';
import { sweepLater } from '#client/api/lazy-sweep.ts';
import { guardSessionContext } from '#client/guards.ts';
import { createRoutes } from '#client/router.tsx';
import { startWorkerEarly } from '#client/replica/early-worker.ts';
import { announceUpdate, startBuildWatch } from '#client/shell/build-watch.ts';
import { watchColorMode } from '#client/shell/color-mode.ts';
import { refuseForeignScripts } from '#client/trusted-types.ts';

/** Loads the lazy parts of the matched routes first: unresolved ones make the router start over and run loaders again. */
async function resolveLazy(routes: RouteObject[]): Promise<void> {
  const matches = matchRoutes(routes, location) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'object') return;
      const Component = await route.lazy.Component?.();
      if (Component) Object.assign(route, { Component, lazy: undefined });
    }),
  );
}

function readPageData(): HydrationState | undefined {
  const text = document.querySelector('#page-data')?.textContent;
  return text ? JSON.parse(text) : undefined;
}

function buildOfThisPage(): string | undefined {
  const build = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  return build === 'dev' ? undefined : build;
}

/** Public pages carry only their own styles; what else the application needs comes when the browser has time. */
function loadLaterStyles(): void {
  const href = document.querySelector<HTMLMetaElement>('meta[name="styles"]')?.content;
  if (!href) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1000));
  idle(() => document.head.append(link));
}

async function start(): Promise<void> {
  const root = document.querySelector('#root');
  if (!root) throw new Error('The template has no #root');
  watchColorMode();
  const routes = createRoutes();
  const hydrationData = readPageData();
  if (hydrationData) await resolveLazy(routes);
  const router = createBrowserRouter(routes, {
    getContext: () => new RouterContextProvider(new Map([[guardSessionContext, loadGuardSession]])),
    ...(hydrationData ? { hydrationData } : {}),
  });
  startBuildWatch({
    build: buildOfThisPage(),
    pendingPath: () => createPath(router.state.navigation.location ?? router.state.location),
    load: loadUnderNewestWorker,
  });
  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
  if (hydrationData) hydrateRoot(root, app);
  else createRoot(root).render(app);
}

refuseForeignScripts();
startWorkerEarly(location.pathname);
void start();
loadLaterStyles();
void sweepLater();
registerServiceWorker(announceUpdate);
