/**
 * The not-found page inside the application: an address below a workspace that names nothing there.
 * The words are fixed; the sidebar stays around it.
 */
import { useLocation } from 'react-router';
import { ErrorPage } from '#client/shell/error-page.tsx';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { pageNotFoundMessage } from '#shared/errors.ts';

const STATUS = { statusCode: 404, statusMessage: 'Page not found' } as const;

/** Names the requested path. */
export function MissingPage() {
  const { pathname } = useLocation();
  usePageTitle(STATUS.statusMessage);
  return (
    <>
      <PageBar />
      <ErrorPage failure={{ ...STATUS, message: pageNotFoundMessage(pathname) }} />
    </>
  );
}
