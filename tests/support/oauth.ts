/**
 * OAuth clients in tests: real client libraries that reach a world under its public address, and a person who decides
 * on their requests.
 */
import * as client from 'openid-client';
import type { Scope } from '#shared/api-keys/scopes.ts';
import { newId, type Id } from '#shared/ids.ts';
import { hashToken } from '#server/http/credentials.ts';
import type { Agent } from './agent.ts';
import { createRaw } from './agent.ts';
import { reachable, type World } from './world.ts';

export const REDIRECT = 'https://app.example/callback';

/** Every request comes from an address of its own, where the world trusts proxies, so that no test meets a limit. */
let visitors = 0;

/** A fetch that finds the public address of the world on this machine. */
export function fetchIn(world: World): typeof fetch {
  return (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const headers = new Headers(init?.headers);
    visitors += 1;
    headers.set('x-forwarded-for', `198.51.${visitors >> 8}.${visitors & 255}`);
    return fetch(reachable(world, address), { ...init, headers });
  };
}

/** The issuer of a world. */
export function issuerOf(world: World): string {
  return `${world.context.config.appOrigin}/v1`;
}

/** A client that registered itself with these metadata. */
export async function registerClient(
  world: World,
  metadata: Partial<client.ClientMetadata> = {},
): Promise<client.Configuration> {
  return client.dynamicClientRegistration(
    new URL(issuerOf(world)),
    {
      redirect_uris: [REDIRECT],
      client_name: 'Test app',
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    },
    undefined,
    {
      execute: [client.allowInsecureRequests],
      // The library passes an init of its own type that fetch takes as it is.
      [client.customFetch]: fetchIn(world) as client.CustomFetch,
    },
  );
}

/** What a client sends a browser to, and what it has to remember. */
export interface Request {
  url: URL;
  verifier: string;
  state: string;
  nonce: string;
}

/** An authorization request as a careful client makes it. */
export async function beginRequest(
  config: client.Configuration,
  extra: Record<string, string> = {},
): Promise<Request> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: 'openid profile offline_access memories:read memories:write',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...(wantsIdToken(extra) && { nonce }),
    ...extra,
  });
  return { url, verifier, state, nonce };
}

/** A nonce belongs to an id token, which is only issued on request. */
function wantsIdToken(extra: Record<string, string> = {}): boolean {
  return (extra['scope'] ?? 'openid').split(' ').includes('openid');
}

/** What a person does on the consent page. */
export interface Decision {
  workspaceId?: Id<'workspace'>;
  spaceIds?: Id<'space'>[];
  access?: 'read' | 'write';
  decision?: 'allow' | 'deny';
}

/** Decides a request and returns the address to which the browser is sent. */
export async function decide(person: Agent, { url }: Pick<Request, 'url'>, decision: Decision): Promise<URL> {
  const body = { decision: 'allow' as const, ...Object.fromEntries(url.searchParams), ...decision };
  return new URL((await person.api('oauth.authorize', { body })).result.redirect_to);
}

/** The whole way: request, consent, code, tokens. */
export async function connect(
  config: client.Configuration,
  person: Agent,
  { extra, ...decision }: Decision & { extra?: Record<string, string> },
) {
  const request = await beginRequest(config, extra);
  const back = await decide(person, request, decision);
  const tokens = await client.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: request.verifier,
    expectedState: request.state,
    ...(wantsIdToken(extra) && { expectedNonce: request.nonce }),
  });
  return { tokens, back, request };
}

/** Requests to the API that carry an access token. */
export function rawAs(world: World, accessToken: string) {
  return createRaw(world, accessToken);
}

/**
 * A token, by default one that may read memories, stored as the provider stores it, for tests that are not about
 * getting one.
 */
export async function storeToken(
  world: World,
  {
    userId,
    workspaceId,
    scopes = ['memories:read'],
    spaceIds = null,
    clientId,
  }: {
    userId: Id<'user'>;
    workspaceId: Id<'workspace'>;
    scopes?: readonly Scope[];
    spaceIds?: Id<'space'>[] | null;
    /** A client of its own by default. */
    clientId?: Id<'oauth_client'>;
  },
): Promise<Id<'oauth_token'>> {
  const { db } = world.context;
  const token = newId('oauth_token');
  const ownId = newId('oauth_client');
  const now = world.clock.now();
  const created = now.toISOString();
  await db
    .insertInto('oauth_client')
    .values({
      id: ownId,
      identifier: ownId,
      name: 'An app',
      metadata: '{}',
      verified: false,
      workspaceId: null,
      createdBy: null,
      secretHash: null,
      lastUsedAt: null,
      description: null,
      email: null,
      logoUrl: null,
      websiteUrl: null,
      privacyPolicyUrl: null,
      termsOfServiceUrl: null,
      created,
      updated: created,
    })
    .execute();
  const granted = {
    clientId: clientId ?? ownId,
    workspaceId,
    userId,
    spaceIds,
    scopes: [...scopes],
    payload: '{}',
    created,
  };
  await db
    .insertInto('oauth_grant')
    .values({ ...granted, id: ownId, lastUsedAt: created })
    .execute();
  const expiresAt = new Date(now.getTime() + 3_600_000).toISOString();
  await db
    .insertInto('oauth_token')
    .values({ ...granted, grantId: ownId, tokenHash: hashToken(token), audience: null, expiresAt })
    .execute();
  return token;
}
