// How page loaders call public endpoints: fetch in the browser, in-process on the server (set there through the router's context).
import { createContext } from 'react-router';
import type { CallApi } from '#shared/site/render.ts';

/** Calls a public endpoint over the network and answers its `result`; a failure becomes the thrown status. */
const fetchApi: CallApi = async (method, path, body) => {
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Response(null, { status: response.status });
  const answer: { result: unknown } = await response.json();
  return answer.result;
};

/** Where loaders find the transport. */
export const callApiContext = createContext<CallApi>(fetchApi);
