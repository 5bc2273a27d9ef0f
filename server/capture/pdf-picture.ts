// The first page of a PDF as a picture. Nothing but the page is drawn: no forms, notes, scripts or fonts of this machine.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createCanvas } from '@napi-rs/canvas';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { FILES } from '#shared/capture/limits.ts';
import { PREVIEW_PIXELS } from './preview-source.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** Fonts and character maps that a file may leave out; the folders end in a slash. */
const PARTS = path.resolve(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')), '..');
const partsIn = (folder: string) => `${path.join(PARTS, folder)}${path.sep}`;

/** Pixels with four bytes each. */
export interface Drawing {
  width: number;
  height: number;
  pixels: Buffer;
}

/** @throws UnreadableFile for a page that has no shape to draw */
export async function drawFirstPage(bytes: Uint8Array): Promise<Drawing> {
  const loading = getDocument({
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    maxImageSize: FILES.imagePixelsMax,
    standardFontDataUrl: partsIn('standard_fonts'),
    cMapUrl: partsIn('cmaps'),
    iccUrl: partsIn('iccs'),
    wasmUrl: pathToFileURL(partsIn('wasm')).href,
    verbosity: 0,
  });
  try {
    const page = await (await loading.promise).getPage(1);
    const whole = page.getViewport({ scale: 1 });
    const longest = Math.max(whole.width, whole.height);
    if (!(longest > 0 && Number.isFinite(longest))) throw new UnreadableFile('This page has no size.');
    const viewport = page.getViewport({ scale: PREVIEW_PIXELS / longest });
    const width = Math.max(1, Math.round(viewport.width));
    const height = Math.max(1, Math.round(viewport.height));
    const canvas = createCanvas(width, height);
    const canvasContext = canvas.getContext('2d');
    // The library is typed for browsers; it draws on every canvas with the same methods.
    await page.render({ canvas: null, canvasContext: Object(canvasContext), viewport, background: '#fff' })
      .promise;
    return { width, height, pixels: Buffer.from(canvas.data()) };
  } finally {
    await loading.destroy();
  }
}
