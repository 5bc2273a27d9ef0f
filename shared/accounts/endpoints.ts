// The calls about one's own account: sign up, log in, who am I, own sessions (specification section 7, PRODUCT 5.17).
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { email } from '../define/fields.ts';
import { listQuery } from '../define/list-query.ts';
import { idOf } from '../define/id-schema.ts';
import { password } from './password.ts';
import { session } from './session.ts';
import { user } from './user.ts';

const userShown = user.row.meta({ id: 'User' });
const sessionShown = session.row
  .extend({
    /** The session that makes the call. */
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
/** What a successful sign-in hands out; the token is shown this once. */
const signedIn = z.object({ token: z.string(), user: userShown });

export const accountEndpoints = {
  'auth.signup': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/signup',
    summary: 'Creates an account and signs it in.',
    auth: 'public',
    rate: 'signup',
    body: z.object({ email, password, invite: idOf('invite').optional() }),
    result: signedIn,
    status: 201,
  }),
  'auth.login': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/login',
    summary: 'Signs in with e-mail address and password.',
    auth: 'public',
    rate: 'login',
    // Any text is taken as a password here, so that rules about new passwords never lock out an old one.
    body: z.object({ email, password: z.string({ error: 'Required' }).min(1, 'Required').max(1_024) }),
    result: signedIn,
  }),
  'auth.logout': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'Ends the session that makes the call.',
    auth: 'session',
    result: z.null(),
  }),
  'auth.whoami': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/whoami',
    summary: 'The signed-in user.',
    auth: 'user',
    scope: 'profile',
    result: userShown,
  }),
  'auth.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/auth/me',
    summary: 'Changes the own profile or password; a new password ends all other sessions.',
    auth: 'session',
    body: z
      .object({
        ...user.patchArgs.shape,
        password: password.optional(),
        currentPassword: z.string().max(1_024).optional(),
      })
      .refine((body) => body.password === undefined || body.currentPassword !== undefined, {
        path: ['currentPassword'],
        message: 'Required to set a new password',
      }),
    result: userShown,
  }),
  'auth.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/auth/me',
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
