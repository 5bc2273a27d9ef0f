/** An OpenID provider that signs what it is told to, for the lies that a real one would never tell. */
import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { listen, closing, CLIENT, textOf, type LocalProvider } from './identity-providers.ts';

/** What may be wrong with an id token; null leaves a claim out. */
export interface CrookedToken {
  iss: string;
  aud: string;
  sub: string | null;
  nonce: string | null;
  email: string;
  email_verified: unknown;
  /** Seconds until the token expires. */
  expiresIn: number;
  key: 'published' | 'foreign' | 'secret' | 'none';
}

/** Starts it; `lie` is read at every token. */
export async function startCrookedGoogle(told: { lie: Partial<CrookedToken> }): Promise<LocalProvider> {
  const published = await generateKeyPair('RS256');
  const foreign = await generateKeyPair('RS256');
  const keys = {
    keys: [{ ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
  };
  const nonces = new Map<string, string>();
  const { url, server } = await listen(async (req, res) => {
    const address = new URL(req.url ?? '/', 'http://google.invalid');
    const json = (body: unknown) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (address.pathname === '/.well-known/openid-configuration') {
      json({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      });
    } else if (address.pathname === '/jwks') json(keys);
    else if (address.pathname === '/authorize') {
      const code = randomBytes(8).toString('hex');
      nonces.set(code, address.searchParams.get('nonce') ?? '');
      const back = new URL(address.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', address.searchParams.get('state') ?? '');
      res.writeHead(302, { location: back.href }).end();
    } else {
      const given = new URLSearchParams(await textOf(req));
      const nonce = nonces.get(given.get('code') ?? '') ?? '';
      json({ access_token: 'a', token_type: 'Bearer', id_token: await idToken(nonce) });
    }
  });

  async function idToken(nonce: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const { lie } = told;
    const claims = Object.fromEntries(
      Object.entries({
        iss: url,
        aud: CLIENT.id,
        sub: 'liar',
        nonce,
        email: 'liar@example.org',
        email_verified: true,
        iat: now + Math.min(0, (lie.expiresIn ?? 300) - 300),
        exp: now + (lie.expiresIn ?? 300),
        ...lie,
        key: undefined,
        expiresIn: undefined,
      }).filter(([, value]) => value !== null && value !== undefined),
    );
    if (lie.key === 'none') return new UnsecuredJWT(claims).encode();
    if (lie.key === 'secret') {
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(CLIENT.secret));
    }
    const key: CryptoKey = lie.key === 'foreign' ? foreign.privateKey : published.privateKey;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key);
  }

  return {
    url,
    person: undefined,
    env: { GOOGLE_CLIENT_ID: CLIENT.id, GOOGLE_CLIENT_SECRET: CLIENT.secret, GOOGLE_ISSUER: url },
    allow: () => undefined,
    close: closing(server),
  };
}
