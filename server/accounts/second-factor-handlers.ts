/** The calls about passkeys and codes, one small function per row. */
import type { secondFactorEndpoints } from '#shared/accounts/second-factor-endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { beginAssertion } from './passkey-assertion.ts';
import { replySignedIn } from './known-device.ts';
import {
  beginPasskey,
  createPasskey,
  listPasskeys,
  logInWithPasskey,
  removePasskey,
  renamePasskey,
} from './passkeys.ts';
import {
  beginSecondFactor,
  enableSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.ts';
import { originOf } from './sessions.ts';

export const secondFactorHandlers = {
  'auth.passkey_options': async ({ context }) => ({ result: await beginAssertion(context, null) }),
  'auth.passkey': async ({ context, body, request }) => {
    const origin = originOf(request);
    return replySignedIn(context, await logInWithPasskey(context, body.response, origin), origin);
  },
  'passkey.list': async ({ context, actor }) => ({ result: await listPasskeys(context, actor.userId) }),
  'passkey.options': async ({ context, actor }) => ({ result: await beginPasskey(context, actor) }),
  'passkey.create': async ({ context, actor, body }) => ({
    result: await createPasskey(context, actor, body),
  }),
  'passkey.update': async ({ context, actor, params, body }) => {
    refuseImpersonation(actor);
    return { result: await renamePasskey(context, actor.userId, { ...params, ...body }) };
  },
  'passkey.remove': async ({ context, actor, params }) => {
    await removePasskey(context, actor, params.id);
    return { result: null };
  },
  'auth.confirm_options': async ({ context, actor }) => {
    refuseImpersonation(actor);
    return { result: await beginAssertion(context, actor.userId) };
  },
  'second_factor.begin': async ({ context, actor }) => ({ result: await beginSecondFactor(context, actor) }),
  'second_factor.enable': async ({ context, actor, body, limits }) => ({
    result: { recoveryCodes: await enableSecondFactor(context, actor, { code: body.code, limits }) },
  }),
  'second_factor.renew_codes': async ({ context, actor }) => ({
    result: { recoveryCodes: await renewRecoveryCodes(context, actor) },
  }),
  'second_factor.remove': async ({ context, actor }) => {
    await removeSecondFactor(context, actor);
    return { result: null };
  },
} satisfies Handlers<typeof secondFactorEndpoints>;
