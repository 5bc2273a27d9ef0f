/**
 * Shown in a workspace's page area when the page's code could not be fetched: the frame around it stays, and the page
 * is retried as soon as the network is back. Other failures are shown by the root's error page.
 */
import type { ComponentType } from 'react';
import { buttonStyle } from '#client/ui/button-style.ts';
import { UnlitArcade } from '#client/ui/empty-state.tsx';
import { lazyPart, retryMissingParts } from '#client/ui/lazy-part.tsx';

/** A page whose code loads on demand, with a message in its place when it cannot be loaded. */
export function waitForPage(load: () => Promise<ComponentType>): ComponentType {
  return lazyPart('this page', load, MissingPage);
}

function MissingPage() {
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-6 py-24">
      <UnlitArcade className="mb-6" />
      <h1 className="font-serif text-page">This page could not be loaded</h1>
      <p className="mt-3 text-base text-ink-muted">
        This page is not on this device yet, and the server cannot be reached. It opens as soon as it can.
        Everything else, including what you wrote, is available.
      </p>
      <p className="mt-6">
        <button type="button" onClick={retryMissingParts} className={buttonStyle({ variant: 'primary' })}>
          Try again
        </button>
      </p>
    </section>
  );
}
