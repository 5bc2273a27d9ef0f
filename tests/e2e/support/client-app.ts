/**
 * A third-party application on this machine, as people connect one: it opens the browser at the provider, listens
 * for the answer at a loopback address and redeems the code. Written with a client library, not with ours.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import * as client from 'openid-client';

/** A running application. */
export interface ClientApp {
  /** Where the browser has to go; each call begins a new request. */
  begin(scope?: string): Promise<string>;
  /** What the last request brought: tokens, or the word of the refusal. */
  outcome(): Promise<{ tokens: client.TokenEndpointResponse } | { refused: string }>;
  close(): Promise<void>;
}

const SCOPE =
  'openid profile offline_access memories:read memories:write spaces:read search:read threads:read';

let apps = 0;

/** Registers and starts an application for the provider at this address. */
export async function startClientApp(url: string, name: string): Promise<ClientApp> {
  apps += 1;
  // An address may register five applications an hour; servers of stories believe who names another one.
  const from = `10.255.${apps % 256}.1`;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the application has no port');
  const redirect = `http://127.0.0.1:${address.port}/callback`;
  const config = await client.dynamicClientRegistration(
    new URL(`${url}/v1`),
    {
      redirect_uris: ['http://127.0.0.1/callback'],
      client_name: name,
      client_uri: 'https://reader.example',
      policy_uri: 'https://reader.example/privacy',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    undefined,
    {
      execute: [client.allowInsecureRequests],
      // The library passes an init of its own type that fetch takes as it is.
      [client.customFetch]: ((address: string, init: RequestInit) =>
        fetch(address, {
          ...init,
          headers: { ...init.headers, 'x-forwarded-for': from },
        })) as client.CustomFetch,
    },
  );
  let arrived = Promise.withResolvers<URL>();
  let begun: { verifier: string; state: string } | undefined;
  server.on('request', (req, res) => {
    const here = new URL(req.url ?? '/', redirect);
    res.setHeader('content-type', 'text/html; charset=utf-8');
    res.end(`<!doctype html><html lang="en"><title>Back</title><h1>Back in ${name}</h1>`);
    if (here.pathname === '/callback') arrived.resolve(here);
  });
  return {
    async begin(scope = SCOPE) {
      arrived = Promise.withResolvers<URL>();
      begun = { verifier: client.randomPKCECodeVerifier(), state: client.randomState() };
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirect,
        scope,
        state: begun.state,
        code_challenge_method: 'S256',
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
      }).href;
    },
    async outcome() {
      const back = await arrived.promise;
      if (!begun) throw new Error('nothing was begun');
      const { verifier, state } = begun;
      try {
        const tokens = await client.authorizationCodeGrant(config, back, {
          pkceCodeVerifier: verifier,
          expectedState: state,
        });
        return { tokens };
      } catch (error) {
        if (error instanceof client.AuthorizationResponseError) return { refused: error.error };
        throw error;
      }
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
