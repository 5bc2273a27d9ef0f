// Pictures that people send, and small versions of them without the place and the camera that the original may name.
import sharp, { type Sharp } from 'sharp';
import type { FileKind } from '#shared/capture/file-kinds.ts';
import { FILES } from '#shared/capture/limits.ts';
import type { FileSource, FoundText } from './file-source.ts';
import { UnreadableFile } from './unreadable-file.ts';

const QUALITIES = [60, 40, 20] as const;

/** Formats by the name that the library reports; a file of another format is not decoded. */
const FORMATS: Readonly<Partial<Record<FileKind, string>>> = {
  png: 'png',
  jpeg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  avif: 'heif',
};

// Only the decoders of these kinds: a file named as a picture may be a document that refers to files and addresses.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});
// Its process reads one file.
sharp.concurrency(1);
sharp.cache(false);

/** A picture that may be decoded: its first frame, turned as its camera was held. */
export interface CheckedPicture {
  width: number;
  height: number;
  open: () => Sharp;
}

/** Looks at the head alone. @throws UnreadableFile for another kind, and for too many pixels */
export async function checkPicture({
  kind,
  bytes,
}: Pick<FileSource, 'kind' | 'bytes'>): Promise<CheckedPicture> {
  const {
    format,
    width,
    height,
    orientation = 1,
  } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (format !== FORMATS[kind]) throw new UnreadableFile('This picture is not what its name says.');
  if (width * height > FILES.imagePixelsMax) throw new UnreadableFile('This picture has too many pixels.');
  const isTurned = orientation >= 5;
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    open: () => sharp(bytes, { limitInputPixels: FILES.imagePixelsMax, failOn: 'error', pages: 1 }).rotate(),
  };
}

/** Fitted into a square of this many pixels, and never enlarged. */
export function reduced(picture: Sharp, pixels: number): Sharp {
  return picture.resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true });
}

/** The version for lists as a data URL; undefined where it stays too large for a memory. */
export async function thumbnailOf(open: () => Sharp): Promise<string | undefined> {
  for (const quality of QUALITIES) {
    const small = await reduced(open(), FILES.thumbnailPixels).webp({ quality }).toBuffer();
    if (small.length <= FILES.thumbnailBytesMax) return `data:image/webp;base64,${small.toString('base64')}`;
  }
  return undefined;
}

/** The size of a picture and its version for lists. @throws UnreadableFile also for a damaged one */
export async function readPicture(source: FileSource): Promise<FoundText> {
  try {
    const { width, height, open } = await checkPicture(source);
    const thumbnail = await thumbnailOf(open);
    return { width, height, ...(thumbnail !== undefined && { thumbnail }) };
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('This picture is damaged.');
  }
}
