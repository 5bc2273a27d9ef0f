// The root of every page: head, scroll rules, focus and announcement after navigation, loading bar, overlays.
// Also what stands in when something fails (the error page) or is not there yet (the fallback).
import type { ReactNode } from 'react';
import { Outlet, ScrollRestoration, useRouteError } from 'react-router';
import { Head } from '#client/head.tsx';
import { LoadingBar } from '#client/shell/loading-bar.tsx';
import { MissingPartsNotice } from '#client/shell/missing-parts-notice.tsx';
import { RouteAnnouncer } from '#client/shell/route-announcer.tsx';
import { SkipLink } from '#client/shell/skip-link.tsx';
import { ErrorView } from '#client/site/error-view.tsx';
import { LazyOverlays } from '#client/site/lazy-overlays.tsx';
import { SiteFrame } from '#client/site/site-frame.tsx';

function RootFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <LoadingBar />
      {children}
      <RouteAnnouncer />
      <LazyOverlays />
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

/** The error page with its own frame, for failures outside the public site's layout. */
export function RootError() {
  const error = useRouteError();
  return (
    <RootFrame>
      <Head error={error} />
      <SiteFrame>
        <ErrorView error={error} />
      </SiteFrame>
    </RootFrame>
  );
}

/** The error page inside the public site's layout. */
export function PageError() {
  const error = useRouteError();
  return (
    <>
      <Head error={error} />
      <ErrorView error={error} />
    </>
  );
}

/** Shown while the first chunks of the application arrive. */
export function RootFallback() {
  return <div className="min-h-dvh" aria-busy="true" />;
}
