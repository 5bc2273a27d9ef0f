/** An open PDF. Its scripts and forms are never run, and no file that it refers to is fetched. */
import { useEffect, useState } from 'react';
import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Fonts, character maps and decoders that few files need; the build puts them there (client/build/pdf-parts.ts). */
const PARTS = new URL(import.meta.env.VITE_PDF_PARTS, globalThis.location.href).href;

/** The document with the shape of its first page, or its error. */
export type OpenedPdf =
  | { state: 'loading' }
  | { state: 'ready'; document: PDFDocumentProxy; ratio: number }
  | { state: 'broken'; reason: string };

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'This PDF is protected by a password. Download it to open it.';
  if (name === 'InvalidPDFException') return 'This PDF is damaged and cannot be shown.';
  console.error('pdf: a file could not be shown', error);
  return 'This PDF cannot be shown here. Download it to open it.';
}

/** Opens a file for as long as the component shows it. */
export function usePdf(blob: Blob): OpenedPdf {
  const [opened, setOpened] = useState<{ blob: Blob; pdf: OpenedPdf }>();
  useEffect(() => {
    let isCurrent = true;
    const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
    const worker = PDFWorker.create({ port });
    const open = async () => {
      const task = getDocument({
        data: await blob.arrayBuffer(),
        worker,
        enableXfa: false,
        cMapUrl: `${PARTS}cmaps/`,
        standardFontDataUrl: `${PARTS}standard_fonts/`,
        wasmUrl: `${PARTS}wasm/`,
        iccUrl: `${PARTS}iccs/`,
      });
      const document = await task.promise;
      const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
      return { state: 'ready', document, ratio: height / width } as const;
    };
    open()
      .catch((error: unknown) => ({ state: 'broken', reason: reasonOf(error) }) as const)
      .then((pdf) => isCurrent && setOpened({ blob, pdf }))
      .catch(reportError);
    return () => {
      isCurrent = false;
      worker.destroy();
      port.terminate();
    };
  }, [blob]);
  return opened?.blob === blob ? opened.pdf : { state: 'loading' };
}
