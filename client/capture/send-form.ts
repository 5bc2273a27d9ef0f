/**
 * Sends a form with a file and reports its progress. The session's token is a parameter, so that a refusal can be distinguished
 * from that of a newer session.
 */
import { ApiProblem } from '#client/api/api-problem.ts';

/** There was no response: the file stays and is sent again. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

export interface Sending {
  token: string | undefined;
  signal: AbortSignal;
  /** Called with a share from 0 to 1. */
  onProgress: (sent: number) => void;
  /** Called with the number of bytes that the server has confirmed, where it stores parts. */
  onStored?: (bytes: number) => Promise<void>;
}

/** Statuses that do not concern the file itself; it is sent again. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Whether the same form may be accepted later. */
export function isPassing({ status }: ApiProblem): boolean {
  return PASSING.has(status) || status >= 500;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy may respond with HTML; then only the status is known.
    return undefined;
  }
}

interface Form<R> {
  path: string;
  payload: Readonly<Record<string, unknown>>;
  file: { name: string; blob: Blob };
  headers?: Readonly<Record<string, string>>;
  /** Reads the body of a success; undefined for one that is not the server's. */
  read: (body: unknown) => R | undefined;
}

/** Resolves to the parsed response. @throws ApiProblem for a refusal, NoResponseError without network */
export function sendForm<R>(
  { path, payload, file, headers = {}, read }: Form<R>,
  sending: Sending,
): Promise<R> {
  const form = new FormData();
  form.set('payload', JSON.stringify(payload));
  form.set('file', file.blob, file.name);
  return sendBody({ method: 'POST', path, body: form, headers, read }, sending);
}

interface Sent<R> extends Pick<Form<R>, 'path' | 'headers' | 'read'> {
  method: 'POST' | 'PATCH';
  body: FormData | Blob | string | null;
}

/** Why there was no response: the network, unless this device cannot read the file any more. */
async function failureOf(body: Sent<unknown>['body']): Promise<unknown> {
  const file = body instanceof FormData ? body.get('file') : body;
  try {
    if (file instanceof Blob) await file.slice(0, 1).arrayBuffer();
    return new NoResponseError('The file could not be sent');
  } catch (failure) {
    return failure;
  }
}

/** The same for any body. @throws a DOMException too, for a file that this device cannot read any more */
export function sendBody<R>(
  { method, path, body: sent, headers = {}, read }: Sent<R>,
  { token, signal, onProgress }: Sending,
): Promise<R> {
  return new Promise((resolve, reject) => {
    // fetch does not report how much of a body is sent.
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader('authorization', `Bearer ${token ?? ''}`);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      const body = parsed(request.responseText);
      const result = request.status < 300 ? read(body) : undefined;
      if (result !== undefined) resolve(result);
      else
        reject(new ApiProblem(request.status, body, Number(request.getResponseHeader('retry-after') ?? 0)));
    });
    for (const end of ['error', 'abort', 'timeout'] as const) {
      request.addEventListener(end, () => void failureOf(sent).then(reject));
    }
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(sent);
  });
}
