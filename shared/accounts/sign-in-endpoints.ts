// The ways into an account beside the password: identity providers.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { IDENTITY_PROVIDERS } from './identity-providers.ts';
import { secondFactorCode } from './second-factor-endpoints.ts';
import { signedIn } from './signed-in.ts';

const provider = z.enum(IDENTITY_PROVIDERS);

/** Parameters of the callback from a provider, with the verifier that the page stored. */
export const providerProof = z.object({
  code: z.string().min(1, 'Required').max(200),
  /** Required when the way began with a `challenge`, which is its SHA-256 in base64url. */
  verifier: z.string().min(43).max(128).optional(),
});

/** How the signed-in person can log in. */
export const waysIn = z
  .object({
    password: z.boolean(),
    providers: z.array(
      z.object({
        provider,
        connected: z.boolean(),
        /** The server is set up with it. */
        available: z.boolean(),
      }),
    ),
    passkeys: z.number().int(),
    /** Log-ins require a code of an authenticator app. */
    secondFactor: z.boolean(),
    recoveryCodes: z.number().int(),
  })
  .meta({ id: 'WaysIn' });
export type WaysIn = z.output<typeof waysIn>;

export const signInEndpoints = {
  'auth.options': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/options',
    summary: 'What the log-in page offers: identity providers, and who may create an account.',
    auth: 'public',
    rate: 'media',
    query: z.object({ invite: z.string().max(200).optional() }),
    result: z.object({
      providers: z.array(provider),
      signup: z.enum(['open', 'invite', 'closed']),
      invited: z.boolean(),
    }),
  }),
  'auth.exchange': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/exchange',
    spaceless: true,
    summary:
      'Signs in with the one-time code that a log-in with GitHub or Google ended in; creates the account of a new person.',
    auth: 'public',
    rate: 'login',
    refusals: ['second_factor_required'],
    body: providerProof.extend({
      /** Invitation to a workspace, for a new account. */
      invite: z.string().max(200).optional(),
      /** Code of an authenticator app or recovery code, after the answer second_factor_required. */
      secondFactor: secondFactorCode.optional(),
    }),
    result: signedIn,
  }),
  'auth.ways_in': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/ways-in',
    summary: 'How the signed-in person can log in.',
    auth: 'session',
    result: waysIn,
  }),
  'auth.connect': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/providers/{provider}',
    summary:
      'Connects an account at GitHub or Google, proven by the one-time code of a log-in there, with the own account.',
    auth: 'session',
    rate: 'login',
    params: z.object({ provider }),
    body: providerProof,
    result: waysIn,
  }),
  'auth.disconnect': defineEndpoint({
    method: 'DELETE',
    path: '/v1/auth/providers/{provider}',
    summary: 'Disconnects an account at GitHub or Google and ends all other sessions; the last way in stays.',
    auth: 'session',
    params: z.object({ provider }),
    result: waysIn,
  }),
} as const;
