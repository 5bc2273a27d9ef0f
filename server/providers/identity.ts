/**
 * Signing in with an identity provider: the redirect and the returned person. Google uses OpenID Connect; GitHub uses plain
 * OAuth 2 and its own API for the person. Addresses come from the configuration only, never from people.
 */
import { createRemoteJWKSet, errors as joseErrors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as client from 'openid-client';
import { z } from 'zod';
import type { ProviderName } from '#shared/accounts/identity-providers.ts';
import { LIMITS, PRODUCT_NAME } from '#shared/constants.ts';
import { isStorableText } from '#shared/define/fields.ts';
import { normalizeEmail } from '#shared/email-address.ts';
import type { Config } from '../config.ts';
import { TIMEOUTS } from '../limits.ts';

export interface Identity {
  /** Id of the person at the provider; never reassigned. */
  subject: string;
  /** Undefined when the provider gave none that is an address. */
  email: string | undefined;
  /** The provider has seen the person read mail at the address. */
  emailVerified: boolean;
  forename: string | null;
  surname: string | null;
}

interface ProviderRequest {
  state: string;
  codeVerifier: string;
  nonce: string;
  /** Where the provider sends the browser back to. */
  redirectUri: string;
}

/** One provider. Both functions throw when it cannot be reached or returns an invalid response. */
export interface IdentityProvider {
  authorizationUrl(request: ProviderRequest): Promise<URL>;
  /** The person identified by the callback address. */
  identify(callback: URL, request: ProviderRequest): Promise<Identity>;
}

/** The providers that this server is set up with. */
export type IdentityProviders = Readonly<Partial<Record<ProviderName, IdentityProvider>>>;

const CLOCK_TOLERANCE_SECONDS = 30;
const ID_TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** Builds the configured providers; no request is sent before the first use. */
export function createIdentityProviders({
  github,
  google,
}: Pick<Config, 'github' | 'google'>): IdentityProviders {
  return {
    ...(github && { github: createGithub(github) }),
    ...(google && { google: createGoogle(google) }),
  };
}

/** Whether the person declined at the provider, which is no fault. */
export function isDeclined(error: unknown): boolean {
  return error instanceof client.AuthorizationResponseError && error.error === 'access_denied';
}

async function authorizationUrl(
  configuration: client.Configuration,
  { state, codeVerifier, redirectUri }: ProviderRequest,
  more: Record<string, string>,
): Promise<URL> {
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...more,
  });
}

const googleClaims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
});

interface Discovered {
  configuration: client.Configuration;
  keys: JWTVerifyGetKey;
}

function createGoogle(settings: NonNullable<Config['google']>): IdentityProvider {
  let discovering: Promise<Discovered> | undefined;
  // Once; a provider that could not be reached is queried again at the next log-in.
  const discovered = () => {
    discovering ??= discoverOpenId(settings).catch((error: unknown) => {
      discovering = undefined;
      throw error;
    });
    return discovering;
  };
  return {
    async authorizationUrl(request) {
      const { configuration } = await discovered();
      return authorizationUrl(configuration, request, {
        scope: 'openid email profile',
        nonce: request.nonce,
      });
    },
    async identify(callback, request) {
      const { configuration, keys } = await discovered();
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: request.codeVerifier,
        expectedState: request.state,
        expectedNonce: request.nonce,
        idTokenExpected: true,
      });
      const { payload } = await jwtVerify(tokens.id_token ?? '', keys, {
        issuer: configuration.serverMetadata().issuer,
        audience: settings.clientId,
        algorithms: ID_TOKEN_ALGORITHMS,
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      const claims = googleClaims.parse(payload);
      if (claims.nonce !== request.nonce) {
        throw new joseErrors.JWTClaimValidationFailed('another nonce', payload, 'nonce');
      }
      const email = normalizeEmail(claims.email ?? '');
      return {
        subject: claims.sub,
        email,
        emailVerified: email !== undefined && claims.email_verified === true,
        forename: nameOf(claims.given_name ?? claims.name),
        surname: nameOf(claims.family_name),
      };
    },
  };
}

async function discoverOpenId({
  issuer,
  clientId,
  clientSecret,
}: NonNullable<Config['google']>): Promise<Discovered> {
  const configuration = await client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    client.ClientSecretPost(clientSecret),
    {
      timeout: TIMEOUTS.identityProvider / 1_000,
      execute: plainHttp(issuer),
    },
  );
  const { jwks_uri: keysUrl } = configuration.serverMetadata();
  if (keysUrl === undefined) throw new Error(`${issuer} publishes no keys`);
  const keys = createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: TIMEOUTS.identityProvider });
  return { configuration, keys };
}

const githubUser = z.object({
  id: z.number().int().positive(),
  name: z.string().nullish(),
});
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

function createGithub({
  url,
  apiUrl,
  clientId,
  clientSecret,
}: NonNullable<Config['github']>): IdentityProvider {
  const base = url.replace(/\/$/, '');
  const api = apiUrl.replace(/\/$/, '');
  const configuration = new client.Configuration(
    {
      issuer: base,
      authorization_endpoint: `${base}/login/oauth/authorize`,
      token_endpoint: `${base}/login/oauth/access_token`,
    },
    clientId,
    undefined,
    client.ClientSecretPost(clientSecret),
  );
  configuration.timeout = TIMEOUTS.identityProvider / 1_000;
  for (const allow of plainHttp(base)) allow(configuration);
  const read = async (token: string, path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': PRODUCT_NAME });
    const address = new URL(`${api}${path}`);
    const response = await client.fetchProtectedResource(
      configuration,
      token,
      address,
      'GET',
      undefined,
      headers,
    );
    if (!response.ok) throw new Error(`GitHub answered ${path} with ${response.status}`);
    return response.json();
  };
  return {
    authorizationUrl: (request) =>
      authorizationUrl(configuration, request, { scope: 'read:user user:email', allow_signup: 'true' }),
    async identify(callback, request) {
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: request.codeVerifier,
        expectedState: request.state,
      });
      const person = githubUser.parse(await read(tokens.access_token, '/user'));
      const addresses = githubEmails.parse(await read(tokens.access_token, '/user/emails?per_page=100'));
      // The address of the profile is unverified; only the list says which addresses were verified.
      const primary = addresses.find((address) => address.primary);
      const email = normalizeEmail(primary?.email ?? '');
      const [forename, ...others] = (person.name ?? '').trim().split(/\s+/);
      return {
        subject: String(person.id),
        email,
        emailVerified: email !== undefined && primary?.verified === true,
        forename: nameOf(forename),
        surname: nameOf(others.join(' ')),
      };
    },
  };
}

/** Only for a provider on plain http, which the configuration allows on this machine or outside production. */
function plainHttp(address: string) {
  return address.startsWith('http:') ? [client.allowInsecureRequests] : [];
}

/** A name that fits into a profile, or none. */
function nameOf(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' || trimmed.length > LIMITS.name || !isStorableText(trimmed) ? null : trimmed;
}
