/**
 * Signing in to the command line in a browser: OAuth with PKCE and a loopback redirect (RFC 8252). The client registers itself,
 * has no secret, and stores a refresh token.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Tokens of a sign-in; times are milliseconds since 1970. */
export interface Tokens {
  clientId: string;
  access: string;
  refresh: string;
  expires: number;
}

/** The server or the person refused; a retry is useless. */
export class SignInError extends Error {}

const SCOPES = [
  'offline_access',
  'workspaces:read',
  'memories:read',
  'memories:write',
  'spaces:read',
  'threads:read',
  'threads:write',
  'messages:write',
  'search:read',
].join(' ');

const PATIENCE_MS = 5 * 60_000;
/** The server allows the port of a loopback address to differ from the registered one. */
const REGISTERED = 'http://127.0.0.1/callback';

const base64url = (bytes: number): string => randomBytes(bytes).toString('base64url');

async function post(address: URL, body: object): Promise<Record<string, unknown>> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(address, {
    method: 'POST',
    ...(isForm ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const answer: Record<string, unknown> = Object(await response.json().catch(() => ({})));
  if (response.ok) return answer;
  const { error_description: said = response.statusText } = answer;
  const sentence = `${response.status} ${typeof said === 'string' ? said : ''}`;
  throw response.status < 429 ? new SignInError(sentence) : new Error(sentence);
}

async function fetchTokens(url: string, clientId: string, form: Record<string, string>): Promise<Tokens> {
  const body = new URLSearchParams({ ...form, client_id: clientId });
  const answer = await post(new URL('/v1/oauth/token', url), body);
  return {
    clientId,
    access: String(answer['access_token']),
    refresh: String(answer['refresh_token']),
    expires: Date.now() + Number(answer['expires_in']) * 1_000,
  };
}

/** Tokens that work, in place of some that have ended. @throws SignInError when the person has to sign in again */
export function refreshTokens(url: string, { clientId, refresh }: Tokens): Promise<Tokens> {
  return fetchTokens(url, clientId, { grant_type: 'refresh_token', refresh_token: refresh });
}

/** Query of the redirect; accepts one request with the right `state`. */
async function answerOf(server: ReturnType<typeof createServer>, state: string): Promise<URLSearchParams> {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', REGISTERED);
    const isAnswer = pathname === '/callback' && searchParams.get('state') === state;
    response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(isAnswer ? 'You are signed in. You can close this tab.' : 'Not found');
    if (isAnswer) resolve(searchParams);
  });
  const late = AbortSignal.timeout(PATIENCE_MS);
  late.addEventListener('abort', () => resolve(new URLSearchParams({ error: 'too late' })));
  return promise;
}

/** Nothing follows when there is no browser: the address is printed, too. */
function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address];
  spawn(command ?? '', args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

/** A client of this device's own; the server removes one that is not used. */
async function registerClient(url: string): Promise<string> {
  const registered = await post(new URL('/v1/oauth/register', url), {
    client_name: 'Loci command line',
    redirect_uris: [REGISTERED],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    scope: SCOPES,
  });
  return String(registered['client_id']);
}

/** Lets the person decide in a browser. @throws SignInError */
export async function signIn(url: string): Promise<Tokens> {
  const clientId = await registerClient(url);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    // A server that listens at a port has an address with it.
    const redirect = new URL(REGISTERED);
    redirect.port = String((server.address() as AddressInfo).port);
    const [verifier, state] = [base64url(32), base64url(16)];
    const request = new URL('/v1/oauth/authorize', url);
    request.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirect.href,
      scope: SCOPES,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    const answer = answerOf(server, state);
    process.stderr.write(`Sign in at this address, which opens in your browser:\n${request.href}\n`);
    openBrowser(request.href);
    const back = await answer;
    const code = back.get('code');
    if (code === null) throw new SignInError(`The sign-in was not allowed: ${back.get('error') ?? ''}`);
    return await fetchTokens(url, clientId, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect.href,
      code_verifier: verifier,
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
