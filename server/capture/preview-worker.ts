// The process in which one preview is drawn. It is not the one that reads the text: a page that is too much to draw may
// still be found by its words.
import sharp from 'sharp';
import { serveParent } from '../jobs/serve-parent.ts';
import type { FileSource } from './file-source.ts';
import { drawFirstPage } from './pdf-picture.ts';
import { checkPicture, reduced, thumbnailOf } from './picture.ts';
import { PREVIEW_PIXELS, type DrawnPreview, type Drawing } from './preview-source.ts';

const QUALITY = 78;

serveParent(draw);

/** The reader of the file has reported its errors. */
async function draw(file: FileSource): Promise<Drawing> {
  try {
    return { drawn: await (file.kind === 'pdf' ? drawPdf(file) : drawPicture(file)) };
  } catch (error) {
    console.info('the preview of a file could not be drawn', error);
    return { drawn: null };
  }
}

async function drawPicture(file: FileSource): Promise<DrawnPreview> {
  const { open, width, height } = await checkPicture(file);
  const bytes = await reduced(open(), PREVIEW_PIXELS).webp({ quality: QUALITY }).toBuffer();
  return { bytes, facts: { width, height, ...small(await thumbnailOf(open)) } };
}

async function drawPdf(file: FileSource): Promise<DrawnPreview> {
  const { pixels, width, height } = await drawFirstPage(file.bytes);
  const open = () => sharp(pixels, { raw: { width, height, channels: 4 } }).flatten({ background: '#fff' });
  const bytes = await open().webp({ quality: QUALITY }).toBuffer();
  return { bytes, facts: { width, height, ...small(await thumbnailOf(open)) } };
}

const small = (thumbnail: string | undefined) => (thumbnail === undefined ? {} : { thumbnail });
