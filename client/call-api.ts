/** How the islands of public pages call public endpoints. */

/** Calls a public endpoint over the network and returns its `result`; a failure is thrown as it came, with its words. */
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
