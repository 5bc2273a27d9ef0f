// `fetch` for the origin of one service that the operator or a workspace has configured. The service's key is sent to no other
// address, without redirects and cookies, and no response is read beyond its limit.
import { EgressError, type EgressFault } from './egress.ts';

/** A `fetch` that reaches only the origin of `base`, and reads at most `maxBytes` of each answer. */
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

/** The fault behind an error that the SDK throws, without its message, which holds the request. */
export async function serviceFault<F extends string>(
  error: unknown,
  egressFaults: Partial<Record<EgressFault, F>>,
): Promise<F | 'busy' | 'network' | 'broken' | 'refused'> {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof EgressError) return egressFaults[at.fault] ?? 'network';
  const { APICallError } = await import('ai');
  if (!APICallError.isInstance(error)) return 'broken';
  const { statusCode } = error;
  if (statusCode === 429) return 'busy';
  if (statusCode === undefined || statusCode >= 500) return 'network';
  return statusCode >= 200 && statusCode < 300 ? 'broken' : 'refused';
}

const TOKENS_MAX = 10_000_000;

/** Services report any value; a count of tokens is a number that one call can reach. */
export function isTokenCount(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isInteger(tokens) && tokens >= 0 && tokens <= TOKENS_MAX;
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
