// The size of a picture and a small version of it, without the place and the camera that the original may name.
import sharp from 'sharp';
import { FILES } from '#shared/constants.ts';
import type { FileSource, FoundText } from './file-source.ts';
import { UnreadableFile } from './unreadable-file.ts';

const QUALITIES = [60, 40, 20] as const;

/** @throws UnreadableFile for a damaged picture, and for one with too many pixels */
export async function readPicture({ bytes }: FileSource): Promise<FoundText> {
  const picture = () =>
    sharp(bytes, { limitInputPixels: FILES.imagePixelsMax, failOn: 'error', pages: 1 }).rotate();
  try {
    const { width, height, orientation = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > FILES.imagePixelsMax) throw new UnreadableFile('This picture has too many pixels.');
    const side = FILES.thumbnailPixels;
    for (const quality of QUALITIES) {
      const small = await picture()
        .resize(side, side, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality })
        .toBuffer();
      if (small.length > FILES.thumbnailBytesMax) continue;
      const isTurned = orientation >= 5;
      return {
        width: isTurned ? height : width,
        height: isTurned ? width : height,
        thumbnail: `data:image/webp;base64,${small.toString('base64')}`,
      };
    }
    return { width, height };
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('This picture is damaged.');
  }
}
