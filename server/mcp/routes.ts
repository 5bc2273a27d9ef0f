/**
 * The MCP endpoint: streamable HTTP in the revision 2026-07-28 and in those of 2025. Origin, key or token, and size of a
 * request are checked before the protocol library receives it.
 */
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import { BODY_LIMITS } from '#shared/constants.ts';
import { AppError, toFailure } from '#shared/errors.ts';
import type { Config } from '../config.ts';
import { addressOf } from '../http/caller-address.ts';
import { onlyWorkspaceOf, identify, refuseQueryTokens } from '../http/credentials.ts';
import type { Api } from '../http/dispatch.ts';
import { asAppError } from '../http/errors.ts';
import { jsonBody } from '../http/json-body.ts';
import { mcpResourceOf } from '../oauth/service.ts';
import { createCaller, type Caller } from './caller.ts';

const PATH = '/mcp';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

/** Mounts the endpoint; the returned function ends open requests. */
export function mountMcp(app: Express, api: Api, hasRoom: () => Promise<boolean>): () => Promise<void> {
  const { config, log } = api.context;
  const callers = new WeakMap<AuthInfo, Caller>();
  const callerOf = (authInfo: AuthInfo | undefined) => {
    const caller = authInfo && callers.get(authInfo);
    if (caller === undefined) throw new Error('The request has no identified caller');
    return caller;
  };
  // The protocol library is large, and most servers have no MCP clients.
  const openHandler = async () => {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const { toNodeHandler } = await import('@modelcontextprotocol/node');
    const { createMcpServer } = await import('./mcp-server.ts');
    const handler = createMcpHandler(({ authInfo }) => createMcpServer(callerOf(authInfo), log), {
      onerror: (error) => log.debug({ err: error }, 'a request of the MCP endpoint was refused'),
      maxRequestBodySize: BODY_LIMITS.json,
      // The server announces no changes, so a subscription would only hold a connection.
      maxSubscriptions: 0,
    });
    const answer = toNodeHandler(handler, {
      onerror: (error) => log.error({ err: error }, 'the MCP endpoint failed'),
    });
    return { handler, answer };
  };
  let opened: ReturnType<typeof openHandler> | undefined;
  const serve: RequestHandler = async (req, res) => {
    if (Array.isArray(req.body)) throw new AppError('invalid', 'Send one message in each request');
    opened ??= openHandler();
    const { answer } = await opened;
    await answer(req, res, req.body);
  };
  app.use(PATH, refuseForeignPages(config), admit(api, { hasRoom, callers }));
  app.post(PATH, requireJson, ...jsonBody(BODY_LIMITS.json), serve);
  app.all(PATH, (_req, res) => {
    res.set('Allow', 'POST');
    throw new AppError(
      'method_not_allowed',
      'Send messages with POST; this server has no sessions and no streams',
    );
  });
  app.use(PATH, answerFailure(config));
  return async () => {
    if (opened) await (await opened).handler.close();
  };
}

/** Refuses requests of pages of other sites, which a rebound DNS name could direct here. */
function refuseForeignPages({ appOrigin, landingOrigin }: Config): RequestHandler {
  const isLocal = LOOPBACK.test(new URL(appOrigin).hostname);
  return (req, _res, next) => {
    const origin = req.get('origin');
    if (origin === undefined || origin === appOrigin || origin === landingOrigin) return next();
    // On a developer's machine, browser tools run on other ports of the same machine.
    if (isLocal && LOOPBACK.test(URL.parse(origin)?.hostname ?? '')) return next();
    throw new AppError('forbidden', 'Requests from this origin are not accepted');
  };
}

/** Identifies the caller; failed look-ups count like those of the API. */
function admit(
  api: Api,
  { hasRoom, callers }: { hasRoom: () => Promise<boolean>; callers: WeakMap<AuthInfo, Caller> },
): RequestHandler {
  return async (req, res, next) => {
    const { context, limits } = api;
    const address = addressOf(req);
    const authorization = req.get('authorization');
    refuseQueryTokens(req.query);
    if (authorization === undefined) {
      await limits.take('mcp', { address });
      throw new AppError('unauthorized', 'Connect with OAuth, or send an API key as a bearer token');
    }
    const audience = mcpResourceOf(context.config);
    const { person } = await limits.lookUp(address, () => identify(context, authorization, { audience }));
    const left = await limits.take('mcp', { credential: person.credential, address });
    for (const [name, value] of Object.entries(left)) res.set(name, value);
    const workspaceId = onlyWorkspaceOf(person);
    if (workspaceId === undefined) throw new Error('A key or token opens one workspace');
    const request = {
      address,
      header: (name: string) => (name.toLowerCase() === 'authorization' ? authorization : undefined),
    };
    const caller = createCaller({ api, person, workspaceId, request, hasRoom });
    // The library passes this object on unread; the token itself is no business of the tools.
    const auth: AuthInfo = { token: '', clientId: person.credential.id, scopes: [] };
    callers.set(auth, caller);
    Object.assign(req, { auth });
    next();
  };
}

const requireJson: RequestHandler = (req, _res, next) => {
  if (req.is('application/json') === 'application/json') return next();
  throw new AppError('unsupported_media', 'Send one JSON-RPC message as application/json');
};

/** Sends failures of the request itself as JSON-RPC errors with their HTTP status. */
function answerFailure({ appOrigin }: Config): ErrorRequestHandler {
  const metadata = `${appOrigin}/.well-known/oauth-protected-resource${PATH}`;
  return (thrown: unknown, req: Request, res, next) => {
    const failure = asAppError(thrown);
    if (failure === undefined || res.headersSent) return next(thrown);
    if (failure.retryAfter !== undefined) res.set('Retry-After', String(failure.retryAfter));
    if (failure.code === 'unauthorized') {
      // RFC 9728 section 5.1
      const problem = req.get('authorization') === undefined ? '' : 'error="invalid_token", ';
      res.set('WWW-Authenticate', `Bearer ${problem}resource_metadata="${metadata}"`);
    }
    const { error } = toFailure(failure);
    const code = CODES[failure.code] ?? SERVER_ERROR;
    res.status(failure.status).json({
      jsonrpc: '2.0',
      error: { code, message: failure.detail, data: error },
      id: null,
    });
  };
}

const CODES: Readonly<Partial<Record<string, number>>> = {
  bad_request: PARSE_ERROR,
  invalid: INVALID_REQUEST,
};
