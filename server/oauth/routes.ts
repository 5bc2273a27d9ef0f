/**
 * The calls of the protocol, whose bodies and failures are those of RFC 6749 and related standards: their rows are in
 * shared/oauth/protocol-calls.ts. Each is passed to the provider library.
 */
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { OAUTH } from '#shared/oauth/limits.ts';
import type { RateClass } from '#shared/define/endpoint.ts';
import type { ProtocolCall } from '#shared/define/protocol-call.ts';
import { AppError, describeIssues } from '#shared/errors.ts';
import { selfDescription } from '#shared/oauth/client-metadata.ts';
import { PROTOCOL_CALLS, type ProtocolCallName } from '#shared/oauth/protocol-calls.ts';
import type { Context } from '../context.ts';
import { addressOf } from '../http/caller-address.ts';
import { patternOf, refuseWrongMethod } from '../http/calls.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { redirectTo, redirectToClient } from '../http/redirect.ts';
import { checkRequest, type RequestParameters } from './authorize.ts';
import { findShown } from './client-store.ts';
import { OAUTH_ROUTES } from './provider-paths.ts';
import { openProvider, type ProviderDoor, type ProviderRequest } from './provider-door.ts';
import { issuerOf, mcpResourceOf, scopesAt, withoutSlash } from './resources.ts';
import { wireFailure } from './wire-errors.ts';

/** Headers of a request that the library has to see. */
const FORWARDED = [
  'authorization',
  'content-type',
  'accept',
  'origin',
  'access-control-request-method',
] as const;
/** Headers of its response that belong to this hop. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'set-cookie',
  'transfer-encoding',
]);
const FORM = 'application/x-www-form-urlencoded';
const DISCOVERY_SECONDS = 3_600;

const PROTOCOL_PATHS = Object.values<ProtocolCall>(PROTOCOL_CALLS)
  .flatMap(({ path, aliases = [] }) => [path, ...aliases])
  .map(patternOf);
/** Also the address at which a browser sends the decision of a person, whose failures are those of other calls. */
const BEGIN_PATH = patternOf(PROTOCOL_CALLS['oauth.begin'].path);

const wantsPage = (req: Request): boolean => req.get('accept')?.includes('text/html') === true;

/** Mounts the calls; before other middleware reads bodies or refuses methods. */
export function mountOauth(app: Express, context: Context, limits: RateLimits): void {
  const door = openProvider(context);
  const parts = { context, limits, door };
  const text = express.text({ type: () => true, limit: OAUTH.bodyBytes });

  const form = [text, formCall(parts)];
  const discovery = [openDocument(), describing(() => discoveryOf(door))];
  const metadataOf = (resource: string) => [
    openDocument(),
    describing(() => protectedResource(context, resource)),
  ];
  mountCalls(app, {
    'oauth.begin': [authorization(parts, (req) => queryOf(req.originalUrl))],
    'oauth.token': form,
    'oauth.introspect': form,
    'oauth.revoke': form,
    'oauth.register': [text, registration(parts)],
    'oauth.userinfo': [userinfo(parts)],
    'oauth.jwks': [openDocument(), relayed(parts)],
    'oauth.discovery': discovery,
    'oauth.server_metadata': discovery,
    'oauth.api_metadata': metadataOf(issuerOf(context.config)),
    'oauth.mcp_metadata': metadataOf(mcpResourceOf(context.config)),
  });
  const { 'oauth.begin': begin, 'oauth.userinfo': aboutPerson } = PROTOCOL_CALLS;
  app.post(
    begin.path,
    formOnly(text),
    authorization(parts, (req) => String(req.body)),
  );
  app.post(aboutPerson.path, text, userinfo(parts));
  for (const name of ['oauth.token', 'oauth.introspect', 'oauth.revoke', 'oauth.userinfo'] as const)
    app.options(PROTOCOL_CALLS[name].path, relayed(parts));
  app.use('/.well-known', refuseWrongMethod);
}

/** Each call of the table at its paths. */
function mountCalls(app: Express, handlers: Record<ProtocolCallName, readonly RequestHandler[]>): void {
  const found = new Map<string, readonly RequestHandler[]>(Object.entries(handlers));
  const calls: [string, ProtocolCall][] = Object.entries(PROTOCOL_CALLS);
  for (const [name, { method, path, aliases = [] }] of calls) {
    const own = found.get(name) ?? [];
    if (method === 'GET') app.get([path, ...aliases], ...own);
    else app.post([path, ...aliases], ...own);
  }
}

function describing(documentOf: () => unknown): RequestHandler {
  return async (_req, res) => {
    res.json(await documentOf());
  };
}

interface Parts {
  context: Context;
  limits: RateLimits;
  door: ProviderDoor;
}

/** Readable without a log-in, by scripts of other sites too. */
function openDocument(): RequestHandler {
  return (_req, res, next) => {
    res.set('Access-Control-Allow-Origin', '*');
    res.set('Cross-Origin-Resource-Policy', 'cross-origin');
    res.set('Cache-Control', `public, max-age=${DISCOVERY_SECONDS}`);
    next();
  };
}

/** Discovery document of the library, without the features that are switched off here. */
async function discoveryOf(door: ProviderDoor): Promise<Record<string, unknown>> {
  const { body } = await door.send({ method: 'GET', path: '/.well-known/openid-configuration' });
  const document = z.record(z.string(), z.unknown()).parse(JSON.parse(body));
  return { ...document, response_modes_supported: ['query', 'fragment'] };
}

/** RFC 9728 section 2. */
function protectedResource(context: Context, resource: string): Record<string, unknown> {
  return {
    resource,
    authorization_servers: [issuerOf(context.config)],
    scopes_supported: scopesAt(context.config, resource),
    bearer_methods_supported: ['header'],
  };
}

/** Passes a form on after checking its limits, and returns failures in both formats. */
function formCall(parts: Parts): RequestHandler {
  return async (req, res) => {
    await count(parts, req, res, 'oauth');
    if (!req.is(FORM)) throw new AppError('unsupported_media', `Send the body as ${FORM}`);
    const form = new URLSearchParams(bodyOf(req));
    const resources = form.getAll('resource');
    form.delete('resource');
    for (const each of resources) form.append('resource', withoutSlash(each));
    const hasCredential = req.get('authorization') !== undefined || form.has('client_id');
    await answer(parts, req, res, { body: form.toString(), hasCredential, wantsToken: false });
  };
}

function userinfo(parts: Parts): RequestHandler {
  return async (req, res) => {
    await count(parts, req, res, 'oauth');
    const hasCredential = req.get('authorization') !== undefined;
    // A token in a body would end up where bodies are logged; the header is the only place for it.
    await answer(parts, req, res, { hasCredential, wantsToken: true });
  };
}

/** Registration (RFC 7591): the library sees only the values checked here. */
function registration(parts: Parts): RequestHandler {
  return async (req, res) => {
    await count(parts, req, res, 'oauth_register');
    if (!req.is('json')) throw new AppError('unsupported_media', 'Send the body as application/json');
    const described = selfDescription.safeParse(jsonOf(bodyOf(req)));
    if (!described.success) {
      const problem = describeIssues(described.error).replace(/^body:\s*/, '');
      const isRedirect = described.error.issues.some(({ path }) => path[0] === 'redirect_uris');
      const error = isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata';
      sendFailure(res, { status: 400, body: { error, error_description: problem } }, false);
      return;
    }
    await answer(parts, req, res, {
      body: JSON.stringify(described.data),
      hasCredential: true,
      wantsToken: false,
    });
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('bad_request', 'The request body is not valid JSON');
  }
}

/** The request of a browser: on to the page where the person decides, or back to the client. */
function authorization(parts: Parts, search: (req: Request) => string): RequestHandler {
  const { context } = parts;
  return async (req, res) => {
    await count(parts, req, res, 'oauth');
    const given = search(req);
    res.set('Referrer-Policy', 'no-referrer');
    try {
      const checked = await checkRequest(context, parametersOf(given));
      if ('redirectTo' in checked) {
        redirectToClient(res, checked.redirectTo);
        return;
      }
      const client = await findShown(context, checked.seen.identifier);
      redirectTo(res, 303, `/oauth/${client?.id ?? 'authorize'}?${given}`);
    } catch (error) {
      if (!wantsPage(req) || !(error instanceof AppError) || error.code !== 'invalid') throw error;
      // The page shows the error and allows a retry.
      redirectTo(res, 303, `/oauth/authorize?${given}`);
    }
  };
}

function queryOf(address: string): string {
  const start = address.indexOf('?');
  return start === -1 ? '' : address.slice(start + 1);
}

function parametersOf(text: string): RequestParameters {
  const given = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(given.keys())].map((key) => {
      const values = given.getAll(key);
      return [key, values.length === 1 ? values[0] : values];
    }),
  );
}

/** Forms are requests of clients; JSON at the same address is the decision of a person. */
function formOnly(text: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.is(FORM)) text(req, res, next);
    else next('route');
  };
}

interface Sending {
  body?: string;
  hasCredential: boolean;
  wantsToken: boolean;
}

/** Sends a request to the library and its response back. Guesses at secrets and tokens are counted as everywhere. */
async function answer({ door, limits }: Parts, req: Request, res: Response, sending: Sending): Promise<void> {
  const request = requestOf(req, sending.body);
  const reply = await limits.lookUp(
    addressOf(req),
    async () => {
      const got = await door.send(request);
      const body = parsed(got.body);
      return { got, body, isGuess: got.statusCode === 401 };
    },
    ({ isGuess }) => isGuess,
  );
  const { statusCode, headers } = reply.got;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OWN_HEADERS.has(name))
      res.set(name, Array.isArray(value) ? value : String(value));
  }
  if (statusCode < 400 || reply.body?.['error'] === undefined) {
    res.status(statusCode).send(reply.got.body);
    return;
  }
  sendFailure(res, wireFailure(reply.body, { status: statusCode, ...sending }), sending.wantsToken);
}

function sendFailure(
  res: Response,
  { status, body }: { status: number; body: Record<string, unknown> },
  wantsToken: boolean,
): void {
  res.set('Cache-Control', 'no-store');
  if (status === 401) {
    const scheme = wantsToken ? 'Bearer' : 'Basic';
    res.set('WWW-Authenticate', `${scheme} realm="Loci", error="${String(body['error'])}"`);
  }
  res
    .status(status)
    .json(
      wantsToken || 'message' in body
        ? body
        : wireFailure(body, { status, hasCredential: true, wantsToken }).body,
    );
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data;
}

function requestOf(req: Request, body: string | undefined): ProviderRequest {
  const path = req.originalUrl.split('?', 1)[0]?.replace(/^\/v1/, '').replace(/\/$/, '') ?? '';
  return {
    method:
      req.method === 'OPTIONS'
        ? 'OPTIONS'
        : req.method === 'POST' && path !== OAUTH_ROUTES.userinfo
          ? 'POST'
          : 'GET',
    path,
    headers: {
      ...Object.fromEntries(FORWARDED.map((name) => [name, req.get(name)])),
      accept: 'application/json',
    },
    ...(body === undefined ? {} : { body }),
  };
}

/** A response of the library as it is: keys and preflights. */
function relayed({ door }: Parts): RequestHandler {
  return async (req, res) => {
    const { statusCode, headers, body } = await door.send(requestOf(req, undefined));
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined && !OWN_HEADERS.has(name) && name !== 'cache-control') {
        res.set(name, Array.isArray(value) ? value : String(value));
      }
    }
    res.status(statusCode).send(body);
  };
}

async function count({ limits }: Parts, req: Request, res: Response, rate: RateClass): Promise<void> {
  res.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(await limits.take(rate, { address: addressOf(req) }))) {
    res.set(name, value);
  }
}

function bodyOf(req: Request): string {
  return typeof req.body === 'string' ? req.body : '';
}

/** Sends a failure of ours in the form that clients of the protocol read; false for other calls and for pages. */
export function sendProtocolFailure(req: Request, res: Response, failure: AppError): boolean {
  if (!PROTOCOL_PATHS.some((pattern) => pattern.test(req.path))) return false;
  const isDecision = req.method === 'POST' && !req.is(FORM);
  if (BEGIN_PATH.test(req.path) && (isDecision || wantsPage(req))) return false;
  const { status, detail } = failure;
  const word =
    status === 500
      ? 'server_error'
      : status > 500 || status === 429
        ? 'temporarily_unavailable'
        : 'invalid_request';
  sendFailure(res, { status, body: { error: word, error_description: detail } }, false);
  return true;
}
