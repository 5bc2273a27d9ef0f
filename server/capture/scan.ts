// Pictures of a file as text recognition reads them best: upright, grey, on white, neither tiny nor huge. The engine never gets
// the original file. It runs in a process with limits.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import sharp, { type Sharp } from 'sharp';
import { FILES } from '#shared/capture/limits.ts';
import type { FileSource } from './file-source.ts';

/** Small pictures are enlarged twice, because letters of a few pixels are not recognised. */
const SMALL_SIDE = 1_200;
const LARGEST_SIDE = 3_500;
/** Pages of a PDF that are drawn, and the longer side of their pictures. */
const PAGES_MAX = 5;
const PAGE_SIDE = 2_400;

/** The pictures in PNG; of a PDF as many pages as are drawn in this time, in milliseconds. */
export async function drawScans(
  { kind, bytes }: Pick<FileSource, 'kind' | 'bytes'>,
  enoughMs: number,
): Promise<Uint8Array[]> {
  if (kind === 'pdf') return drawPages(bytes, performance.now() + enoughMs);
  const picture = sharp(bytes, { limitInputPixels: FILES.imagePixelsMax, failOn: 'error', pages: 1 });
  const { width, height } = await picture.metadata();
  return [await scanOf(picture.rotate(), Math.max(width, height))];
}

function scanOf(picture: Sharp, longest: number): Promise<Buffer> {
  const side = longest < SMALL_SIDE ? 2 * longest : Math.min(longest, LARGEST_SIDE);
  return picture
    .flatten({ background: 'white' })
    .grayscale()
    .toColourspace('b-w')
    .resize(side, side, { fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Its types are those of browsers, also for other canvases. */
type RenderOrder = Parameters<PDFPageProxy['render']>[0];

/** The part of pdf.js's canvas factory for Node that is used; its types only say `object`. */
interface Drawing {
  canvas: { toBuffer(type: 'image/png'): Buffer };
  context: object;
}
interface CanvasFactory {
  create(width: number, height: number): Drawing;
  destroy(drawing: Drawing): void;
}

/** The first pages of a PDF. */
async function drawPages(bytes: Uint8Array, end: number): Promise<Uint8Array[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const loading = getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 });
  try {
    const document = await loading.promise;
    const drawings = document.canvasFactory as CanvasFactory;
    const scans: Uint8Array[] = [];
    const last = Math.min(document.numPages, PAGES_MAX);
    for (let number = 1; number <= last && (number === 1 || performance.now() < end); number += 1) {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: PAGE_SIDE / Math.max(width, height) });
      const drawing = drawings.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
      const order = { canvas: null, canvasContext: drawing.context, viewport };
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- Necessary where the types of the DOM are known, as in the tests.
      await page.render(order as RenderOrder).promise;
      page.cleanup();
      scans.push(await scanOf(sharp(drawing.canvas.toBuffer('image/png')), PAGE_SIDE));
      drawings.destroy(drawing);
    }
    return scans;
  } finally {
    await loading.destroy();
  }
}
