/**
 * What a reader sees instead of a page that failed: exact words of the specification (section 2) and one clear way home.
 * The frame (header, footer, search) is the layout's around it; what went wrong inside is not explained here.
 */
import { useEffect } from 'react';
import { Link } from 'react-router';
import { failLoadingBar } from '#client/shell/loading-bar-store.ts';
import { failureWords, type PageFailure } from '#client/shell/page-failure.ts';
import { buttonStyle } from '#client/ui/button-style.ts';

interface ErrorPageProps {
  failure: PageFailure;
  /** Called with the click, for a router that must forget the error. */
  onHome?: () => void;
}

/** The message is shown only when it says something else than the status message. */
export function ErrorPage({ failure, onHome }: ErrorPageProps) {
  const { title, description, message } = failureWords(failure);
  useEffect(failLoadingBar, []);
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-6 py-24">
      <p className="font-mono text-sm font-medium text-primary-text">{failure.statusCode}</p>
      <h1 className="mt-2 text-3xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-3 text-base text-ink-muted">{description}</p>
      {message !== undefined && (
        <p className="mt-4 rounded-control bg-sunken px-3 py-2 font-mono text-xs break-all text-ink-muted">
          {message}
        </p>
      )}
      <p className="mt-8">
        <Link to="/" onClick={onHome} className={buttonStyle({ variant: 'primary', size: 'lg' })}>
          Back to home
        </Link>
      </p>
    </section>
  );
}
