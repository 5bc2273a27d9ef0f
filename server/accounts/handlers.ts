/** The calls about one's own account, ways into it, and staff who act as another person, one small function per row. */
import { sql } from 'kysely';
import type { accountEndpoints } from '#shared/accounts/endpoints.ts';
import { IDENTITY_PROVIDERS } from '#shared/accounts/identity-providers.ts';
import type { impersonationEndpoints } from '#shared/accounts/impersonation-endpoints.ts';
import type { secondFactorEndpoints } from '#shared/accounts/second-factor-endpoints.ts';
import type { signInEndpoints } from '#shared/accounts/sign-in-endpoints.ts';
import { AppError } from '#shared/errors.ts';
import { beginAssertion } from './passkey-assertion.ts';
import {
  beginPasskey,
  createPasskey,
  listPasskeys,
  logInWithPasskey,
  removePasskey,
  renamePasskey,
} from './passkeys.ts';
import { connectProvider, disconnectProvider, exchangeProof } from './provider-sign-in.ts';
import {
  beginSecondFactor,
  enableSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.ts';
import { addressOf } from './signup-gate.ts';
import { waysInOf } from './ways-in.ts';
import type { Context } from '../context.ts';
import { emit } from '../events/emit.ts';
import type { Handlers, SessionPerson } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { isStaffSession } from '../http/staff.ts';
import { forgotPassword, resendVerification, resetPassword, verifyEmail } from './address-proof.ts';
import { cancelEmailChange, findEmailChange, requestEmailChange } from './email-change.ts';
import { exportAccount } from './export.ts';
import { endImpersonation, createImpersonationCode, exchangeImpersonationCode } from './impersonation.ts';
import { replySignedIn } from './known-device.ts';
import { planRemoval, removalPlanOf } from './removal.ts';
import { confirmSession, requireRecentProof } from './step-up.ts';
import { originOf } from './sessions.ts';
import { changePassword, changeProfile, logIn, signUp } from './service.ts';

/** The person's sessions that still work, as their owner sees them. */
function sessionsOf(context: Context, person: SessionPerson) {
  const now = context.clock.now().toISOString();
  return (
    context.db
      .selectFrom('session')
      .select(['id', 'userId', 'userAgent', 'created', 'updated', 'expiresAt'])
      // The mail says that staff did it, not who.
      .select(sql<'staff' | null>`case when "impersonator" is not null then 'staff' end`.as('impersonator'))
      .select(sql<boolean>`${sql.ref('id')} = ${person.credential.id}`.as('current'))
      .where('userId', '=', person.userId)
      .where('expiresAt', '>', now)
      .where('endsAt', '>', now)
  );
}

const sessionNotFound = () => new AppError('not_found', 'Session not found');

export const accountHandlers = {
  'auth.signup': async ({ context, body, request, limits }) => {
    const origin = originOf(request);
    return replySignedIn(context, await signUp(context, body, { origin, limits }), origin);
  },
  'auth.login': async ({ context, body, request, limits }) => {
    const origin = originOf(request);
    return replySignedIn(context, await logIn(context, body, { origin, limits }), origin);
  },
  'auth.verify_email': async ({ context, actor, body, limits }) => ({
    result: await verifyEmail(context, actor, body, limits),
  }),
  'auth.resend_verification': ({ context, actor, request, limits }) =>
    resendVerification(context, actor, { limits, address: request.address }),
  'auth.forgot_password': ({ context, body, request, limits }) =>
    forgotPassword(context, body.email, { limits, origin: originOf(request) }),
  'auth.reset_password': ({ context, body, request }) => resetPassword(context, body, originOf(request)),
  'auth.logout': async ({ context, actor }) => {
    await context.db.deleteFrom('session').where('id', '=', actor.credential.id).execute();
    await endImpersonation(context, actor.credential.id);
  },
  'auth.confirm': ({ context, actor, body, request, limits }) =>
    confirmSession(context, actor, { proof: body, limits, address: request.address }),
  'auth.whoami': ({ actor }) => ({ result: actor.user }),
  'auth.update': async ({ context, actor, body, request, limits }) => {
    const { password, currentPassword, email, ...profile } = body;
    if (email !== undefined)
      await requestEmailChange(context, actor, { email, limits, address: request.address });
    if (password !== undefined && currentPassword !== undefined) {
      const address = request.address;
      await changePassword(context, actor, { password, currentPassword, limits, address });
    }
    return { result: await changeProfile(context, actor.userId, profile) };
  },
  'auth.email_change': async ({ context, actor }) => {
    const change = await findEmailChange(context, actor.userId);
    return { result: change ? { email: change.email, requested: change.requested } : null };
  },
  'auth.cancel_email_change': async ({ context, actor }) => {
    refuseImpersonation(actor);
    await cancelEmailChange(context, actor.userId);
  },
  'auth.export': async ({ context, actor }) => {
    await requireRecentProof(context, actor);
    const { db, clock, origin } = context;
    await emit({ trx: db, now: clock.now(), origin }, 'account.exported', { actor });
    return {
      result: await exportAccount(context, actor),
      headers: { 'Content-Disposition': 'attachment; filename="loci-account.zip"' },
    };
  },
  'auth.removal_plan': async ({ context, actor }) => ({
    result: await removalPlanOf(context.db, actor.userId),
  }),
  'auth.remove': async ({ context, actor }) => {
    await requireRecentProof(context, actor);
    return { result: { purgeAfter: await planRemoval(context, actor) } };
  },
  'session.list': ({ context, actor, query }) =>
    listPage(sessionsOf(context, actor), { table: 'session', query }),
  'session.get': async ({ context, actor, params }) => ({
    result: await sessionsOf(context, actor)
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow(sessionNotFound),
  }),
  'session.remove': async ({ context, actor, params }) => {
    if (params.id !== actor.credential.id) refuseImpersonation(actor);
    const { numDeletedRows } = await context.db
      .deleteFrom('session')
      .where('id', '=', params.id)
      .where('userId', '=', actor.userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw sessionNotFound();
    await endImpersonation(context, params.id);
  },
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
  'staff.whoami': ({ context, actor }) => ({ result: { staff: isStaffSession(context, actor) } }),
  'impersonation.create': async ({ context, actor, body }) => ({
    result: await createImpersonationCode(context, actor, body),
  }),
  'impersonation.exchange': async ({ context, body, request }) => ({
    result: await exchangeImpersonationCode(context, body.code, {
      address: request.address,
      userAgent: request.header('user-agent'),
    }),
  }),
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
  'passkey.remove': ({ context, actor, params }) => removePasskey(context, actor, params.id),
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
  'second_factor.remove': ({ context, actor }) => removeSecondFactor(context, actor),
} satisfies Handlers<
  typeof accountEndpoints &
    typeof signInEndpoints &
    typeof impersonationEndpoints &
    typeof secondFactorEndpoints
>;
