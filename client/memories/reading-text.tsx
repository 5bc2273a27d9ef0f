/**
 * A text to be read: formatted, with a table of its headings where it is long.
 */
import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { NoteReferences } from '#client/memories/note-references.tsx';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';

/** Fewer headings need no table, nor does a text that fits on a screen or two. */
const LONG = { headings: 3, characters: 2_500 } as const;
/** Equal to the container query `@3xl`. */
const BESIDE_PX = 768;
const HEADINGS = 'h2, h3, h4';
/** A table of more is no help, and drawing it would hold up the page. */
const HEADINGS_MAX = 200;
const INDENT: Readonly<Record<string, string>> = { H2: '', H3: 'ps-3', H4: 'ps-6' };

interface Heading {
  element: HTMLElement;
  level: string;
  text: string;
}

/** The headings as they are drawn: a long text arrives in pieces. */
function useHeadings(source: string) {
  const frame = useRef<HTMLDivElement>(null);
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || source.length < LONG.characters) {
      setHeadings([]);
      return undefined;
    }
    const look = () => {
      const found = [...element.querySelectorAll<HTMLElement>(HEADINGS)].slice(0, HEADINGS_MAX);
      // A text is drawn from its beginning, so these stay the first.
      if (found.length === HEADINGS_MAX) observer.disconnect();
      setHeadings((before) => {
        const same = found.length === before.length && found.every((each, n) => each === before[n]?.element);
        return same
          ? before
          : found.map((each) => ({ element: each, level: each.tagName, text: each.textContent }));
      });
    };
    // Before the browser lays out the added nodes: a table added later would move the text while it is read.
    const observer = new MutationObserver(() => flushSync(look));
    observer.observe(element, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [source]);
  return { frame, headings };
}

/** Beside the text it is open, above it closed. */
function openWhereWide(details: HTMLDetailsElement | null): void {
  if (details) details.open = (details.parentElement?.clientWidth ?? 0) >= BESIDE_PX;
}

function goTo({ element }: Heading): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'start' });
}

/** Beside the text where there is room, above it where not. */
export function ReadingText({ source }: { source: string }) {
  const { frame, headings } = useHeadings(source);
  return (
    <div className="@container">
      <div className="flex flex-col gap-6 @3xl:flex-row-reverse @3xl:justify-end">
        {headings.length >= LONG.headings && (
          <details
            ref={openWhereWide}
            className="h-fit max-w-reading shrink-0 rounded-card border border-line p-3 text-sm @3xl:sticky @3xl:top-4 @3xl:w-60 @3xl:border-0"
          >
            <summary className="w-fit cursor-pointer rounded-control text-xs font-medium text-ink-muted">
              Contents
            </summary>
            <nav aria-label="Contents" className="mt-2 max-h-64 overflow-y-auto @3xl:max-h-[60dvh]">
              <ul>
                {headings.map((heading, index) => (
                  <li key={index} className={INDENT[heading.level]}>
                    <button
                      type="button"
                      onClick={() => goTo(heading)}
                      className="w-full cursor-pointer truncate rounded-control px-1 py-1 text-start text-ink-muted hover:bg-hover hover:text-ink pointer-coarse:py-2.5"
                    >
                      {heading.text}
                    </button>
                  </li>
                ))}
              </ul>
            </nav>
          </details>
        )}
        <div ref={frame} className="max-w-reading min-w-0 flex-1 **:[:is(h2,h3,h4)]:scroll-mt-4">
          <NoteReferences>
            <LazyMarkdown source={source} />
          </NoteReferences>
        </div>
      </div>
    </div>
  );
}
