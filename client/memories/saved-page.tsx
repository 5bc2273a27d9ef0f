/**
 * The page behind a link as it looked when it was saved. It is shown in a frame without scripts, so that nothing in it runs.
 * The frame of a page that is not too large has our origin, so that passages can be highlighted in it.
 */
import { useCallback, useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { snapshotOf } from '#shared/memories/memory-kinds.ts';
import { retryMemory } from '#client/memories/actions.ts';
import { sandboxFor } from '#client/memories/frame-access.ts';
import { HighlightButton } from '#client/memories/highlight-button.tsx';
import { prepareFrame } from '#client/memories/passages.ts';
import { useMemoryRights } from '#client/memories/queries.ts';
import type { Highlights } from '#client/memories/use-highlights.ts';
import { useReportedPassages, type Passages } from '#client/memories/use-passages.ts';
import { useSnapshot, useSource } from '#client/replica/use-file.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

const MISSING = {
  offline: 'This saved page is not on this device yet. It loads when you are online.',
  failed: 'Could not load this saved page. Try again in a moment.',
} as const;

interface ShownPage {
  row: MemoryHead;
  highlights: Highlights;
  onPassages: (passages: Passages | undefined) => void;
}

/** Undefined until the page was looked into. */
function useSandbox(blob: Blob): string | undefined {
  return useResolved(useCallback(() => sandboxFor(blob), [blob]));
}

function PageFrame({
  sandbox,
  blob,
  row,
  highlights,
  onPassages,
}: ShownPage & { sandbox: string; blob: Blob }) {
  const place = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<HTMLElement>();
  const handleLoad = ({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) => {
    const doc = currentTarget.contentDocument;
    if (doc?.URL.startsWith('blob:')) prepareFrame(doc);
    setRoot(doc?.documentElement);
  };
  useFrameKeys(root);
  useReportedPassages(root, highlights, onPassages);
  return (
    <div ref={place} className="relative">
      <iframe
        ref={useSource(blob)}
        title={`Saved page: ${memoryTitle(row)}`}
        sandbox={sandbox}
        referrerPolicy="no-referrer"
        onLoad={handleLoad}
        className="h-[70dvh] w-full rounded-card border border-line bg-white [color-scheme:light]"
      />
      {root !== undefined && highlights.isEditable && (
        <HighlightButton root={root} place={place} highlights={highlights} />
      )}
    </div>
  );
}

const LOADING = (
  <SkeletonGroup label="Loading the saved page">
    <Skeleton className="h-64 w-full" />
  </SkeletonGroup>
);

function LoadedPage(page: ShownPage & { blob: Blob }) {
  const sandbox = useSandbox(page.blob);
  if (sandbox === undefined) return LOADING;
  return (
    <>
      <PageFrame {...page} sandbox={sandbox} />
      {page.highlights.isEditable && !sandbox.includes('allow-same-origin') && (
        <p className="mt-2 text-xs text-ink-muted">
          This page is too large to highlight in. Highlight in its text instead.
        </p>
      )}
    </>
  );
}

function Snapshot({ taken, ...page }: ShownPage & { taken: string }) {
  const { file, again } = useSnapshot(page.row);
  return (
    <>
      <p className="mb-3 text-xs text-ink-muted">
        Saved <RelativeTime at={taken} />. Scripts and forms were removed, and links open the original
        addresses.
      </p>
      {file.state === 'ready' && <LoadedPage {...page} blob={file.blob} />}
      {file.state === 'loading' && LOADING}
      {(file.state === 'offline' || file.state === 'failed') && (
        <div className="flex flex-col items-start gap-2">
          <p className="text-ink-muted">{MISSING[file.state]}</p>
          <Button size="sm" onClick={again}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}

function NoSnapshot({ row }: { row: MemoryHead }) {
  const rights = useMemoryRights();
  if (row.contentStatus === 'pending' || row.contentStatus === 'processing')
    return <p className="text-ink-muted">This page is being saved.</p>;
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-muted">This link has no saved page, only its text.</p>
      {row.deletedAt === null && rights('memory.update', row) && (
        <Button size="sm" onClick={() => void retryMemory(row)}>
          Save page
        </Button>
      )}
    </div>
  );
}

/** @param page.onPassages is called with the highlights that were found in it */
export function SavedPage(page: ShownPage) {
  const snapshot = snapshotOf(page.row);
  return snapshot === undefined ? (
    <NoSnapshot row={page.row} />
  ) : (
    <Snapshot key={snapshot.hash} {...page} taken={snapshot.taken} />
  );
}

/**
 * The keys of the product inside the frame, whose events do not reach the page around it. Dispatches each key on the
 * frame's element, as if pressed there; handling it prevents the default inside the frame.
 */
function useFrameKeys(root: HTMLElement | undefined): void {
  useEffect(() => {
    const view = root?.ownerDocument.defaultView;
    const frame = view?.frameElement;
    if (!view || !frame) return undefined;
    const handleKey = (event: KeyboardEvent) => {
      // These belong to the control of the page that has the focus.
      const isControl = (event.target as Element).closest('a, summary') !== null;
      if (isControl && (event.key === 'Enter' || event.key === ' ')) return;
      const { key, code, altKey, ctrlKey, metaKey, shiftKey, repeat, isComposing } = event;
      const modifiers = { altKey, ctrlKey, metaKey, shiftKey };
      const init = { ...modifiers, key, code, repeat, isComposing, bubbles: true, cancelable: true };
      if (!frame.dispatchEvent(new KeyboardEvent('keydown', init))) event.preventDefault();
    };
    view.addEventListener('keydown', handleKey);
    return () => view.removeEventListener('keydown', handleKey);
  }, [root]);
}
