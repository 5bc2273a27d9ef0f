// Signing in by OAuth: the authorization code flow with PKCE in a window of the browser, which this extension opens and
// whose answer only it can read. Tokens are renewed here too, one renewal at a time, because a refresh token works once.
import * as oauth from 'openid-client';
import { isLoopback } from '#shared/oauth/redirect-uri.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { isId } from '#shared/ids.ts';
import { accountKey, store, stored, type Account, type Tokens } from './account.ts';
import { callsAt, isUnauthorized } from './calls.ts';

const SCOPE = 'openid profile offline_access memories:read memories:write spaces:read workspaces:read';
const NEEDED = ['memories:read', 'memories:write', 'spaces:read', 'workspaces:read', 'offline_access'];
/** A token that ends within this time is renewed before it is used. */
const RENEW_BEFORE_MS = 60_000;

const issuerOf = (server: string): URL => new URL(`${server}/v1`);

/** Http is for servers on this device. */
function execute(server: string) {
  return isLoopback(new URL(server)) ? [oauth.allowInsecureRequests] : [];
}

/** @throws Error with a sentence for the person */
export async function signIn(server: string): Promise<Account> {
  const config = await configurationFor(server);
  const redirectUri = chrome.identity.getRedirectURL();
  const [pkceCodeVerifier, expectedState] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
  const expectedNonce = oauth.randomNonce();
  const address = oauth.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const back = await answerOf(address.href);
  const answer = await oauth
    .authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState, expectedNonce })
    .catch((error: unknown) => {
      if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied')
        throw new Error('You did not allow access');
      throw error;
    });
  const clientId = config.clientMetadata().client_id;
  const granted = answer.scope?.split(' ') ?? [];
  if (!NEEDED.every((scope) => granted.includes(scope)) || answer.refresh_token === undefined) {
    await revoke(config, answer.refresh_token ?? answer.access_token);
    throw new Error('Saving needs read and write access; sign in again and allow both');
  }
  const person = await oauth.fetchUserInfo(config, answer.access_token, answer.claims()?.sub ?? '');
  const account = await describe({ server, clientId, tokens: tokensOf(answer), person });
  await store('account', account);
  return account;
}

async function configurationFor(server: string): Promise<oauth.Configuration> {
  const options = { execute: execute(server) };
  const known = (await stored('clients'))?.[server];
  if (known !== undefined && (await isRegistered(server, known)))
    return oauth.discovery(issuerOf(server), known, undefined, oauth.None(), options);
  const config = await oauth.dynamicClientRegistration(
    issuerOf(server),
    {
      client_name: `${PRODUCT_NAME} for the browser`,
      redirect_uris: [chrome.identity.getRedirectURL()],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    oauth.None(),
    options,
  );
  const clients = { ...(await stored('clients')), [server]: config.clientMetadata().client_id };
  await store('clients', clients);
  return config;
}

/** A registration that was not used for long is removed by the server. */
async function isRegistered(server: string, id: string): Promise<boolean> {
  try {
    await callsAt(server)('oauth_client.get_public', { params: { id: id as `oauth_client_${string}` } });
    return true;
  } catch (error) {
    if (Object(error).status === 404) return false;
    throw error;
  }
}

async function answerOf(address: string): Promise<URL> {
  const back = await chrome.identity
    .launchWebAuthFlow({ url: address, interactive: true })
    .catch((error: unknown) => {
      throw new Error('The window was closed before you were signed in', { cause: error });
    });
  if (back === undefined) throw new Error('The window was closed before you were signed in');
  return new URL(back);
}

function tokensOf(answer: oauth.TokenEndpointResponse): Tokens {
  return {
    access: answer.access_token,
    refresh: answer.refresh_token ?? '',
    expires: Date.now() + (answer.expires_in ?? 0) * 1_000,
  };
}

interface Connection {
  server: string;
  clientId: string;
  tokens: Tokens;
  person: oauth.UserInfoResponse;
}

/** A token opens one workspace, which the person chose in the window. */
async function describe({ server, clientId, tokens, person }: Connection): Promise<Account> {
  if (!isId('user', person.sub)) throw new Error('The server did not say who you are');
  const { result: workspaces } = await callsAt(server, tokens.access)('workspace.list', { query: {} });
  const [workspace] = workspaces;
  if (workspace === undefined) throw new Error('There is no workspace to save into');
  return {
    server,
    clientId,
    tokens,
    userId: person.sub,
    userName: person.name ?? 'Signed in',
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    workspaceSlug: workspace.slug,
  };
}

/** Ends the connection at the server. @throws when the server could not be reached */
export async function endConnection({ server, clientId, tokens }: Account): Promise<void> {
  if (tokens === undefined) return;
  const options = { execute: execute(server) };
  const config = await oauth.discovery(issuerOf(server), clientId, undefined, oauth.None(), options);
  await revoke(config, tokens.refresh);
}

async function revoke(config: oauth.Configuration, token: string): Promise<void> {
  await oauth.tokenRevocation(config, token);
}

let renewal: Promise<string | undefined> | undefined;

/** A token that works; undefined once the person has to sign in again. @throws when there is no connection */
export async function accessToken(account: Account, isRefused = false): Promise<string | undefined> {
  const { tokens } = account;
  if (tokens === undefined) return undefined;
  if (!isRefused && tokens.expires - RENEW_BEFORE_MS > Date.now()) return tokens.access;
  renewal ??= renewed(account).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function renewed(account: Account): Promise<string | undefined> {
  const { server, clientId, tokens } = account;
  const now = await stored('account');
  // Another call has renewed them, or the person has signed out.
  if (!now?.tokens || accountKey(now) !== accountKey(account)) return undefined;
  if (tokens && now.tokens.access !== tokens.access) return now.tokens.access;
  const options = { execute: execute(server) };
  const config = await oauth.discovery(issuerOf(server), clientId, undefined, oauth.None(), options);
  try {
    const fresh = tokensOf(await oauth.refreshTokenGrant(config, now.tokens.refresh));
    await store('account', { ...now, tokens: fresh });
    return fresh.access;
  } catch (error) {
    const isEnded = error instanceof oauth.ResponseBodyError && error.status < 500 && error.status !== 429;
    if (!isEnded) throw error;
    const { tokens: _ended, ...rest } = now;
    await store('account', rest);
    return undefined;
  }
}

/** Works with a token, and once more with a renewed one when the server refuses the first. @throws SignedOut */
export async function withToken<T>(account: Account, work: (token: string) => Promise<T>): Promise<T> {
  const token = await accessToken(account);
  if (token === undefined) throw new SignedOut();
  try {
    return await work(token);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    const next = await accessToken(account, true);
    if (next === undefined) throw new SignedOut();
    return work(next);
  }
}

/** The server has ended the connection. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
  readonly status = 401;

  constructor() {
    super('You are signed out');
  }
}
