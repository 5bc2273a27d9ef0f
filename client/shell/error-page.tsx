/**
 * Error page: fixed texts and one link home. Header, footer and search belong to the layout around it; technical
 * details are not shown.
 */
import { useEffect } from 'react';
import { failLoadingBar } from '#client/shell/loading-bar-store.ts';
import { failureMessage, type PageFailure } from '#client/shell/page-failure.ts';
import { buttonStyle } from '#client/ui/button-style.ts';
import { UnlitArcade } from '#client/ui/empty-state.tsx';

interface ErrorPageProps {
  failure: PageFailure;
}

/** The message is shown only when it differs from the status message. */
export function ErrorPage({ failure }: ErrorPageProps) {
  const { title, description, message } = failureMessage(failure);
  useEffect(failLoadingBar, []);
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-6 py-24">
      <UnlitArcade className="mb-6" />
      <p className="text-sm font-medium text-primary tabular-nums">{failure.statusCode}</p>
      <h1 className="mt-2 font-serif text-title">{title}</h1>
      <p className="mt-3 text-base text-ink-muted">{description}</p>
      {message !== undefined && (
        <p className="mt-4 rounded-control bg-sunk px-3 py-2 font-mono text-xs break-all text-ink-muted">
          {message}
        </p>
      )}
      <p className="mt-8">
        <a href="/" className={buttonStyle({ variant: 'primary', size: 'lg' })}>
          Back to home
        </a>
      </p>
    </section>
  );
}
