/**
 * Ways to the newer and older part of a list as real links, which work without script and can be shared.
 * Knows addresses only.
 */
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';

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
        <LinkButton to={hrefOf(page - 1)} icon={<SiteIcon name="arrow-left" />}>
          Previous
        </LinkButton>
      ) : (
        <span />
      )}
      <span className="text-ink-muted">Page {page}</span>
      {hasNext ? (
        <LinkButton to={hrefOf(page + 1)}>
          Next
          <SiteIcon name="arrow-right" />
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  );
}
