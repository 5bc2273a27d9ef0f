/**
 * The text of the page behind a link or of an uploaded file, to be read here: taken by the server when the memory was
 * saved, and on this device once it was downloaded.
 */
import { fileKind, kindOfName } from '#shared/capture/file-kinds.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { ReadingText } from '#client/memories/reading-text.tsx';
import { usePage } from '#client/replica/use-body.ts';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

function missing(state: 'offline' | 'failed', what: string): string {
  return state === 'offline'
    ? `The text of this ${what} is not on this device yet. It loads when you are online.`
    : `Could not load the text of this ${what}. Try again in a moment.`;
}

type Page = NonNullable<ReturnType<typeof usePage>>;

function PageContent({ page, what }: { page: Page; what: string }) {
  if (page.state === 'ready') return <ReadingText source={page.text} />;
  if (page.state !== 'loading') return <p className="text-ink-muted">{missing(page.state, what)}</p>;
  return (
    <SkeletonGroup label={`Loading the text of the ${what}`}>
      <Skeleton className="h-4 w-full" />
      <Skeleton className="mt-2 h-4 w-11/12" />
      <Skeleton className="mt-2 h-4 w-4/5" />
    </SkeletonGroup>
  );
}

/** Whether the file itself is shown, so that its text is only a help. */
function isShown({ type, filename }: MemoryHead): boolean {
  const kind = type === 'file' ? kindOfName(filename ?? '') : undefined;
  return kind !== undefined && fileKind(kind).view !== undefined;
}

/** Renders nothing for a memory without such a text. */
export function PageText({ row }: { row: MemoryHead }) {
  const page = usePage(row);
  if (page === undefined) return null;
  const [what, title] = row.type === 'file' ? ['file', 'Text'] : ['page', 'Page'];
  if (isShown(row)) {
    return (
      <details className="mt-6">
        <summary className="w-fit cursor-pointer rounded-control text-xs font-medium text-ink-muted">
          Text of this file
        </summary>
        <div className="mt-3">
          <PageContent page={page} what={what} />
        </div>
      </details>
    );
  }
  return (
    <section aria-label={title} className="mt-8 border-t border-line pt-5">
      <h3 className="mb-3 text-xs font-medium text-ink-faint">{title}</h3>
      <PageContent page={page} what={what} />
    </section>
  );
}
