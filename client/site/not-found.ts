// The route of last resort: every address that is no page's.
import type { RouteObject } from 'react-router';
import { notFound } from '#client/guards.ts';
import { PageError } from '#client/root.tsx';

/** Throws the spec's not-found error, so that one error page serves all. */
export function notFoundRoute(): RouteObject {
  return {
    id: 'not-found',
    path: '*',
    loader: ({ request }) => {
      throw notFound(new URL(request.url).pathname);
    },
    Component: () => null,
    ErrorBoundary: PageError,
  };
}
