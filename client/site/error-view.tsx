/** The error page as the public site shows it: the words and the way home, and the search below them. */
import { ErrorPage } from '#client/shell/error-page.tsx';
import type { PageFailure } from '#client/shell/page-failure.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';

/** Content only; header and footer are the frame's. */
export function ErrorView({ failure }: { failure: PageFailure }) {
  return (
    <div className="flex flex-1 flex-col">
      <ErrorPage failure={failure} />
      <div className="mx-auto -mt-12 w-full max-w-xl px-6 pb-24">
        <button
          type="button"
          data-action="search"
          className="flex h-11 w-full items-center gap-3 rounded-control border border-line-control bg-raised px-3 text-sm text-ink-muted hover:border-ink-faint"
        >
          <SiteIcon name="search" className="size-4" />
          Search the docs and the blog
        </button>
      </div>
    </div>
  );
}
