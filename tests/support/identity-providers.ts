/**
 * Identity providers on this machine: a real OpenID provider in the place of Google, and a server that speaks GitHub's
 * OAuth 2 with its calls for the person and the addresses. Both let in the person whom the test names.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';

/** How Loci is known to them. */
export const CLIENT = { id: 'loci', secret: 'a secret between Loci and its provider' };

/** A person at a provider. */
export interface ProviderPerson {
  /** A number where GitHub is meant. */
  id: string;
  name?: string;
  /** Null for a person without address. */
  email: string | null;
  verified: boolean;
}

/** One provider under the hands of a test. */
export interface LocalProvider {
  url: string;
  /** Who is at the browser; undefined declines. */
  person: ProviderPerson | undefined;
  /** Environment of a server that uses it. */
  env: Readonly<Record<string, string>>;
  /** Tells it where the server is that browsers may be sent back to. */
  allow(appOrigin: string): void;
  close(): Promise<void>;
}

type Answer = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;

/** Serves on a free port. */
export async function listen(answer: Answer): Promise<{ url: string; server: Server }> {
  const server = createServer((req, res) => {
    void Promise.resolve(answer(req, res)).catch((error: unknown) => {
      console.error('a local provider failed', error);
      res.writeHead(500).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider has no port');
  return { url: `http://localhost:${address.port}`, server };
}

/** Ends a server with its connections. */
export function closing(server: Server): () => Promise<void> {
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close').catch(() => undefined);
  };
}

/** A real OpenID provider. */
export async function startGoogle(): Promise<LocalProvider> {
  let provider: Provider | undefined;
  const { url, server } = await listen(async (req, res) => {
    if (!provider) throw new Error('Call allow() first');
    if (req.url?.startsWith('/interaction/') === true) await decide(provider, req, res);
    else await provider.callback()(req, res);
  });
  const decide: (at: Provider, ...exchange: Parameters<Answer>) => Promise<void> = async (at, req, res) => {
    const { params } = await at.interactionDetails(req, res);
    const { person } = local;
    if (!person) {
      await at.interactionFinished(req, res, { error: 'access_denied' });
      return;
    }
    const grant = new at.Grant({ accountId: person.id, clientId: CLIENT.id });
    grant.addOIDCScope(String(params['scope']));
    const grantId = await grant.save();
    const login = { accountId: person.id, remember: false };
    await at.interactionFinished(req, res, { login, consent: { grantId } });
  };
  const local: LocalProvider = {
    url,
    person: undefined,
    env: { GOOGLE_CLIENT_ID: CLIENT.id, GOOGLE_CLIENT_SECRET: CLIENT.secret, GOOGLE_ISSUER: url },
    allow(appOrigin) {
      provider = new Provider(url, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            token_endpoint_auth_method: 'client_secret_post',
            redirect_uris: [`${appOrigin}/v1/auth/google/callback`],
          },
        ],
        cookies: { keys: [randomBytes(16).toString('hex')] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        conformIdTokenClaims: false,
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
        findAccount: (_ctx, accountId) => ({
          accountId,
          claims: () => ({
            sub: accountId,
            name: local.person?.name,
            email: local.person?.email ?? undefined,
            email_verified: local.person?.verified,
          }),
        }),
      });
    },
    close: closing(server),
  };
  return local;
}

/** A server that speaks as GitHub does. */
export async function startGithub(): Promise<LocalProvider> {
  const codes = new Map<string, { challenge: string; redirectUri: string; person: ProviderPerson }>();
  const tokens = new Map<string, ProviderPerson>();
  let callback = '';
  const { url, server } = await listen(async (req, res) => {
    const address = new URL(req.url ?? '/', 'http://github.invalid');
    const json = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (address.pathname === '/login/oauth/authorize') {
      const given = address.searchParams;
      if (given.get('client_id') !== CLIENT.id || given.get('redirect_uri') !== callback) {
        json(400, { error: 'unknown client' });
        return;
      }
      const back = new URL(callback);
      back.searchParams.set('state', given.get('state') ?? '');
      if (local.person) {
        const code = randomBytes(10).toString('hex');
        const challenge = given.get('code_challenge') ?? '';
        codes.set(code, { challenge, redirectUri: callback, person: local.person });
        back.searchParams.set('code', code);
      } else back.searchParams.set('error', 'access_denied');
      res.writeHead(302, { location: back.href }).end();
      return;
    }
    if (address.pathname === '/login/oauth/access_token') {
      const given = new URLSearchParams(await textOf(req));
      const found = codes.get(given.get('code') ?? '');
      codes.delete(given.get('code') ?? '');
      const fits =
        found !== undefined &&
        given.get('client_id') === CLIENT.id &&
        given.get('client_secret') === CLIENT.secret &&
        given.get('redirect_uri') === found.redirectUri &&
        createHash('sha256')
          .update(given.get('code_verifier') ?? '')
          .digest('base64url') === found.challenge;
      // GitHub answers failures with 200, too.
      if (!fits) {
        json(200, { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' });
        return;
      }
      const token = `gho_${randomBytes(18).toString('hex')}`;
      tokens.set(token, found.person);
      json(200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' });
      return;
    }
    const person = tokens.get((req.headers.authorization ?? '').replace(/^Bearer /i, ''));
    if (!person) json(401, { message: 'Bad credentials' });
    else if (address.pathname === '/user') {
      // The address of the profile says nothing: a person may type any.
      const profile = { id: Number(person.id), login: `user-${person.id}`, name: person.name ?? null };
      json(200, { ...profile, email: 'profile@victim.example' });
    } else if (address.pathname === '/user/emails') {
      const others = [{ email: 'other@victim.example', primary: false, verified: true, visibility: null }];
      const { email, verified } = person;
      json(200, email === null ? [] : [...others, { email, primary: true, verified, visibility: 'private' }]);
    } else json(404, { message: 'Not Found' });
  });
  const local: LocalProvider = {
    url,
    person: undefined,
    env: {
      GITHUB_CLIENT_ID: CLIENT.id,
      GITHUB_CLIENT_SECRET: CLIENT.secret,
      GITHUB_URL: url,
      GITHUB_API_URL: url,
    },
    allow(appOrigin) {
      callback = `${appOrigin}/v1/auth/github/callback`;
    },
    close: closing(server),
  };
  return local;
}

/** The body of a request. */
export async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}
