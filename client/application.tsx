/** The application in the browser: draws into the static shell. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, createPath, matchRoutes, RouterContextProvider } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { COOKIES } from '#shared/constants.ts';
import { readCookie } from '#client/api/cookies.ts';
import { loadUnderNewestWorker, registerServiceWorker } from '#client/start/app-update.ts';
import { sweepAtStart } from '#client/api/lazy-signed-out.ts';
import { guardSessionContext, pendingHashContext } from '#client/api/guards.ts';
import { createRoutes } from '#client/router.tsx';
import { startWorkerEarly } from '#client/replica/early-worker.ts';
import { whenScreenReady } from '#client/start/screen-ready.ts';
import { announceUpdate, startBuildWatch } from '#client/shell/build-watch.ts';
import { watchColorMode } from '#client/shell/color-mode.ts';

function buildOfThisPage(): string | undefined {
  const build = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  return build === 'dev' ? undefined : build;
}

function draw(): void {
  const root = document.querySelector('#root');
  if (!root) throw new Error('The template has no #root');
  const routes = createRoutes();
  if (matchRoutes(routes, location)?.some(({ route }) => route.id === 'layout:dashboard')) startWorkerEarly();
  const pending = () => router.state.navigation.location ?? router.state.location;
  const router = createBrowserRouter(routes, {
    getContext: () => {
      const context = new RouterContextProvider();
      // When a guard first needs it: the log-in pages do not wait for its code.
      context.set(
        guardSessionContext,
        async () => (await import('#client/api/guard-session.ts')).guardSession,
      );
      context.set(pendingHashContext, () => pending().hash);
      return context;
    },
  });
  startBuildWatch({
    build: buildOfThisPage(),
    pendingPath: () => createPath(pending()),
    load: loadUnderNewestWorker,
  });
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} useTransitions={false} />
    </StrictMode>,
  );
}

export function startApplication(): void {
  watchColorMode();
  void sweepAtStart();
  draw();
  void whenScreenReady().then(() => {
    // Who opens the log-in form first needs its bandwidth for the first list; the workspace registers a worker.
    if (readCookie(COOKIES.session) === undefined && !navigator.serviceWorker?.controller) return;
    registerServiceWorker(announceUpdate);
  });
}
