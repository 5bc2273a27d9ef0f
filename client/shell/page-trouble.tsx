/**
 * What stands in a workspace's page area when that page failed: the frame around it stays, and a page whose code could
 * not be fetched is tried again as soon as there is a network.
 */
import { useEffect } from 'react';
import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router';
import { ErrorPage } from '#client/shell/error-page.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';

const RETRY_MS = 5_000;

/** What browsers say of a module that did not arrive. */
const NOT_FETCHED =
  /dynamically imported module|Importing a module script failed|Unable to preload|Failed to fetch/i;

/** The error boundary of every page inside a workspace. */
export function PageTrouble() {
  const error = useRouteError();
  const isMissing = error instanceof TypeError && NOT_FETCHED.test(error.message);
  if (isMissing || (error instanceof Error && NOT_FETCHED.test(error.message))) return <MissingPage />;
  console.error('page:', error);
  const statusCode = isRouteErrorResponse(error) ? error.status : 500;
  return <ErrorPage failure={{ statusCode }} />;
}

function MissingPage() {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const here = pathname + search + hash;
  useEffect(() => {
    const retry = () => void navigate(here, { replace: true });
    const timer = setInterval(retry, RETRY_MS);
    addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      removeEventListener('online', retry);
    };
  }, [navigate, here]);
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-6 py-24">
      <h1 className="text-2xl font-semibold tracking-tight">This page could not be loaded</h1>
      <p className="mt-3 text-base text-ink-muted">
        Its code is not on this device yet and the server cannot be reached. It opens by itself as soon as it
        can. The rest of the application, and everything you wrote, is here.
      </p>
      <p className="mt-6">
        <button
          type="button"
          onClick={() => void navigate(here, { replace: true })}
          className={buttonStyle({ variant: 'primary' })}
        >
          Try again
        </button>
      </p>
    </section>
  );
}
