/**
 * A memory to be read beside something else: the current one of a list, or one that is cited. Everything else is done in the
 * list or in the viewer, which opens from here.
 */
import { Maximize2, X } from 'lucide-react';
import {
  useDeferredValue,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type ReactNode,
  type RefObject,
} from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { domainOf, memoryTitle } from '#shared/memories/memory-text.ts';
import { AutomaticSummary } from '#client/memories/automatic-summary.tsx';
import { ConnectionsPart } from '#client/memories/connections-part.tsx';
import { FilePart } from '#client/memories/file-part.tsx';
import { KIND_LABELS } from '#client/memories/memory-kind.tsx';
import { MemorySign } from '#client/memories/memory-sign.tsx';
import { NotesText } from '#client/memories/notes-editor.tsx';
import { PageText } from '#client/memories/page-text.tsx';
import { useSpacesOf } from '#client/memories/queries.ts';
import { ReadingScroll } from '#client/memories/reading-scroll.tsx';
import { useOpenMemory } from '#client/shell/memory-address.ts';
import { hasPageFocus } from '#client/shell/page-focus.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { SpaceName } from '#client/spaces/space-mark-card.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

function Meta({ row }: { row: MemoryHead }) {
  const spaces = useSpacesOf()(row.id);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-faint">
      <span className="flex items-center gap-1.5">
        <MemorySign row={row} />
        {row.url === null ? (
          (row.filename ?? KIND_LABELS[row.type])
        ) : (
          <a href={row.url} target="_blank" rel="noopener noreferrer" className="hover:underline">
            {domainOf(row.url)}
          </a>
        )}
      </span>
      <RelativeTime at={row.created} />
      {spaces.map((space) => (
        <SpaceName key={space.id} space={space} />
      ))}
      {row.tags.map((tag) => (
        <span key={tag}>#{tag}</span>
      ))}
    </p>
  );
}

interface PaneTextProps {
  row: MemoryHead;
  /** Beside the heading. */
  actions: ReactNode;
}

function PaneText({ row, actions }: PaneTextProps) {
  return (
    <ReadingScroll key={row.id} memoryId={row.id} className="min-h-0 flex-1 overflow-y-auto">
      <article className="mx-auto max-w-3xl px-6 py-7 lg:px-10">
        <div className="flex items-start gap-3">
          <h2 className="min-w-0 flex-1 font-serif text-title text-balance break-words">
            {memoryTitle(row)}
          </h2>
          {actions}
        </div>
        <Meta row={row} />
        {row.description !== null && <p className="mt-3 text-ink-muted">{row.description}</p>}
        <AutomaticSummary row={row} />
        <div className="mt-6">{row.bodyHash !== null && <NotesText row={row} />}</div>
        <FilePart row={row} />
        <PageText row={row} />
        <ConnectionsPart row={row} />
      </article>
    </ReadingScroll>
  );
}

function OpenButton({ row, replace = false }: { row: MemoryHead; replace?: boolean }) {
  const openMemory = useOpenMemory();
  return (
    <IconButton
      label="Open memory"
      keys={keysOf('list.open')}
      icon={<Maximize2 />}
      onClick={() => openMemory(row.id, { replace })}
    />
  );
}

/**
 * Measures where the list begins in the window: above the pane stands what the page has before its list, less and less of it
 * as the page scrolls, and the pane takes what that leaves, so that its last line is always in the window.
 */
function useFittedTop(pane: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = pane.current;
    const fit = () => {
      const top = element?.parentElement?.getBoundingClientRect().top ?? 0;
      element?.style.setProperty('--list-top', `${Math.max(0, top)}px`);
    };
    // Called before the first paint, and whenever what is above the list changes its height.
    const observer = new ResizeObserver(fit);
    observer.observe(document.body);
    fit();
    window.addEventListener('scroll', fit, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', fit);
    };
  }, [pane]);
}

const IN_PAGE = { when: hasPageFocus } as const;

/** Follows the list a moment later, so that a held key moves through the list without waiting for texts. */
export function ReadingPane({ row: current }: { row: MemoryHead }) {
  const row = useDeferredValue(current);
  const pane = useRef<HTMLElement>(null);
  const scroll = (by: 1 | -1) => {
    const scroller = pane.current?.querySelector('[data-scroll]');
    scroller?.scrollBy({ top: by * scroller.clientHeight * 0.9 });
  };
  useFittedTop(pane);
  useShortcut('reading.down', () => scroll(1), IN_PAGE);
  useShortcut('reading.up', () => scroll(-1), IN_PAGE);
  return (
    <section
      ref={pane}
      aria-label="Reading"
      data-reading-pane
      // Notes are no part of a snapshot of the screen.
      data-snapshot-frame
      className="sticky top-[calc(var(--bar)+0.25rem)] flex h-[calc(100dvh-max(var(--bar)+0.25rem,var(--list-top,0px))-1.5rem)] min-w-0 flex-col overflow-hidden rounded-dialog border border-line bg-raised"
    >
      <PaneText row={row} actions={<OpenButton row={row} />} />
    </section>
  );
}

/**
 * A memory beside the page whose citation led to it; the page makes room (styles.css). Has the focus when it opens, and returns
 * it to the citation.
 */
export function ReadingBeside({ row, close }: { row: MemoryHead; close: () => void }) {
  const pane = useRef<HTMLElement>(null);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing) close();
  });
  useLayoutEffect(() => {
    const element = pane.current;
    const { activeElement: origin } = document;
    element?.focus({ preventScroll: true });
    const closeByKey = (event: KeyboardEvent) => handleKey(event);
    element?.addEventListener('keydown', closeByKey);
    return () => {
      element?.removeEventListener('keydown', closeByKey);
      const isHere = element?.contains(document.activeElement) === true;
      if (isHere && origin instanceof HTMLElement) origin.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section
      ref={pane}
      aria-label="Reading"
      data-beside
      data-print="hide"
      tabIndex={-1}
      className="fixed inset-y-0 end-0 z-30 flex w-(--beside) flex-col border-s border-line bg-raised outline-none animate-fade-in"
    >
      <PaneText
        row={row}
        actions={
          <>
            <OpenButton row={row} replace />
            <IconButton label="Close" icon={<X />} onClick={close} />
          </>
        }
      />
    </section>
  );
}
