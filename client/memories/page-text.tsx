/**
 * The text of the page behind a link, to be read here: fetched by the server when the link was saved, and on this device
 * once it was downloaded.
 */
import type { MemoryHead } from '#shared/memories/memory.ts';
import { usePage } from '#client/replica/use-body.ts';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

const MISSING = {
  offline: 'The text of this page is not on this device yet. It loads when you are online.',
  failed: 'Could not load the text of this page. Try again in a moment.',
} as const;

/** Renders nothing for a memory without a page. */
export function PageText({ row }: { row: MemoryHead }) {
  const page = usePage(row);
  if (page === undefined) return null;
  return (
    <section aria-label="Page" className="mt-8 border-t border-line pt-5">
      <h3 className="mb-3 text-xs font-medium text-ink-faint">Page</h3>
      {page.state === 'ready' && <LazyMarkdown source={page.text} />}
      {page.state === 'loading' && (
        <SkeletonGroup label="Loading the text of the page">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="mt-2 h-4 w-11/12" />
          <Skeleton className="mt-2 h-4 w-4/5" />
        </SkeletonGroup>
      )}
      {(page.state === 'offline' || page.state === 'failed') && (
        <p className="text-ink-muted">{MISSING[page.state]}</p>
      )}
    </section>
  );
}
