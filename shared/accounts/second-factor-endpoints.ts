// Passkeys, authenticator apps and recovery codes.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text, timestamp } from '../define/fields.ts';
import { signedIn } from './signed-in.ts';

const base64url = z
  .string()
  .max(8_192)
  .regex(/^[\w-]*$/);
const credential = {
  id: base64url.max(1_400),
  rawId: base64url.max(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
};

/** A passkey that a browser has made, in the JSON form of WebAuthn Level 3. */
const madePasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});
export type MadePasskey = z.output<typeof madePasskey>;

/** The answer of a passkey to a challenge, in the JSON form of WebAuthn Level 3. */
export const passkeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** Options for the browser's credential store, in the JSON form of WebAuthn Level 3. */
const webauthnOptions = z.record(z.string(), z.unknown());

export const passkeyName = text(LIMITS.name).trim().min(1, 'Required');

export const passkey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** Copied between devices by the person's password manager. */
    backedUp: z.boolean(),
    created: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.output<typeof passkey>;

/** A code of an authenticator app, or a recovery code; spaces and hyphens do not matter. */
export const secondFactorCode = z.string().trim().min(6, 'Enter a code').max(40, 'Enter a code');

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const secondFactorEndpoints = {
  'auth.passkey_options': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/passkey/options',
    spaceless: true,
    summary:
      'Begins a log-in with a passkey; the answer is for the browser’s credential store and works once.',
    auth: 'public',
    rate: 'login',
    result: webauthnOptions,
  }),
  'auth.passkey': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/passkey',
    spaceless: true,
    summary: 'Signs in with a passkey.',
    auth: 'public',
    rate: 'login',
    body: z.object({ response: passkeyAnswer }),
    result: signedIn,
  }),
  'passkey.list': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/passkeys',
    summary: 'The own passkeys, newest first.',
    auth: 'session',
    result: z.array(passkey),
  }),
  'passkey.options': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/passkeys/options',
    summary: 'Begins to add a passkey; the answer is for the browser’s credential store and works once.',
    auth: 'session',
    secret: true,
    result: webauthnOptions,
  }),
  'passkey.create': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/passkeys',
    summary: 'Adds a passkey to the own account.',
    auth: 'session',
    body: z.object({ name: passkeyName, response: madePasskey }),
    result: passkey,
    status: 201,
  }),
  'passkey.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/auth/passkeys/{id}',
    summary: 'Renames a passkey.',
    auth: 'session',
    params: z.object({ id: z.uuid() }),
    body: z.object({ name: passkeyName }),
    result: passkey,
  }),
  'passkey.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/auth/passkeys/{id}',
    summary: 'Removes a passkey and ends all other sessions; the last way in stays.',
    auth: 'session',
    params: z.object({ id: z.uuid() }),
    result: z.null(),
  }),
  'auth.confirm_options': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/confirm/options',
    spaceless: true,
    summary: 'Begins a confirmation with a passkey; the answer is for the browser’s credential store.',
    auth: 'session',
    rate: 'login',
    secret: true,
    result: webauthnOptions,
  }),
  'second_factor.begin': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/second-factor',
    summary: 'Makes a secret for an authenticator app. It counts once a code of the app was given.',
    auth: 'session',
    secret: true,
    result: z.object({
      /** Base32, for typing. */
      secret: z.string(),
      /** The same as an otpauth:// address, for a QR code. */
      uri: z.string(),
    }),
  }),
  'second_factor.enable': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/second-factor/enable',
    summary:
      'Asks for codes at log-ins from now on, and hands out recovery codes, which are shown this once.',
    auth: 'session',
    rate: 'login',
    secret: true,
    body: z.object({ code: secondFactorCode }),
    result: recoveryCodes,
  }),
  'second_factor.renew_codes': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/second-factor/recovery-codes',
    summary: 'Replaces the recovery codes; the new ones are shown this once.',
    auth: 'session',
    secret: true,
    result: recoveryCodes,
  }),
  'second_factor.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/auth/second-factor',
    summary: 'Asks for no codes any more and forgets the app and the recovery codes.',
    auth: 'session',
    result: z.null(),
  }),
} as const;
