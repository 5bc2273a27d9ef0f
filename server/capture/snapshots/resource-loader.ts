// Fetches the stylesheets and pictures of one page through the guarded way out, within limits.
import { createFairQueue } from '../../fair-queue.ts';
import { type Egress, type EgressOptions, EgressError } from '../../providers/egress.ts';
import { PICTURES, type LoadResource, type ResourceKind } from './page-resource.ts';
import type { ResourceLimits } from './snapshot-limits.ts';

const ASKED: Readonly<Record<ResourceKind, Pick<EgressOptions, 'accept' | 'accepts'>>> = {
  style: { accept: 'text/css,*/*;q=0.1', accepts: (type) => type === 'text/css' },
  image: { accept: 'image/avif,image/webp,image/*;q=0.8', accepts: (type) => PICTURES.has(type) },
};

/** `signal` aborts running requests. */
export function createResourceLoader(
  egress: Pick<Egress, 'get'>,
  limits: ResourceLimits,
  signal: AbortSignal,
): LoadResource {
  const all = AbortSignal.any([signal, AbortSignal.timeout(limits.allMs)]);
  const counts: Record<ResourceKind, number> = { style: 0, image: 0 };
  const takeTurn = createFairQueue({ atOnce: limits.atOnce });
  let bytes = 0;
  return async ({ kind, url }) => {
    if (counts[kind] >= limits[kind].count) return undefined;
    counts[kind] += 1;
    return takeTurn('page', async () => {
      const maxBytes = Math.min(limits[kind].bytes, limits.bytes - bytes);
      if (all.aborted || maxBytes <= 0) return undefined;
      const each = AbortSignal.any([all, AbortSignal.timeout(limits.eachMs)]);
      try {
        const fetched = await egress.get(url, { ...ASKED[kind], maxBytes, signal: each, isPart: true });
        // Several run at once, each within the room that was left when it began.
        if (fetched.status !== 200 || bytes + fetched.body.length > limits.bytes) return undefined;
        bytes += fetched.body.length;
        const { mediaType, charset, body } = fetched;
        return { url: fetched.url, mediaType, charset, body };
      } catch (error) {
        // A page without one of its pictures is still worth keeping.
        if (error instanceof EgressError) return undefined;
        throw error;
      }
    });
  };
}
