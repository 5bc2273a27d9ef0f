/** The way between the pages of a log, newest first. */
import { Button } from '#client/ui/button.tsx';

interface PageTurnerProps {
  /** From 1. */
  page: number;
  pages: number;
  /** What is listed, for example "events". */
  what: string;
  onTurn: (page: number) => void;
}

export function PageTurner({ page, pages, what, onTurn }: PageTurnerProps) {
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3">
      <Button size="sm" disabled={page === 1} onClick={() => onTurn(page - 1)}>
        Newer {what}
      </Button>
      <span className="text-xs text-ink-muted tabular-nums">
        Page {page} of {pages}
      </span>
      <Button size="sm" disabled={page >= pages} onClick={() => onTurn(page + 1)}>
        Older {what}
      </Button>
    </nav>
  );
}
