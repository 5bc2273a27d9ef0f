/**
 * The client of the API that others install: it implements the transport, and the table of calls is a parameter. It runs in any
 * runtime with fetch and depends on nothing. Its types are generated beside it from the same table.
 */

/** One call: method, path, and whether the answer is wrapped in the envelope. */
export type CallRow = readonly [method: string, path: string, isWrapped: boolean];

export interface UploadedFile {
  name: string;
  bytes: Uint8Array;
  /** Media type; without one the name decides. */
  type?: string;
}

export interface Request {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** Sent with the body as multipart/form-data. */
  file?: UploadedFile;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

export interface ClientOptions {
  /** Address of the server, for example https://loci.example.com */
  url: string;
  /** API key, OAuth token or session token. */
  token?: string;
  fetch?: typeof fetch;
  /** Attempts at a call that the server refuses temporarily; 3 by default. */
  attempts?: number;
}

export interface Answer {
  result: unknown;
  meta: Record<string, unknown>;
  status: number;
  headers: Headers;
}

const RETRIED = new Set([429, 502, 503, 504]);
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 60_000;

const textOf = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** A call that the server refused. */
export class LociError extends Error {
  override readonly name = 'LociError';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Names the request in the server's log. */
  readonly requestId: string | null;

  constructor(response: Response, body: unknown) {
    const { message, detail, code }: Record<string, unknown> = Object(Object(body).error);
    const said = textOf(detail, '');
    super(`${response.status} ${textOf(message, response.statusText)}${said === '' ? '' : `: ${said}`}`);
    this.status = response.status;
    this.code = textOf(code, 'unknown');
    this.detail = said;
    this.requestId = response.headers.get('x-request-id');
  }
}

/** A function that makes calls of the table by their names. */
export function clientFor(calls: Readonly<Record<string, CallRow>>) {
  return ({ url, token, fetch: send = fetch, attempts = 3 }: ClientOptions) =>
    async (name: string, request: Request = {}): Promise<Answer> => {
      const row = calls[name];
      if (!row) throw new TypeError(`There is no call ${name}`);
      const init = requestInit(row, request, token);
      const address = addressOf(url, row, request);
      const response = await withRetries(() => send(address, init), attempts);
      const text = await response.text();
      if (!response.ok) throw new LociError(response, parsed(text));
      const body: Record<string, unknown> = Object(row[2] ? parsed(text) : undefined);
      return {
        result: row[2] ? body['result'] : (parsed(text) ?? text),
        meta: Object(body['meta'] ?? {}),
        status: response.status,
        headers: response.headers,
      };
    };
}

function addressOf(url: string, [, path]: CallRow, { params = {}, query = {} }: Request): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const address = new URL(filled, url);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    address.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return address.href;
}

function requestInit(
  [method]: CallRow,
  { body, file, headers, signal }: Request,
  token?: string,
): RequestInit {
  const sent = new Headers(headers);
  sent.set('accept', 'application/json');
  if (token !== undefined) sent.set('authorization', `Bearer ${token}`);
  // The same for every attempt, so that a call whose answer was lost is made once.
  if (method === 'POST' && !sent.has('idempotency-key')) sent.set('idempotency-key', crypto.randomUUID());
  const init: RequestInit = { method, headers: sent, ...(signal && { signal }) };
  if (file) {
    const form = new FormData();
    form.set('payload', JSON.stringify(body ?? {}));
    form.set('file', new Blob([new Uint8Array(file.bytes)], { type: file.type ?? '' }), file.name);
    return { ...init, body: form };
  }
  if (body === undefined) return init;
  sent.set('content-type', 'application/json');
  return { ...init, body: JSON.stringify(body) };
}

async function withRetries(send: () => Promise<Response>, attempts: number): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send();
    const waitMs = Number(response.headers.get('retry-after') ?? 0) * 1_000;
    if (!RETRIED.has(response.status) || attempt >= attempts || !(waitMs <= RETRY_MAX_MS)) return response;
    const backOffMs = Math.random() * Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** attempt);
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, backOffMs)));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy may respond with HTML, and files are not JSON; then only the status is used.
    return undefined;
  }
}
