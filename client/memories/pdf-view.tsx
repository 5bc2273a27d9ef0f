/**
 * The pages of a PDF, one below the other, with zoom. Loaded only when a PDF is opened.
 */
import { ZoomIn, ZoomOut } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import '#client/memories/pdf-view.css';
import { usePdf } from '#client/memories/pdf-document.ts';
import { PdfSheet } from '#client/memories/pdf-sheet.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { countOf } from '#shared/english.ts';

/** Shares of the width that there is. */
const ZOOMS = [1, 1.5, 2, 3] as const;

/** The width inside of the frame, as it changes. */
function useWidth(): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(0);
  const [observe] = useState(() => (element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [observe, width];
}

interface PdfViewProps {
  blob: Blob;
  name: string;
  /** Shown until its pages can be. */
  waiting: ReactNode;
}

/** Fits the width at first. */
export function PdfView({ blob, name, waiting }: PdfViewProps) {
  const pdf = usePdf(blob);
  const [observe, width] = useWidth();
  const [level, setLevel] = useState(0);
  if (pdf.state === 'loading') return waiting;
  if (pdf.state === 'broken')
    return (
      <p role="alert" className="text-ink-muted">
        {pdf.reason}
      </p>
    );
  const { document, ratio } = pdf;
  const count = document.numPages;
  const pages = Array.from({ length: count }, (_unused, index) => index + 1);
  return (
    <div>
      <div className="mb-2 flex items-center gap-1">
        <span className="flex-1 text-xs text-ink-muted">{countOf(count, 'page')}</span>
        <IconButton
          label="Zoom out"
          icon={<ZoomOut />}
          disabled={level === 0}
          onClick={() => setLevel(level - 1)}
        />
        <IconButton
          label="Zoom in"
          icon={<ZoomIn />}
          disabled={level === ZOOMS.length - 1}
          onClick={() => setLevel(level + 1)}
        />
      </div>
      <section
        aria-label={`Pages of ${name}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrolled with the arrow keys.
        tabIndex={0}
        className="overflow-x-auto rounded-card bg-sunk p-2 outline-offset-2 focus-visible:outline-2 focus-visible:outline-primary"
      >
        <div ref={observe}>
          {width > 0 && (
            <ol className="flex w-max flex-col gap-2">
              {pages.map((number) => (
                <PdfSheet
                  key={number}
                  document={document}
                  number={number}
                  width={Math.round(width * (ZOOMS[level] ?? 1))}
                  ratio={ratio}
                />
              ))}
            </ol>
          )}
        </div>
      </section>
    </div>
  );
}
