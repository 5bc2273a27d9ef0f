/** How the islands of public pages call public endpoints. */

const AWAY = 'The server cannot be reached. Check your connection and try again.';

/** The server's own words for a failure of `fetchPublic`. */
export async function problemIn(failure: unknown): Promise<string> {
  if (!(failure instanceof Response)) return AWAY;
  try {
    const { error }: { error: { detail: string } } = await failure.json();
    return error.detail;
  } catch {
    // A proxy in between responds in its own form.
    return AWAY;
  }
}

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
