// Every call under /v1 by method and path: the table of endpoints and the calls of sync, OAuth and log-ins at
// providers, which are no endpoints because their bodies are those of their protocols.
import type { RequestHandler } from 'express';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import type { ProtocolCall } from '#shared/define/protocol-call.ts';
import { AppError } from '#shared/errors.ts';
import { PROTOCOL_CALLS } from '#shared/oauth/protocol-calls.ts';

type ApiCall = Pick<AnyEndpoint, 'method' | 'path' | 'spaceless'>;

const SYNC_CALLS: readonly ApiCall[] = [
  { method: 'GET', path: '/v1/sync/poke' },
  { method: 'POST', path: '/v1/sync/{realmId}/pull', spaceless: true },
  { method: 'POST', path: '/v1/sync/{realmId}/check', spaceless: true },
  { method: 'POST', path: '/v1/sync/{realmId}/push' },
];

const OAUTH_CALLS: readonly ApiCall[] = [
  ...Object.entries<ProtocolCall>(PROTOCOL_CALLS).flatMap(([name, { method, path, aliases = [] }]) =>
    [path, ...aliases].map((each) => ({
      method,
      path: each,
      // Registration alone stores what its caller sends; the others must work while the disk is nearly full.
      ...(name !== 'oauth.register' && { spaceless: true as const }),
    })),
  ),
  { method: 'POST', path: PROTOCOL_CALLS['oauth.userinfo'].path, spaceless: true },
];

/** Addresses of log-ins that browsers open; see server/accounts/provider-routes.ts. */
const SIGN_IN_CALLS: readonly ApiCall[] = [
  { method: 'GET', path: '/v1/auth/github' },
  { method: 'GET', path: '/v1/auth/github/callback' },
  { method: 'GET', path: '/v1/auth/google' },
  { method: 'GET', path: '/v1/auth/google/callback' },
];

/** An expression for the paths of a row; its groups are the parameters. */
export function patternOf(path: string): RegExp {
  const fixed = path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${fixed}/?$`, 'i');
}

/** Rows with more fixed segments first: they are tried before those with parameters in their place. */
const ROWS = [...Object.values<ApiCall>(ENDPOINTS), ...SYNC_CALLS, ...OAUTH_CALLS, ...SIGN_IN_CALLS]
  .map((call) => ({ ...call, pattern: patternOf(call.path), parameters: call.path.split('{').length }))
  .sort((a, b) => a.parameters - b.parameters);

/** The calls at a path, one for each method that it has. */
export function callsAt(path: string): readonly ApiCall[] {
  const matching = ROWS.filter(({ pattern }) => pattern.test(path));
  return matching.filter(({ parameters }) => parameters === matching[0]?.parameters);
}

/** Refuses methods that a path does not have, and lists those it has. Paths of no call pass through. */
export const refuseWrongMethod: RequestHandler = (req, res, next) => {
  const methods = new Set<string>(callsAt(req.baseUrl + req.path).map(({ method }) => method));
  if (methods.size === 0) return next();
  if (methods.has('GET')) methods.add('HEAD');
  if (methods.has(req.method)) return next();
  res.set('Allow', [...methods, 'OPTIONS'].join(', '));
  if (req.method !== 'OPTIONS')
    throw new AppError('method_not_allowed', `Use ${[...methods].join(', ')} at this address`);
  res.status(204).end();
};
