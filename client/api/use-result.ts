/** What one endpoint answers: asked at every visit, when the request is another one, and by `load`. */
import { useCallback } from 'react';
import type { RequestOf, ResultOf } from '#shared/define/endpoint.ts';
import type { ENDPOINTS, EndpointName } from '#shared/endpoints.ts';
import type { Answer } from '#client/api/client.ts';
import { api } from '#client/api/session-client.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';

type Endpoint<N extends EndpointName> = (typeof ENDPOINTS)[N];

/** @param read stays the same function between renders */
function useAnswer<N extends EndpointName, T>(
  name: N,
  request: RequestOf<Endpoint<N>>,
  read: (answer: Answer<ResultOf<Endpoint<N>>>) => T,
) {
  // Of the same text as long as it asks the same.
  const text = JSON.stringify(request);
  const fetch = useCallback(
    async (signal?: AbortSignal): Promise<T> => {
      const same: RequestOf<Endpoint<N>> = JSON.parse(text);
      return read(await api(name, same, { signal }));
    },
    [name, text, read],
  );
  return useLoaded(fetch);
}

const resultIn = <R>({ result }: Answer<R>): R => result;
const pageIn = <R>({ result, meta }: Answer<R>) => ({ rows: result, total: Number(meta['total'] ?? 0) });

export const NO_ROWS = { rows: [], total: 0 };

export function useResult<N extends EndpointName>(name: N, request: RequestOf<Endpoint<N>>) {
  return useAnswer<N, ResultOf<Endpoint<N>>>(name, request, resultIn);
}

/** One page of a list, with the number of rows on all pages. */
export function useResultPage<N extends EndpointName>(name: N, request: RequestOf<Endpoint<N>>) {
  return useAnswer<N, { rows: ResultOf<Endpoint<N>>; total: number }>(name, request, pageIn);
}
