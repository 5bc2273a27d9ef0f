/**
 * Links to the newer and older pages of a list; they work without script and can be shared.
 */
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';

interface PageLinksProps {
  page: number;
  hasNext: boolean;
  /** Query of a page's address, beginning with `?`. */
  hrefOf: (page: number) => string;
}

/** Nothing where one page holds everything. */
export function PageLinks({ page, hasNext, hrefOf }: PageLinksProps) {
  if (page === 1 && !hasNext) return null;
  return (
    <nav aria-label="Pages" className="mt-8 flex items-center justify-between gap-3">
      {page > 1 ? (
        <a href={hrefOf(page - 1)} className={buttonStyle()}>
          <SiteIcon name="arrow-left" />
          Previous
        </a>
      ) : (
        <span />
      )}
      <span className="text-ink-muted">Page {page}</span>
      {hasNext ? (
        <a href={hrefOf(page + 1)} className={buttonStyle()}>
          Next
          <SiteIcon name="arrow-right" />
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
