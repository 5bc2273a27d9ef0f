// The typed client of the REST API, derived from the table of endpoints. It throws problems that client/shell/problem-toast.ts
// can show; the session and the transport are parameters.
import type { AnyEndpoint, RequestOf, ResultOf } from '#shared/define/endpoint.ts';
import { fillPath } from '#shared/define/fill-path.ts';
import { ENDPOINTS, type EndpointName } from '#shared/endpoints.ts';
import { ERRORS } from '#shared/errors.ts';
import { ApiProblem, asRecord } from '#client/api/api-problem.ts';

type Endpoints = typeof ENDPOINTS;

/** A successful response: its result, and the fields of its `meta`. */
export interface Answer<R> {
  result: R;
  meta: Readonly<Record<string, unknown>>;
  status: number;
  headers: Headers;
}

/** The transport of requests: fetch by default, or a function inside the same process. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  token(): string | undefined;
  transport?: Transport;
  /** Called at every 401, before it is thrown, with the token that was refused. */
  onUnauthorized?(token: string | undefined): void;
  /** Attempts at a call that may safely be repeated. */
  attempts?: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** Calls an endpoint by its name. @throws ApiProblem, or the transport's own error when there was no answer */
export type ApiClient = <N extends EndpointName>(
  name: N,
  request: RequestOf<Endpoints[N]>,
  options?: CallOptions,
) => Promise<Answer<ResultOf<Endpoints[N]>>>;

const RETRY_STATUSES = new Set([429, 502, 503, 504]);
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 60_000;
const ATTEMPTS = 3;

/** Builds a client; one per session is enough. */
export function createClient(options: ClientOptions): ApiClient {
  const transport = options.transport ?? ((path, init) => fetch(path, init));
  return async (name, request, callOptions = {}) => {
    const endpoint: AnyEndpoint = ENDPOINTS[name];
    const token = endpoint.auth === 'public' ? undefined : options.token();
    const send = () =>
      transport(addressOf(endpoint, request), requestInit(endpoint, { request, callOptions, token }));
    const response = await withRetries(send, options.attempts ?? ATTEMPTS);
    if (!response.ok) {
      if (response.status === ERRORS.unauthorized.status) options.onUnauthorized?.(token);
      throw new ApiProblem(response.status, await readJson(response), retryAfterOf(response));
    }
    return readAnswer(endpoint, response);
  };
}

interface AnyRequest {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

function addressOf(endpoint: AnyEndpoint, { params, query }: AnyRequest): string {
  const path = fillPath(endpoint.path, asRecord(params));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(asRecord(query))) {
    if (value === undefined || value === null) continue;
    const text = Array.isArray(value) ? value.join(',') : value;
    search.set(key, typeof text === 'string' ? text : JSON.stringify(text));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function requestInit(
  endpoint: AnyEndpoint,
  given: { request: AnyRequest; callOptions: CallOptions; token: string | undefined },
): RequestInit {
  const { request, callOptions, token } = given;
  const headers = new Headers({ accept: 'application/json', ...callOptions.headers });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  // Every POST can be repeated after a lost response.
  if (endpoint.method === 'POST' && token !== undefined && !headers.has('idempotency-key')) {
    headers.set('idempotency-key', crypto.randomUUID());
  }
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  return {
    method: endpoint.method,
    // Log-ins alone use a cookie: the one by which the server knows a device that has logged in before.
    credentials: token === undefined ? 'same-origin' : 'omit',
    headers,
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(callOptions.signal ? { signal: callOptions.signal } : {}),
  };
}

/** Repeats what the server refused for the moment; a request without any answer fails at once, the caller may be offline. */
async function withRetries(send: () => Promise<Response>, attempts: number): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send();
    const wait = retryAfterOf(response) ?? 0;
    if (!RETRY_STATUSES.has(response.status) || attempt >= attempts || wait * 1_000 > RETRY_MAX_MS)
      return response;
    const backOff = Math.random() * Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, Math.max(wait * 1_000, backOff)));
  }
}

/** Parses a body by its row in the table of endpoints without validating it; contract tests check the server. */
async function readAnswer<R>(endpoint: AnyEndpoint, response: Response): Promise<Answer<R>> {
  const { status, headers } = response;
  // A browser keeps it on the disk; as a text it would be in memory, and damaged.
  if (endpoint.mediaType === 'application/zip')
    return { result: (await response.blob()) as R, meta: {}, status, headers };
  const text = await response.text();
  const json = endpoint.answer === 'file' ? JSON.stringify(text) : text;
  if (endpoint.answer === undefined || endpoint.answer === 'json') {
    const body: { result: R; meta?: Record<string, unknown> } = JSON.parse(json);
    return { result: body.result, meta: body.meta ?? {}, status, headers };
  }
  const result: R = JSON.parse(json);
  return { result, meta: {}, status, headers };
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // A proxy may respond with HTML; then only the status is used.
    return undefined;
  }
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
