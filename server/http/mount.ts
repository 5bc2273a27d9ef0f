/**
 * Turns the table of endpoints into Express routes and into a function for callers inside this process. It handles the envelope
 * and status codes; handlers implement the calls.
 */
import { pipeline } from 'node:stream/promises';
import type { Express, Request, RequestHandler, Response } from 'express';
import { bodyLimitOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { AppError, toFailure } from '#shared/errors.ts';
import type { CallApi } from '#shared/site/render.ts';
import type { Reply, RequestFacts } from './call.ts';
import { addressOf } from './caller-address.ts';
import { patternOf } from './calls.ts';
import { dispatch, type Api } from './dispatch.ts';
import { EventSource, serveEvents } from '../event-stream.ts';
import { jsonBody, refuseLargeBody } from './json-body.ts';
import { readMultipart } from './multipart.ts';

/**
 * Adds one route per row, rows with fixed path parts before rows with parameters in their place. Each reads bodies of
 * its own size.
 */
export function mountEndpoints(app: Express, api: Api): void {
  for (const [name, endpoint] of orderedRoutes(api)) {
    const route = app.route(endpoint.path.replace(/\{(\w+)\}/g, ':$1'));
    const handle = [...jsonBody(bodyLimitOf(endpoint)), routeHandler(api, name, endpoint)];
    if (endpoint.method === 'GET') route.get(handle);
    else if (endpoint.method === 'POST') route.post(handle);
    else if (endpoint.method === 'PUT') route.put(handle);
    else if (endpoint.method === 'PATCH') route.patch(handle);
    else route.delete(handle);
  }
}

/** `/v1/spaces/slug/…` must be tried before `/v1/spaces/{workspaceId}/…`. */
function orderedRoutes(api: Api): [string, AnyEndpoint][] {
  const parameters = ([, { path }]: [string, AnyEndpoint]) => path.split('{').length;
  return Object.entries(api.endpoints).sort((a, b) => parameters(a) - parameters(b));
}

function routeHandler(api: Api, name: string, endpoint: AnyEndpoint): RequestHandler {
  return async (req: Request, res: Response) => {
    const upload = endpoint.multipart && req.is('multipart/form-data') ? endpoint.multipart : undefined;
    if (endpoint.body && !upload) requireJson(req);
    const reply = await dispatch(api, name, {
      params: req.params,
      query: req.query,
      body: req.body,
      request: {
        address: addressOf(req),
        header: (key) => req.get(key),
        // The connection stays open after a refusal in the middle, so that the sender receives the response.
        ...(endpoint.bytes && { bytes: req.iterator({ destroyOnReturn: false }) }),
      },
      ...(upload && { readUpload: () => readMultipart(req, upload.maxBytes) }),
    }).finally(() => endpoint.bytes && req.resume());
    if (reply.result instanceof EventSource) sendEvents(res, reply, reply.result, api.context.stopping);
    else if (isWrittenInParts(reply.result))
      await sendParts(res, endpoint, { ...reply, parts: reply.result });
    else send(res, endpoint, reply);
  };
}

/** A form or a text would arrive as an empty body and be refused for missing fields, which hides the real mistake. */
function requireJson(req: Request): void {
  if (req.get('content-type') === undefined || req.is(['json', '+json']) !== false) return;
  if (Number(req.get('content-length') ?? 1) === 0) return;
  throw new AppError('unsupported_media', 'Send the body as application/json');
}

function sendEvents(
  res: Response,
  { headers = {} }: Reply,
  source: EventSource,
  stopping: AbortSignal,
): void {
  for (const [name, value] of Object.entries(headers)) res.set(name, value);
  serveEvents(res, source, stopping);
}

function isWrittenInParts(result: unknown): result is AsyncIterable<string | Uint8Array> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

/**
 * A file too large for the memory, sent as fast as it is read. A failure before the first part is answered like any other;
 * one halfway breaks the connection off.
 */
async function sendParts(
  res: Response,
  endpoint: AnyEndpoint,
  { headers = {}, parts }: Reply & { parts: AsyncIterable<string | Uint8Array> },
): Promise<void> {
  const reading = parts[Symbol.asyncIterator]();
  const first = await reading.next();
  for (const [name, value] of Object.entries(headers)) res.set(name, value);
  if (!res.get('Content-Type')) res.type(endpoint.mediaType ?? 'text/plain; charset=utf-8');
  try {
    await pipeline(async function* () {
      try {
        if (!first.done) yield first.value;
        yield* { [Symbol.asyncIterator]: () => reading };
      } finally {
        // Also for a client that left with the first part.
        await reading.return?.();
      }
    }, res);
  } catch (error) {
    // The client left, which is no failure of the response.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
      throw error;
  }
}

function send(res: Response, endpoint: AnyEndpoint, reply: Reply): void {
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.set(name, value);
  res.status(reply.status ?? endpoint.status ?? 200);
  if (endpoint.answer === 'file') {
    if (!res.get('Content-Type')) res.type(endpoint.mediaType ?? 'text/plain; charset=utf-8');
    res.send(reply.result);
    return;
  }
  if (endpoint.answer === 'plain') {
    res.json(reply.result);
    return;
  }
  const { result = null, meta } = reply;
  res.json(meta === undefined ? { success: true, result } : { success: true, result, meta });
}

/** Page reads do not count towards the visitor's rate limit; these calls count as they do over the network. */
const COUNTED: ReadonlySet<string> = new Set(['search', 'report', 'question', 'ask_on']);

/** Public calls without a network hop and without a token, for pages rendered on this server on behalf of a visitor. */
export function callInProcess(api: Api): (visitor?: RequestFacts) => CallApi {
  const routes = orderedRoutes(api).map(([name, endpoint]) => ({
    name,
    endpoint,
    pattern: patternOf(endpoint.path),
  }));
  const inside: Api = {
    ...api,
    limits: {
      ...api.limits,
      take: async (rate, caller) => (COUNTED.has(rate) ? api.limits.take(rate, caller) : {}),
    },
  };
  const noRequest: RequestFacts = { address: null, header: () => undefined };
  return (request = noRequest) =>
    async (method, path, body) => {
      const url = new URL(path, 'http://inside.invalid');
      for (const { name, endpoint, pattern } of routes) {
        const match = endpoint.method === method ? pattern.exec(url.pathname) : null;
        if (!match) continue;
        const params = Object.fromEntries(
          Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]),
        );
        const query = Object.fromEntries(url.searchParams);
        return asRouteError(async () => {
          refuseLargeBody(body, bodyLimitOf(endpoint));
          return (await dispatch(inside, name, { params, query, body, request })).result;
        });
      }
      throw new Response(null, { status: 404 });
    };
}

/** Page loaders expect failures as responses, as fetch would return them. */
async function asRouteError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, retryAfter } = error;
    const headers = new Headers(retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)]]);
    throw Response.json(toFailure(error), { status, headers });
  }
}
