// The process in which the icon of a site is drawn.
import decodeIco from 'decode-ico';
import sharp, { type Sharp } from 'sharp';
import { FILE_KINDS, fileKind, fileKindOf, isFileKind } from '#shared/capture/file-kinds.ts';
import { serveParent } from '../jobs/serve-parent.ts';
import { checkPicture, reduced } from './picture.ts';

/** As large as a sharp screen shows it. */
const ICON_PIXELS = 64;
/** Smaller ones count visits. */
const SIDE_MIN = 8;
const ICO = '0,0,1,0';

export interface IconBytes {
  bytes: Uint8Array;
}

/** WebP; null for what cannot be drawn. */
export interface DrawnIcon {
  icon: Uint8Array | null;
}

serveParent(drawIcon);

async function drawIcon({ bytes }: IconBytes): Promise<DrawnIcon> {
  try {
    const picture = bytes.subarray(0, 4).join(',') === ICO ? await ofIco(bytes) : await ofPicture(bytes);
    return { icon: picture && (await reduced(picture, ICON_PIXELS).webp({ quality: 90 }).toBuffer()) };
  } catch (error) {
    console.info('the icon of a site could not be drawn', error);
    return { icon: null };
  }
}

/** By its first bytes: servers name the media types of icons wrongly. */
async function ofPicture(bytes: Uint8Array): Promise<Sharp | null> {
  const kind = Object.keys(FILE_KINDS)
    .filter(isFileKind)
    .find((each) => fileKind(each).view === 'image' && fileKindOf(`icon.${each}`, bytes) === each);
  if (kind === undefined) return null;
  const { open, width, height } = await checkPicture({ kind, bytes });
  return Math.min(width, height) < SIDE_MIN ? null : open();
}

async function ofIco(bytes: Uint8Array): Promise<Sharp | null> {
  // In memory of its own: the decoder reads on behind a picture that is cut off.
  const [largest] = decodeIco(Uint8Array.from(bytes).buffer).toSorted(
    (one, other) => other.width - one.width,
  );
  if (largest === undefined) return null;
  if (largest.type === 'png') return ofPicture(largest.data);
  const { data, width, height } = largest;
  return width < SIDE_MIN ? null : sharp(data, { raw: { width, height, channels: 4 } });
}
