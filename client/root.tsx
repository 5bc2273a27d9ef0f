/**
 * The root of the application: head, scroll rules, focus and announcement after navigation, loading bar, messages. Also the
 * error page for a failed page and the fallback for one that has not loaded.
 */
import { useState, type ReactNode } from 'react';
import { Outlet, ScrollRestoration, useRouteError, useMatches } from 'react-router';
import { isPageRoute } from '#client/page-route.ts';
import { titleOf } from '#client/shell/page-title.ts';
import { ErrorPage } from '#client/shell/error-page.tsx';
import { useStore } from '#client/shell/external-store.ts';
import { LoadingBar } from '#client/shell/loading-bar.tsx';
import { MissingPartsNotice } from '#client/shell/missing-parts-notice.tsx';
import { failureOf, failureMessage } from '#client/shell/page-failure.ts';
import { RouteAnnouncer } from '#client/shell/route-announcer.tsx';
import { SkipLink } from '#client/shell/skip-link.tsx';
import { Logo } from '#client/shell/logo.tsx';
import { toastStore } from '#client/shell/toasts.ts';
import { lazyPart } from '#client/ui/lazy-part.tsx';

const Toaster = lazyPart('short messages', () => import('#client/shell/toaster.tsx').then((m) => m.Toaster));

/** Fetched with the first message, and stays so that the last one can fade. */
function LazyToaster() {
  const isNeeded = useStore(toastStore).length > 0;
  const [wasNeeded, setWasNeeded] = useState(isNeeded);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  return isNeeded || wasNeeded ? <Toaster /> : null;
}

function RootFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <LoadingBar />
      {children}
      <RouteAnnouncer />
      <LazyToaster />
      <MissingPartsNotice />
      <ScrollRestoration />
    </>
  );
}

/** Wraps every page. */
export function RootLayout() {
  return (
    <RootFrame>
      <Head />
      <Outlet />
    </RootFrame>
  );
}

/** The error page under the mark alone. */
export function RootError() {
  const error = useRouteError();
  return (
    <RootFrame>
      <Head error={error} />
      <div className="flex min-h-dvh flex-col">
        <header className="px-4 py-5 sm:px-6">
          <a href="/" aria-label="Loci home" className="inline-flex rounded-control py-1">
            <Logo />
          </a>
        </header>
        <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
          <ErrorPage failure={failureOf(error)} />
        </main>
      </div>
    </RootFrame>
  );
}

/** Shown while the first chunks of the application arrive. */
export function RootFallback() {
  return <div className="min-h-dvh" aria-busy="true" />;
}

/** The title of the page that is open; nothing in it is for search engines. `error` is what the page failed with. */
function Head({ error }: { error?: unknown }) {
  const page = useMatches().findLast(({ handle }) => isPageRoute(handle))?.handle;
  const title =
    error === undefined ? isPageRoute(page) && page.title : failureMessage(failureOf(error)).title;
  return (
    <>
      <title>{titleOf(title || undefined)}</title>
      <meta name="robots" content="noindex" />
    </>
  );
}
