// The application in the browser: hydrates a page that the server rendered, or draws into the static shell.
// main.ts decides when; everything here may be late without anybody missing it.
import { type ReactNode, startTransition, StrictMode, useEffect } from 'react';
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
import { pause, whenIdle } from '#client/shell/quiet-moment.ts';
import { watchColorMode } from '#client/shell/color-mode.ts';

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

/**
 * Public pages carry only their own styles; what else the application needs comes when the browser has time. Without its
 * fonts: the page has declared them, and a second declaration would draw the text anew and move it.
 */
async function loadLaterStyles(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name="styles"]')?.content;
  if (!href) return;
  const text = await (await fetch(href)).text();
  const style = document.createElement('style');
  style.textContent = text.replace(/@font-face\{[^}]*\}/g, '');
  document.head.append(style);
}

/** Tells once that what it holds is drawn and listens. */
function Started({ onStarted, children }: { onStarted: () => void; children: ReactNode }) {
  useEffect(onStarted, [onStarted]);
  return children;
}

async function draw(onStarted: () => void): Promise<void> {
  const root = document.querySelector('#root');
  if (!root) throw new Error('The template has no #root');
  const routes = createRoutes();
  if (matchRoutes(routes, location)?.some(({ route }) => route.id === 'layout:dashboard')) startWorkerEarly();
  const hydrationData = readPageData();
  if (hydrationData) {
    await resolveLazy(routes);
    await pause();
  }
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
      <Started onStarted={onStarted}>
        <RouterProvider router={router} />
      </Started>
    </StrictMode>
  );
  if (!hydrationData) return createRoot(root).render(app);
  await pause();
  // As a transition, React hydrates in slices of a few milliseconds instead of one long task.
  startTransition(() => void hydrateRoot(root, app));
}

/** Starts everything; resolves when the page answers to what its visitor does. */
export async function startApplication(): Promise<void> {
  watchColorMode();
  void sweepLater();
  await new Promise<void>((resolve, reject) => {
    draw(resolve).catch(reject);
  });
  whenIdle(() => void loadLaterStyles().catch(console.warn));
  registerServiceWorker(announceUpdate);
}
