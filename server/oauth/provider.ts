/**
 * Configuration of the provider library: enabled features, a person's claims for a client, and our own form of identifiers. The
 * library performs every check of the protocol; consent is elsewhere.
 */
import { randomBytes } from 'node:crypto';
import {
  Provider,
  errors,
  interactionPolicy,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { z } from 'zod';
import { SCOPE_NAMES, isScope } from '#shared/api-keys/scopes.ts';
import { displayName } from '#shared/accounts/display-name.ts';
import { OAUTH } from '#shared/oauth/limits.ts';
import { isId, newId, type IdKind } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { hashToken } from '../http/credentials.ts';
import { createAdapter, grantAdapter } from './adapters.ts';
import { runOf } from './authorization-run.ts';
import { selfDescription } from '#shared/oauth/client-metadata.ts';
import { isOriginOf } from '#shared/oauth/redirect-uri.ts';
import { storeDocumented } from './client-store.ts';
import { DECISION_MARK, OAUTH_ROUTES } from './provider-paths.ts';
import { issuerOf, resourceOf } from './resources.ts';
import type { SigningKeys } from './signing-keys.ts';
import { EgressError, type Egress } from '../providers/egress.ts';

/** Builds the provider for a set of keys. @throws when the library's identifiers are not ours */
export function createProvider(context: Context, { keys }: SigningKeys): Provider {
  const provider = new Provider(issuerOf(context.config), configurationOf(context, keys));
  // Our public address is in these headers, which the caller sets itself.
  provider.proxy = true;
  name(provider.AuthorizationCode, 'oauth_auth_code');
  name(provider.AccessToken, 'oauth_token');
  name(provider.RefreshToken, 'oauth_refresh');
  signIn(provider);
  const { prototype } = provider.Client;
  const allows = prototype.redirectUriAllowed;
  Object.assign(prototype, {
    compareClientSecret(this: { clientSecret?: string }, given: string): boolean {
      return this.clientSecret === hashToken(given);
    },
    redirectUriAllowed(this: InstanceType<Provider['Client']>, uri: string): boolean {
      // RFC 8252 section 7.3 leaves the port open for addresses of the loopback network; a name may belong to another machine.
      if (URL.parse(uri)?.hostname === 'localhost') return this.redirectUris?.includes(uri) ?? false;
      return allows.call(this, uri);
    },
  });
  provider.use<object, Pick<KoaContextWithOIDC, 'oidc'>>((ctx, next) =>
    nameConnection(context.db, ctx, next),
  );
  provider.on('server_error', (_ctx, error) => context.log.error({ err: error }, 'OAuth request failed'));
  return provider;
}

/** Gives a request of a run, instead of a session behind a cookie, one of the person who decides. */
function signIn({ Session }: Provider): void {
  const { get } = Session;
  Object.assign(Session, {
    async get(ctx: KoaContextWithOIDC) {
      const session = await get.call(Session, ctx);
      const { decider } = runOf(ctx) ?? {};
      if (decider) session.loginAccount({ accountId: decider.userId, loginTs: decider.authTime });
      return session;
    },
  });
}

/** Calls whose responses say which workspace a token is for. */
const NAMING_ROUTES: ReadonlySet<string> = new Set(['token', 'introspection', 'userinfo']);

/** Adds the workspace of the consent and, where the person chose some, its spaces. */
async function nameConnection(
  db: Context['db'],
  ctx: KoaContextWithOIDC,
  next: () => Promise<void>,
): Promise<void> {
  await next();
  const { route, entities } = ctx.oidc;
  const body = z.looseObject({ active: z.boolean().optional() }).safeParse(ctx.body).data;
  if (!NAMING_ROUTES.has(route) || ctx.status !== 200 || !body || body.active === false) return;
  const { workspaceId, spaceIds } = await db
    .selectFrom('oauth_grant')
    .select(['workspaceId', 'spaceIds'])
    .where('id', '=', (entities.AccessToken ?? entities.RefreshToken)?.grantId ?? '')
    .executeTakeFirstOrThrow();
  ctx.body = { ...body, workspace_id: workspaceId, ...(spaceIds && { space_ids: spaceIds }) };
}

/** Makes a model issue identifiers of a kind of ours. The hook is not documented, so a start without it must fail. */
function name(model: { prototype: object }, kind: IdKind): void {
  const own: unknown = Reflect.get(model.prototype, 'generateTokenId');
  if (typeof own !== 'function')
    throw new Error(`The provider cannot be made to issue values of the kind ${kind}`);
  Object.defineProperty(model.prototype, 'generateTokenId', {
    value(this: object): string {
      // The library notes on the token in which form it is issued.
      Reflect.apply(own, this, []);
      return newId(kind);
    },
  });
}

function configurationOf(context: Context, keys: SigningKeys['keys']): Configuration {
  const { config, db } = context;
  return {
    adapter: (model: string) => createAdapter(context, model),
    routes: OAUTH_ROUTES,
    jwks: { keys: [...keys] },
    scopes: SCOPE_NAMES,
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username', 'updated_at'],
      email: ['email', 'email_verified'],
    },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      userinfoSigningAlgValues: ['ES256'],
      introspectionSigningAlgValues: ['ES256'],
      authorizationSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: ['ES256'],
      requestObjectSigningAlgValues: ['ES256'],
      dPoPSigningAlgValues: ['ES256'],
      attestSigningAlgValues: ['ES256'],
    },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    // OpenID Connect Core section 5.4: claims of scopes belong into userinfo when there is an access token.
    conformIdTokenClaims: true,
    clockTolerance: OAUTH.clockToleranceSeconds,
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      long: { signed: false },
      short: { signed: false },
    },
    ttl: {
      AuthorizationCode: () => OAUTH.codeSeconds,
      AccessToken: () => OAUTH.accessSeconds,
      IdToken: () => OAUTH.idTokenSeconds,
      RefreshToken: (ctx) => ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? OAUTH.refreshSeconds,
      // A consent is valid until it is revoked; rows are pruned by the tokens issued for them.
      Grant: () => 100 * 365 * 86_400,
      Interaction: () => 60,
      Session: () => 60,
    },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    expiresWithSession: () => false,
    clientBasedCORS: (_ctx, origin, client) =>
      client.tokenEndpointAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => isOriginOf(uri, origin)),
    interactions: { policy: decisionPolicy(), url: () => DECISION_MARK },
    loadExistingGrant: (ctx) => grantOfDecision(context, ctx),
    findAccount: async (_ctx, sub) => {
      if (!isId('user', sub)) return undefined;
      const user = await db
        .selectFrom('user')
        .selectAll()
        .where('id', '=', sub)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('account_deletion').select('userId').where('userId', '=', sub))),
        )
        .executeTakeFirst();
      return (
        user && {
          accountId: sub,
          claims: () => ({
            sub,
            name: displayName(user),
            given_name: user.forename ?? undefined,
            family_name: user.surname ?? undefined,
            preferred_username: user.username ?? undefined,
            updated_at: Math.floor(Date.parse(user.updated) / 1_000),
            email: user.email,
            email_verified: user.emailVerified,
          }),
        }
      );
    },
    renderError: (ctx, out) => {
      const run = runOf(ctx);
      if (run) run.refusal = { error: out.error, description: out.error_description ?? out.error };
      ctx.type = 'json';
      ctx.body = JSON.stringify(out);
    },
    fetch: documentFetch(context.egress),
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: true },
      revocation: { enabled: true, allowedPolicy: ownToken },
      introspection: {
        enabled: true,
        allowedPolicy: (ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      registration: {
        enabled: true,
        initialAccessToken: false,
        issueRegistrationAccessToken: false,
        idFactory: () => newId('oauth_client'),
        secretFactory: () => randomBytes(32).toString('base64url'),
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: () => config.egress !== 'none',
        allowClient: async (_ctx, client) => {
          const described = selfDescription.safeParse(client.metadata());
          if (!described.success) return false;
          await storeDocumented(context, client.clientId, described.data);
          // A document vouches for itself, so what it may ask for is what a registration may.
          Object.assign(client, { scope: described.data.scope });
          return true;
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        // A token for a resource that the person agreed to never works anywhere else.
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, indicator) => {
          const audience = resourceOf(config, indicator);
          if (audience === undefined) throw new errors.InvalidTarget();
          return {
            scope: SCOPE_NAMES.filter((scope) => scope.includes(':')).join(' '),
            audience,
            accessTokenFormat: 'opaque',
            accessTokenTTL: OAUTH.accessSeconds,
          };
        },
      },
    },
  };
}

/** RFC 7009 section 2.1: a client revokes its own tokens only. */
function ownToken(
  _ctx: KoaContextWithOIDC,
  client: { clientId: string; clientAuthMethod?: string },
  token: { clientId?: string | undefined },
): boolean {
  if (token.clientId === client.clientId) return true;
  if (client.clientAuthMethod === 'none') return false;
  throw new errors.InvalidRequest('client is not authorized to revoke the presented token');
}

/** The only prompt: whether the person of this run has decided. There is no browser session that could decide instead. */
function decisionPolicy(): interactionPolicy.Prompt[] {
  const { Check, Prompt } = interactionPolicy;
  const undecided = new Check(
    'undecided',
    'the person has to sign in and decide',
    'login_required',
    (ctx) => {
      const run = runOf(ctx);
      if (run) run.seen = seenIn(ctx);
      return run?.decider === undefined || ctx.oidc.prompts.has('none');
    },
  );
  return ['login', 'consent', 'select_account'].map((name) => {
    const prompt = new Prompt({ name, requestable: true }, undecided);
    // The library's own check waits for an interaction; the page that the person decides on shows all there is.
    prompt.checks.remove(`${name}_prompt`);
    return prompt;
  });
}

function seenIn({ oidc }: KoaContextWithOIDC) {
  const redirectUri = oidc.params?.['redirect_uri'];
  return {
    identifier: oidc.client?.clientId ?? '',
    redirectUri: typeof redirectUri === 'string' ? redirectUri : '',
    scopes: [...oidc.requestParamScopes].filter(isScope),
  };
}

/** Grant by the decision of this run. @throws access_denied */
async function grantOfDecision(context: Context, ctx: KoaContextWithOIDC) {
  const { decider } = runOf(ctx) ?? {};
  const { client, account, provider, resourceServers } = ctx.oidc;
  if (!decider || !client || !account) return undefined;
  const { decision } = decider;
  if (!decision.allow) throw new errors.AccessDenied('The person declined');
  const granted = decision.scopes(seenIn(ctx).scopes);
  if (granted.length === 0) throw new errors.InvalidScope('none of the requested scopes can be granted', '');
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(granted.join(' '));
  const ofResources = granted.filter((scope) => scope.includes(':'));
  for (const resource of Object.keys(resourceServers ?? {})) {
    if (ofResources.length > 0) grant.addResourceScope(resource, ofResources.join(' '));
  }
  // The library does not pass its adapters what a grant is for.
  Object.defineProperty(grant, 'adapter', { value: grantAdapter(context, decider) });
  await grant.save();
  return grant;
}

/**
 * How the provider library fetches client metadata documents: through the guarded way out, and never after a redirect. A
 * fetch for the library. @throws TypeError without a response, as fetch does
 */
function documentFetch(egress: Egress): typeof globalThis.fetch {
  return async (input) => {
    const address = input instanceof Request ? input.url : String(input);
    try {
      const {
        status,
        body,
        url: final,
      } = await egress.get(address, {
        maxBytes: OAUTH.documentBytes,
        accepts: (type) => type === 'application/json' || type.endsWith('+json'),
        accept: 'application/json',
      });
      // The address is the client's identity, so a document from another address is not valid for it.
      if (final !== new URL(address).href) return new Response(null, { status: 508 });
      return new Response(new Uint8Array(body), { status, headers: { 'content-type': 'application/json' } });
    } catch (error) {
      if (error instanceof EgressError)
        throw new TypeError('The document could not be fetched', { cause: error });
      throw error;
    }
  };
}
