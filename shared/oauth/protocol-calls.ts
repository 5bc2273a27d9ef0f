// The calls of OAuth 2.1 and OpenID Connect as clients make them: forms in, JSON of the standards out.
import { z } from 'zod';
import { defineProtocolCall, type ProtocolCall } from '../define/protocol-call.ts';
import { OAUTH } from './limits.ts';
import { idOf } from '../define/id-schema.ts';
import { selfDescription } from './client-metadata.ts';

/** Of calls whose callers are counted and whose bodies are read. */
const FORM_FAILURES = [400, 401, 413, 415, 429, 500, 503] as const;

const DOCUMENT_FAILURES = [500, 503] as const;

const words = z.string().meta({ description: 'Words with spaces between them.' });
const clientFields = {
  client_id: z.string().optional().meta({ description: 'Of clients that do not send it with HTTP Basic.' }),
  client_secret: z.string().optional(),
};
const tokenForm = z.object({
  token: z.string(),
  token_type_hint: z.enum(['access_token', 'refresh_token']).optional(),
  ...clientFields,
});

/** What a token is for, beside what the standards have. */
const connection = {
  workspace_id: idOf('workspace'),
  space_ids: z.array(idOf('space')).optional(),
};

const tokens = z
  .looseObject({
    access_token: idOf('oauth_token'),
    token_type: z.literal('Bearer'),
    expires_in: z.number().int().positive(),
    scope: words,
    refresh_token: idOf('oauth_refresh').optional(),
    id_token: z.string().optional(),
    ...connection,
  })
  .meta({ id: 'OauthTokens' });

const tokenState = z
  .looseObject({
    active: z.boolean(),
    sub: idOf('user').optional(),
    client_id: z.string().optional(),
    scope: words.optional(),
    exp: z.number().int().optional(),
    iat: z.number().int().optional(),
    ...connection,
    workspace_id: connection.workspace_id.optional(),
  })
  .meta({ id: 'OauthTokenState' });

const person = z
  .looseObject({
    sub: idOf('user'),
    name: z.string().optional(),
    preferred_username: z.string().nullish(),
    email: z.string().optional(),
    email_verified: z.boolean().optional(),
    ...connection,
  })
  .meta({ id: 'OauthPerson' });

const keys = z
  .object({
    keys: z.array(
      z.looseObject({
        kty: z.literal('EC'),
        kid: z.string(),
        use: z.literal('sig'),
        alg: z.literal('ES256'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
      }),
    ),
  })
  .meta({ id: 'OauthKeys' });

const registered = z
  .looseObject({
    client_id: idOf('oauth_client'),
    client_secret: z.string().optional(),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    token_endpoint_auth_method: z.string(),
    scope: words,
  })
  .meta({ id: 'RegisteredOauthClient' });

const serverMetadata = z
  .looseObject({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    introspection_endpoint: z.string(),
    revocation_endpoint: z.string(),
    registration_endpoint: z.string(),
    userinfo_endpoint: z.string(),
    jwks_uri: z.string(),
    scopes_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
  })
  .meta({ id: 'OauthServerMetadata' });

const resourceMetadata = z
  .object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  })
  .meta({ id: 'OauthResourceMetadata' });

const HOST = 'https://loci.example.com';
const RESOURCE_EXAMPLE = {
  authorization_servers: [`${HOST}/v1`],
  scopes_supported: ['memories:read', 'offline_access'],
  bearer_methods_supported: ['header'],
};
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const REDIRECT = 'https://reader.example/callback';
const SCOPE = 'openid offline_access memories:read';
const SERVER_EXAMPLE = {
  issuer: `${HOST}/v1`,
  authorization_endpoint: `${HOST}/v1/oauth/authorize`,
  token_endpoint: `${HOST}/v1/oauth/token`,
  introspection_endpoint: `${HOST}/v1/oauth/introspect`,
  revocation_endpoint: `${HOST}/v1/oauth/revoke`,
  registration_endpoint: `${HOST}/v1/oauth/register`,
  userinfo_endpoint: `${HOST}/v1/oauth/userinfo`,
  jwks_uri: `${HOST}/v1/oauth/jwks`,
  scopes_supported: ['openid', 'offline_access', 'memories:read'],
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
};

/** Name of the operation → the call. */
export const PROTOCOL_CALLS = {
  'oauth.begin': defineProtocolCall({
    method: 'GET',
    path: '/v1/oauth/authorize',
    summary:
      'Where a client sends the browser of a person to ask for access. The same parameters may come by POST as a form.',
    proof: 'none',
    rate: 'oauth',
    query: z.object({
      response_type: z.literal('code'),
      client_id: z.string(),
      redirect_uri: z.string(),
      scope: words,
      state: z.string().optional(),
      code_challenge: z.string(),
      code_challenge_method: z.literal('S256'),
      nonce: z.string().optional(),
      resource: z.string().optional(),
      prompt: z.string().optional(),
    }),
    example: {
      redirect_uri: REDIRECT,
      scope: SCOPE,
      code_challenge: CHALLENGE,
      client_id: 'https://reader.example/client.json',
    },
    status: 303,
    failures: [400, 429, 500, 503],
  }),
  'oauth.token': defineProtocolCall({
    method: 'POST',
    path: '/v1/oauth/token',
    summary: 'Exchanges a code or a refresh token for new tokens.',
    proof: 'client',
    rate: 'oauth',
    body: {
      type: 'form',
      schema: z.object({
        grant_type: z.enum(['authorization_code', 'refresh_token']),
        code: z.string().optional().meta({ description: 'With grant_type=authorization_code.' }),
        redirect_uri: z.string().optional().meta({ description: 'With a code: the one of the request.' }),
        code_verifier: z.string().optional().meta({ description: 'With a code: what the challenge is of.' }),
        refresh_token: z.string().optional().meta({ description: 'With grant_type=refresh_token.' }),
        scope: words.optional(),
        resource: z.string().optional(),
        ...clientFields,
      }),
    },
    example: {
      code: 'oauth_code_4j6x2mq8w1ktzv7h3s5cndyp',
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      client_id: 'https://reader.example/client.json',
    },
    result: tokens,
    resultExample: { expires_in: OAUTH.accessSeconds, scope: SCOPE, id_token: 'eyJhbGciOiJFUzI1NiJ9.…' },
    status: 200,
    failures: FORM_FAILURES,
  }),
  'oauth.introspect': defineProtocolCall({
    method: 'POST',
    path: '/v1/oauth/introspect',
    summary: 'The state of a token that was issued to the asking client (RFC 7662).',
    proof: 'client',
    rate: 'oauth',
    body: { type: 'form', schema: tokenForm },
    example: { token: 'oauth_token_4j6x2mq8w1ktzv7h3s5cndyp' },
    result: tokenState,
    resultExample: { active: true, scope: SCOPE, exp: 1_795_253_400, iat: 1_795_249_800 },
    status: 200,
    failures: FORM_FAILURES,
  }),
  'oauth.revoke': defineProtocolCall({
    method: 'POST',
    path: '/v1/oauth/revoke',
    summary: 'Ends a token and all that was issued with it (RFC 7009); unknown tokens get the same answer.',
    proof: 'client',
    rate: 'oauth',
    body: { type: 'form', schema: tokenForm },
    example: { token: 'oauth_refresh_4j6x2mq8w1ktzv7h3s5cndyp' },
    status: 200,
    failures: FORM_FAILURES,
  }),
  'oauth.register': defineProtocolCall({
    method: 'POST',
    path: '/v1/oauth/register',
    summary: 'Registers a client (RFC 7591), at most five times an hour from one address.',
    proof: 'none',
    rate: 'oauth_register',
    body: { type: 'json', schema: selfDescription },
    example: { client_name: 'Paper Reader', redirect_uris: [REDIRECT] },
    result: registered,
    resultExample: {
      client_name: 'Paper Reader',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: SCOPE,
    },
    status: 201,
    failures: [400, 413, 415, 429, 500, 503],
  }),
  'oauth.userinfo': defineProtocolCall({
    method: 'GET',
    path: '/v1/oauth/userinfo',
    summary:
      'Who the person behind a token is, as far as its scopes tell. POST without a body does the same.',
    proof: 'token',
    rate: 'oauth',
    result: person,
    resultExample: { preferred_username: 'ada' },
    status: 200,
    failures: [401, 403, 429, 500, 503],
  }),
  'oauth.jwks': defineProtocolCall({
    method: 'GET',
    path: '/v1/oauth/jwks',
    summary: 'The public keys of ID tokens (RFC 7517).',
    proof: 'none',
    result: keys,
    status: 200,
    failures: DOCUMENT_FAILURES,
  }),
  'oauth.discovery': defineProtocolCall({
    method: 'GET',
    path: '/v1/.well-known/openid-configuration',
    aliases: ['/.well-known/openid-configuration/v1', '/.well-known/openid-configuration'],
    summary: 'The addresses and abilities of this issuer (OpenID Connect Discovery).',
    proof: 'none',
    result: serverMetadata,
    resultExample: SERVER_EXAMPLE,
    status: 200,
    failures: DOCUMENT_FAILURES,
  }),
  'oauth.server_metadata': defineProtocolCall({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server/v1',
    aliases: ['/v1/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server'],
    summary: 'The same under the names of RFC 8414.',
    proof: 'none',
    result: serverMetadata,
    resultExample: SERVER_EXAMPLE,
    status: 200,
    failures: DOCUMENT_FAILURES,
  }),
  'oauth.api_metadata': defineProtocolCall({
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/v1',
    aliases: ['/.well-known/oauth-protected-resource'],
    summary: 'The API as a resource that tokens open (RFC 9728).',
    proof: 'none',
    result: resourceMetadata,
    resultExample: { resource: `${HOST}/v1`, ...RESOURCE_EXAMPLE },
    status: 200,
    failures: DOCUMENT_FAILURES,
  }),
  'oauth.mcp_metadata': defineProtocolCall({
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/mcp',
    summary: 'The MCP endpoint as a resource that tokens open (RFC 9728).',
    proof: 'none',
    result: resourceMetadata,
    resultExample: { resource: `${HOST}/mcp`, ...RESOURCE_EXAMPLE },
    status: 200,
    failures: DOCUMENT_FAILURES,
  }),
} as const satisfies Record<string, ProtocolCall>;

export type ProtocolCallName = keyof typeof PROTOCOL_CALLS;
