// The picture that a page names for itself, small: fetched through the guarded way out, decoded in a process with limits.
import { pictureKindOf } from '#shared/capture/file-kinds.ts';
import { TIMEOUTS } from '../../limits.ts';
import { EgressError, type Egress } from '../../providers/egress.ts';
import { drawInProcess } from '../preview-store.ts';
import type { DrawnPreview } from '../preview-source.ts';
import { RESOURCES } from './snapshot-limits.ts';

/** Smaller ones are signs of a site, or count visits. */
const SHORT_SIDE_MIN = 64;

/** Null without a picture that can be had within the limits and is worth showing. */
export async function drawPagePicture(
  egress: Pick<Egress, 'get'>,
  address: string,
): Promise<DrawnPreview | null> {
  try {
    const { status, mediaType, body } = await egress.get(address, {
      accept: 'image/webp,image/*;q=0.8',
      accepts: (type) => pictureKindOf(type) !== undefined,
      maxBytes: RESOURCES.image.bytes,
      signal: AbortSignal.timeout(TIMEOUTS.pagePart),
      isPart: true,
    });
    const kind = pictureKindOf(mediaType);
    if (status !== 200 || kind === undefined) return null;
    const drawn = await drawInProcess({ kind, filename: '', bytes: body });
    const { width = 0, height = 0 } = drawn?.facts ?? {};
    return Math.min(width, height) < SHORT_SIDE_MIN ? null : drawn;
  } catch (error) {
    // A page without its picture is still worth keeping.
    if (error instanceof EgressError) return null;
    throw error;
  }
}
