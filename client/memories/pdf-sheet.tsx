/**
 * One page of a PDF: a picture with its words over it, so that they can be selected, found in the page and read aloud. Drawn
 * while it is near the visible part, so that a long document uses no more memory than a short one.
 */
import { useEffect, useRef, useState } from 'react';
import { TextLayer, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useIsNear } from '#client/ui/use-is-near.ts';

/** Distance in pixels at which a page begins to be drawn. */
const AHEAD = 600;
/** More dots than this no screen shows, and browsers refuse much larger canvases. */
const DOTS_MAX = 16_000_000;
const SIDE_MAX = 8_192;
const DENSITY_MAX = 2;

interface PdfSheetProps {
  document: PDFDocumentProxy;
  /** From 1. */
  number: number;
  /** Width on the screen. */
  width: number;
  /** Height for one of width, until the page is known. */
  ratio: number;
}

function densityFor(width: number, height: number): number {
  const wanted = Math.min(globalThis.devicePixelRatio, DENSITY_MAX);
  const byDots = Math.sqrt(DOTS_MAX / Math.max(1, width * height));
  return Math.min(wanted, byDots, SIDE_MAX / Math.max(1, width), SIDE_MAX / Math.max(1, height));
}

function Drawing({ document, number, width, onRatio }: PdfSheetProps & { onRatio: (ratio: number) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState(false);
  useEffect(() => {
    let end: () => void = () => undefined;
    let isCurrent = true;
    const draw = async () => {
      const page = await document.getPage(number);
      const natural = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: width / natural.width });
      if (!isCurrent || !canvas.current || !words.current) return;
      onRatio(natural.height / natural.width);
      const density = densityFor(viewport.width, viewport.height);
      canvas.current.width = Math.max(1, Math.floor(viewport.width * density));
      canvas.current.height = Math.max(1, Math.floor(viewport.height * density));
      const transform = [density, 0, 0, density, 0, 0];
      const task = page.render({ canvas: canvas.current, viewport, transform });
      const container = words.current;
      container.replaceChildren();
      container.style.setProperty('--total-scale-factor', String(viewport.scale));
      const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport });
      end = () => {
        task.cancel();
        layer.cancel();
      };
      await Promise.all([task.promise, layer.render()]);
    };
    draw().catch((error: unknown) => {
      // Left or drawn again in another size before it was finished.
      if (!isCurrent) return;
      console.error('pdf: a page could not be drawn', error);
      setProblem(true);
    });
    return () => {
      isCurrent = false;
      end();
    };
  }, [document, number, width, onRatio]);
  return (
    <>
      <canvas ref={canvas} aria-hidden="true" className="absolute inset-0 size-full" />
      <div ref={words} className="pdf-words" />
      {problem && <p className="absolute inset-x-4 top-4 text-sm text-black">This page cannot be shown.</p>}
    </>
  );
}

/** Keeps its place while it is not drawn. */
export function PdfSheet(props: PdfSheetProps) {
  const [observe, isNear] = useIsNear(AHEAD);
  const [ratio, setRatio] = useState(props.ratio);
  return (
    <li
      ref={observe}
      aria-label={`Page ${props.number}`}
      style={{ width: props.width, height: Math.round(props.width * ratio) }}
      className="relative overflow-hidden bg-white"
    >
      {isNear && <Drawing {...props} onRatio={setRatio} />}
    </li>
  );
}
