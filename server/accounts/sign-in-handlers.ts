/** The calls about ways into an account beside the password, one small function per row. */
import { IDENTITY_PROVIDERS } from '#shared/accounts/identity-providers.ts';
import type { signInEndpoints } from '#shared/accounts/sign-in-endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { replySignedIn } from './known-device.ts';
import { connectProvider, disconnectProvider, exchangeProof } from './provider-sign-in.ts';
import { addressOf } from './signup-gate.ts';
import { originOf } from './sessions.ts';
import { waysInOf } from './ways-in.ts';

export const signInHandlers = {
  'auth.options': async ({ context, query: { invite } }) => ({
    result: {
      providers: IDENTITY_PROVIDERS.filter((provider) => context.identity[provider] !== undefined),
      signup: context.config.signupMode,
      invited: (await addressOf(context, invite)) !== undefined,
    },
  }),
  'auth.exchange': async ({ context, body, request, limits }) => {
    const origin = originOf(request);
    return replySignedIn(context, await exchangeProof(context, body, { origin, limits }), origin);
  },
  'auth.ways_in': async ({ context, actor }) => ({ result: await waysInOf(context, actor.userId) }),
  'auth.connect': async ({ context, actor, params: { provider }, body }) => {
    await connectProvider(context, actor, { ...body, provider });
    return { result: await waysInOf(context, actor.userId) };
  },
  'auth.disconnect': async ({ context, actor, params: { provider } }) => {
    await disconnectProvider(context, actor, provider);
    return { result: await waysInOf(context, actor.userId) };
  },
} satisfies Handlers<typeof signInEndpoints>;
