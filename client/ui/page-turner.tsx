/** The way between the pages of a list that the server has. */
import { Button } from '#client/ui/button.tsx';

interface PageTurnerProps {
  /** From 1. */
  page: number;
  pages: number;
  /** The words on the two buttons, for example "Newer events". */
  previous: string;
  next: string;
  onTurn: (page: number) => void;
}

export function PageTurner({ page, pages, previous, next, onTurn }: PageTurnerProps) {
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3">
      <Button size="sm" disabled={page === 1} onClick={() => onTurn(page - 1)}>
        {previous}
      </Button>
      <span className="text-xs text-ink-muted tabular-nums">
        Page {page} of {pages}
      </span>
      <Button size="sm" disabled={page >= pages} onClick={() => onTurn(page + 1)}>
        {next}
      </Button>
    </nav>
  );
}
