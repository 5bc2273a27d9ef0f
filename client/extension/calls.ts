// The typed client of the API in the extension: the package's client with the rows of the few calls made here.
import { clientFor, LociError, type UploadedFile } from '#shared/api-client.ts';
import type { RequestOf, ResultOf } from '#shared/define/endpoint.ts';
import type { ENDPOINTS } from '#shared/endpoints.ts';
import type { ExtensionCall } from './call-names.ts';

/** A call that hangs would block all later ones. */
const TIME_LIMIT_MS = 60_000;

type Endpoints = typeof ENDPOINTS;
type Request<N extends ExtensionCall> = RequestOf<Endpoints[N]> & {
  file?: UploadedFile;
  headers?: Readonly<Record<string, string>>;
};

export interface Answer<N extends ExtensionCall> {
  result: ResultOf<Endpoints[N]>;
  meta: Record<string, unknown>;
}

/** Calls an endpoint by its name, once. @throws LociError, or a TypeError when no response arrived */
export type Calls = <N extends ExtensionCall>(name: N, request: Request<N>) => Promise<Answer<N>>;

/** @param token none for public calls @param limitMs time for one call */
export function callsAt(server: string, token?: string, limitMs = TIME_LIMIT_MS): Calls {
  const client = clientFor(EXTENSION_CALL_ROWS)({
    url: server,
    attempts: 1,
    ...(token !== undefined && { token }),
  });
  return async <N extends ExtensionCall>(name: N, request: Request<N>) => {
    const { result, meta } = await client(name, { ...request, signal: AbortSignal.timeout(limitMs) });
    // The result is typed by the table of endpoints; contract tests check the server.
    return { result: result as ResultOf<Endpoints[N]>, meta };
  };
}

/** Whether the server no longer accepts the token. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof LociError && error.status === 401;
}
