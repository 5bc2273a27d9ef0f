/**
 * The text of the page behind a link or of an uploaded file, to be read here: extracted by the server when the memory was
 * saved, and on this device once it was downloaded.
 */
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { fileKind, kindOfName } from '#shared/capture/file-kinds.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { snapshotOf } from '#shared/memories/memory-kinds.ts';
import { HighlightButton } from '#client/memories/highlight-button.tsx';
import { HighlightList } from '#client/memories/highlight-list.tsx';
import { ReadingText } from '#client/memories/reading-text.tsx';
import { SavedPage } from '#client/memories/saved-page.tsx';
import { useHighlights, type Highlights } from '#client/memories/use-highlights.ts';
import { usePagePictures } from '#client/memories/use-page-pictures.ts';
import { useReportedPassages, type Passages } from '#client/memories/use-passages.ts';
import { usePage } from '#client/replica/use-body.ts';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';
import { TextPictures } from '#client/ui/text-references.ts';

const FORMS = [
  { value: 'text', label: 'Text' },
  { value: 'page', label: 'Saved page' },
] as const;

function missing(state: 'offline' | 'failed', what: string): string {
  return state === 'offline'
    ? `The text of this ${what} is not on this device yet. It loads when you are online.`
    : `Could not load the text of this ${what}. Try again in a moment.`;
}

type Page = NonNullable<ReturnType<typeof usePage>>;

function LoadingText({ what }: { what: string }) {
  return (
    <SkeletonGroup label={`Loading the text of the ${what}`}>
      <Skeleton className="h-4 w-full" />
      <Skeleton className="mt-2 h-4 w-11/12" />
      <Skeleton className="mt-2 h-4 w-4/5" />
    </SkeletonGroup>
  );
}

interface PageContentProps {
  page: Page;
  what: string;
  show?: (text: string) => ReactNode;
}

function PageContent({ page, what, show = (text) => <ReadingText source={text} /> }: PageContentProps) {
  if (page.state === 'ready') return show(page.text);
  if (page.state === 'loading') return <LoadingText what={what} />;
  return <p className="text-ink-muted">{missing(page.state, what)}</p>;
}

/** Whether the file itself is shown, so that its text is only a help. */
function isShown({ type, filename }: MemoryHead): boolean {
  const kind = type === 'file' ? kindOfName(filename ?? '') : undefined;
  return kind !== undefined && fileKind(kind).view !== undefined;
}

interface HighlightedTextProps {
  row: MemoryHead;
  source: string;
  highlights: Highlights;
  onPassages: (passages: Passages | undefined) => void;
}

function HighlightedText({ row, source, highlights, onPassages }: HighlightedTextProps) {
  const pictures = usePagePictures(row, source);
  const place = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<HTMLElement>();
  useReportedPassages(root, highlights, onPassages);
  if (pictures === undefined) return <LoadingText what="page" />;
  return (
    <div ref={place} className="relative">
      <div ref={(element) => setRoot(element ?? undefined)}>
        <TextPictures value={pictures}>
          <ReadingText source={source} />
        </TextPictures>
      </div>
      {root !== undefined && highlights.isEditable && (
        <HighlightButton root={root} place={place} highlights={highlights} />
      )}
    </div>
  );
}

/** The page behind a link in two forms: its text, and as it looked. Links that were never captured have neither. */
function LinkPage({ row }: { row: MemoryHead }) {
  const page = usePage(row);
  const highlights = useHighlights(row);
  const [passages, setPassages] = useState<{ of: Passages | undefined }>();
  const takePassages = useCallback((of: Passages | undefined) => setPassages({ of }), []);
  const [chosen, setChosen] = useState<'text' | 'page'>('text');
  if (page === undefined && snapshotOf(row) === undefined) return null;
  const form = page === undefined ? 'page' : chosen;
  return (
    <section aria-label="Page" className="mt-8 border-t border-line pt-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="text-xs font-medium text-ink-faint">Page</h3>
        {page !== undefined && (
          <SegmentedControl label="Show page as" options={FORMS} value={form} onValueChange={setChosen} />
        )}
      </div>
      <HighlightList
        highlights={highlights}
        passages={passages?.of}
        shown={form === 'page' ? 'saved page' : 'text'}
      />
      {form === 'page' || page === undefined ? (
        <SavedPage row={row} highlights={highlights} onPassages={takePassages} />
      ) : (
        <PageContent
          page={page}
          what="page"
          show={(text) => (
            <HighlightedText row={row} source={text} highlights={highlights} onPassages={takePassages} />
          )}
        />
      )}
    </section>
  );
}

/** Renders nothing for a memory without such a text. */
export function PageText({ row }: { row: MemoryHead }) {
  return row.type === 'link' ? <LinkPage row={row} /> : <TextOfMemory row={row} />;
}

/** Of a file, or of a former link. */
function TextOfMemory({ row }: { row: MemoryHead }) {
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
