/** How the islands of public pages call the API. */

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

interface Call {
  method: string;
  path: string;
  body?: unknown;
  /** Of the session that the call belongs to. */
  token?: string;
}

async function call<Result>({ method, path, body, token }: Call): Promise<Result> {
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw response;
  const answer: { result: Result } = await response.json();
  return answer.result;
}

/** Calls a public endpoint over the network and returns its `result`. @throws the failed response, unread */
export function fetchPublic<Result>(method: string, path: string, body?: unknown): Promise<Result> {
  return call({ method, path, body });
}

/** The same with a session's token. @throws the failed response, unread */
export function fetchSigned<Result>(
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Result> {
  return call({ method, path, body, token });
}
