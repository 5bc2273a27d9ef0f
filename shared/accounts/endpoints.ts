// The calls about one's own account: sign up, log in, who am I, own sessions.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { email, timestamp } from '../define/fields.ts';
import { listQuery } from '../define/list-query.ts';
import { idOf } from '../define/id-schema.ts';
import { givenPassword, password } from './password.ts';
import { secondFactorCode } from './second-factor-endpoints.ts';
import { sessionProof } from './session-proof.ts';
import { session } from './session.ts';
import { signedIn, userShown } from './signed-in.ts';
import { user } from './user.ts';

const sessionShown = session.row
  .extend({
    /** `staff` for a session in which the people who run the server act as the person. */
    impersonator: z.literal('staff').nullable(),
    /** The session that makes the call. */
    current: z.boolean(),
  })
  .meta({ id: 'Session' });

const mailedCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'Six digits');
const mailedToken = z.string().min(1, 'Required').max(200);

/** A change of the address that waits for its proof. */
const emailChange = z.object({ email, requested: timestamp }).meta({ id: 'EmailChange' });
export type EmailChange = z.output<typeof emailChange>;

const ownedWorkspace = z.object({ id: idOf('workspace'), slug: z.string(), name: z.string() });
/** Consequences for each workspace of a person who deletes the account. */
const removalPlan = z
  .object({
    /** The only owner of a workspace with other members must transfer its ownership first. */
    blocking: z.array(ownedWorkspace),
    /** Deleted with the account: they have no other members. */
    deleted: z.array(ownedWorkspace),
    /** Left; what the person wrote stays with the other members. */
    left: z.array(ownedWorkspace),
  })
  .meta({ id: 'RemovalPlan' });
export type RemovalPlan = z.output<typeof removalPlan>;

export const accountEndpoints = {
  'auth.signup': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/signup',
    summary: 'Creates an account and signs it in.',
    auth: 'public',
    rate: 'signup',
    refusals: ['forbidden'],
    body: z.object({
      email,
      password,
      /** An invitation to a workspace, or an early-access token. */
      invite: z.string().max(200).optional(),
    }),
    result: signedIn,
    status: 201,
  }),
  'auth.login': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/login',
    spaceless: true,
    summary:
      'Signs in with e-mail address and password; answers second_factor_required where the account wants a code, too.',
    auth: 'public',
    rate: 'login',
    refusals: ['second_factor_required'],
    body: z.object({
      email,
      password: givenPassword,
      /** After the answer second_factor_required. */
      code: secondFactorCode.optional(),
    }),
    result: signedIn,
  }),
  'auth.verify_email': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/verify-email',
    summary:
      'Confirms the address of the signed-in account with the mailed code or the token of the mailed link.',
    auth: 'session',
    rate: 'login',
    body: z.union([z.object({ code: mailedCode }), z.object({ token: mailedToken })], {
      error: 'Send a code or a token',
    }),
    result: userShown,
  }),
  'auth.resend_verification': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/verify-email/resend',
    summary: 'Sends a new code and link to the address of the signed-in account; earlier ones stop working.',
    auth: 'session',
    rate: 'login',
    result: z.null(),
    status: 202,
  }),
  'auth.forgot_password': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/forgot-password',
    summary:
      'Sends a link to choose a new password, if the address has an account; the answer never says whether.',
    auth: 'public',
    rate: 'login',
    body: z.object({ email }),
    result: z.null(),
    status: 202,
  }),
  'auth.reset_password': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/reset-password',
    summary: 'Sets a new password with the token of a mailed link and ends every session of the account.',
    auth: 'public',
    rate: 'login',
    body: z.object({ token: mailedToken, password }),
    result: z.null(),
  }),
  'auth.logout': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/logout',
    spaceless: true,
    summary: 'Ends the session that makes the call.',
    auth: 'session',
    result: z.null(),
  }),
  'auth.confirm': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/confirm',
    summary:
      'Proves again who is at the session, which calls that answer confirmation_required need when the log-in is over 12 hours old.',
    auth: 'session',
    rate: 'login',
    body: sessionProof,
    result: z.null(),
  }),
  'auth.whoami': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/whoami',
    summary: 'The signed-in user.',
    auth: 'user',
    scope: ['profile', 'email'],
    limitable: true,
    result: userShown,
  }),
  'auth.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/auth/me',
    stateCall: 'auth.whoami',
    summary:
      'Changes the own profile, password or address; a new password ends all other sessions, a new address counts once it is confirmed.',
    auth: 'session',
    body: z
      .object({
        ...user.patchArgs.shape,
        /** The new address gets a code and a link; the current address cancels an earlier request. */
        email: email.optional(),
        password: password.optional(),
        currentPassword: z.string().max(1_024).optional(),
      })
      .refine((body) => body.password === undefined || body.currentPassword !== undefined, {
        path: ['currentPassword'],
        message: 'Required to set a new password',
      }),
    result: userShown,
  }),
  'auth.email_change': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/email-change',
    summary: 'The address that waits to be confirmed, or null.',
    auth: 'session',
    result: emailChange.nullable(),
  }),
  'auth.cancel_email_change': defineEndpoint({
    method: 'DELETE',
    path: '/v1/auth/email-change',
    summary: 'Keeps the present address; what was mailed to the other one stops working.',
    auth: 'session',
    result: z.null(),
  }),
  'auth.export': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/export',
    summary:
      'The own data as a zip: in account.json profile, sessions, ways to log in, passkeys, memberships, connected apps, notification settings, and the memories of which one is the owner; beside it their files and saved pages.',
    auth: 'session',
    rate: 'export',
    // Written while it is read.
    result: z.unknown(),
    answer: 'file',
    mediaType: 'application/zip',
  }),
  'auth.removal_plan': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/removal-plan',
    summary: 'What deleting the own account would do to each workspace.',
    auth: 'session',
    result: removalPlan,
  }),
  'auth.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/auth/me',
    stateCall: 'auth.whoami',
    summary: 'Deletes the own account after 14 days; signing in again before takes it back.',
    auth: 'session',
    result: z.object({ purgeAfter: z.iso.datetime() }),
  }),
  'session.list': defineEndpoint({
    method: 'GET',
    path: '/v1/sessions',
    summary: 'Lists the own live sessions.',
    auth: 'session',
    query: listQuery(session),
    result: z.array(sessionShown),
    list: true,
  }),
  'session.get': defineEndpoint({
    method: 'GET',
    path: '/v1/sessions/{id}',
    summary: 'One of the own sessions.',
    auth: 'session',
    params: z.object({ id: idOf('session') }),
    result: sessionShown,
  }),
  'session.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    summary: 'Ends one of the own sessions.',
    auth: 'session',
    params: z.object({ id: idOf('session') }),
    result: z.null(),
  }),
} as const;
