// The way to one service that the operator or a workspace named: `fetch` for its origin alone. No other address, no redirect and no
// cookie goes out with the service's key, and no answer is read beyond its limit.
import { EgressError } from './egress.ts';

/** A `fetch` that reaches the origin of `base` and nothing else, and reads at most `maxBytes` of each answer. */
export function createServiceFetch(
  base: string,
  maxBytes: number,
  send = globalThis.fetch,
): typeof globalThis.fetch {
  const { origin } = new URL(base);
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    if (address.origin !== origin || address.username !== '' || address.password !== '')
      throw new EgressError('blocked');
    const answer = await send(input, { ...init, redirect: 'manual', credentials: 'omit' });
    if (answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel();
      throw new EgressError('redirects');
    }
    if (Number(answer.headers.get('content-length') ?? 0) > maxBytes) {
      await answer.body?.cancel();
      throw new EgressError('too_large');
    }
    const { status, statusText, headers } = answer;
    return new Response(answer.body?.pipeThrough(limited(maxBytes)) ?? null, { status, statusText, headers });
  };
}

function limited(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new EgressError('too_large'));
      else controller.enqueue(chunk);
    },
  });
}
