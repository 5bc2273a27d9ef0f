import { useCallback } from 'react';
import type { RequestOf, ResultOf } from '#shared/define/endpoint.ts';
import type { ENDPOINTS, EndpointName } from '#shared/endpoints.ts';
import { api } from '#client/api/session-client.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';

type Endpoints = typeof ENDPOINTS;

/** What an endpoint answers to a request: asked at every visit, when the request is another one, and by `load`. */
export function useResult<N extends EndpointName>(name: N, request: RequestOf<Endpoints[N]>) {
  // Of the same text as long as it asks the same.
  const text = JSON.stringify(request);
  const fetch = useCallback(
    async (signal?: AbortSignal): Promise<ResultOf<Endpoints[N]>> => {
      const same: RequestOf<Endpoints[N]> = JSON.parse(text);
      return (await api(name, same, { signal })).result;
    },
    [name, text],
  );
  return useLoaded(fetch);
}
