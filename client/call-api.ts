// How public pages call public endpoints: fetch in the browser; for their loaders in-process on the server (set there
// through the router's context).
import { createContext } from 'react-router';
import type { CallApi } from '#shared/site/render.ts';

/** Calls a public endpoint over the network and answers its `result`; a failure is thrown as it came, with its words. */
export async function fetchPublic<Result>(method: string, path: string, body?: unknown): Promise<Result> {
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw response;
  const answer: { result: Result } = await response.json();
  return answer.result;
}

/** Where loaders find the transport. */
export const callApiContext = createContext<CallApi>(fetchPublic);
