/** Descriptions of fields in the API reference: accounts, sessions and sign-in methods. */
import { PASSWORD } from './limits.ts';
import type { FieldTexts, RowTexts } from '../define/field-texts.ts';
import type { session } from './session.ts';
import type { user } from './user.ts';

const userTexts = {
  source: 'How the account was made: by address and password, or by a log-in at GitHub or Google.',
  githubId: 'Number of the connected GitHub account; null without one.',
  googleId: 'Subject of the connected Google account; null without one.',
  forename: 'Shown to members of shared workspaces; null until the person gives one.',
  surname: 'Shown to members of shared workspaces; null until the person gives one.',
  username: 'The only name that the public sees, beside what the person published; null shows none.',
  email: 'With its domain in lower case; another one counts once it is confirmed.',
  domain: 'Part of the address after the @.',
  personal: 'True when the domain belongs to a public mail provider; such a domain opens no workspace.',
  emailVerified: 'False until the mailed code or link was used; invitations and shares wait for it.',
  checklistClosedAt: 'When the person closed the list of first steps; null while the app shows it.',
} satisfies RowTexts<{ row: (typeof user)['row'] }>;

const sessionTexts = {
  userId: 'Id of the user who is signed in.',
  impersonator: '`staff` while the people who run the server act as the person; null in all other sessions.',
  userAgent: 'The User-Agent header of the log-in, cut to 300 characters; it names browser and system.',
  expiresAt: 'Moves with each use: 30 days after the last one, 90 days after the log-in at the latest.',
} satisfies RowTexts<{ row: (typeof session)['row'] }>;

/** The JSON form of WebAuthn Level 3, which the browser makes. */
const passkeyTexts = {
  id: 'Credential id in base64url, from `PublicKeyCredential.toJSON()`.',
  rawId: 'The same as `id`.',
  type: 'Always `public-key`.',
  clientExtensionResults: 'As the browser returns it; not read.',
  authenticatorAttachment: 'Whether the passkey is part of the device or came from another one.',
  response: 'The signed part, as the browser returns it.',
  'response.response': 'The signed part, as the browser returns it.',
  clientDataJSON: 'In base64url; names the challenge and the origin that were signed.',
  authenticatorData: 'In base64url; holds the hash of the site and the counter of the passkey.',
  signature: 'In base64url, over `authenticatorData` and the hash of `clientDataJSON`.',
  userHandle: 'The account that the passkey belongs to, in base64url.',
  attestationObject: 'In base64url; holds the public key of the new passkey.',
  transports:
    'Ways to reach the passkey, such as `usb` or `internal`, which the browser is told at the next log-in.',
};

const signInTexts = {
  token: 'Bearer token of the new session; shown this once, the server stores only its hash.',
  user: 'The person who is now signed in.',
};
const newPassword = `At least ${PASSWORD.min} characters; passwords that are often used are refused.`;
const secondFactor =
  'Six digits of the authenticator app, or a recovery code, which works once; spaces and hyphens do not matter.';
const providerCode = 'The one-time code with which the log-in at the provider came back.';
const verifier =
  'The secret whose SHA-256 in base64url was the `challenge` at the beginning; required when there was one.';
const invite =
  'Token of a mailed invitation or of early access; needed where sign-up is not open to everyone.';
const ownedWorkspace = {
  slug: 'Address of the workspace, below the address of the server.',
  name: 'Name of the workspace.',
};

export const accountFieldTexts = {
  User: userTexts,
  Session: { ...sessionTexts, current: 'True for the session that makes the call.' },
  EmailChange: {
    email: 'The address that gets mail once it is confirmed.',
    requested: 'When the change was asked for, in UTC; the mailed code works for 15 minutes.',
  },
  RemovalPlan: {
    ...ownedWorkspace,
    blocking: 'Workspaces with other members whose only owner is the person; they need another owner first.',
    deleted: 'Workspaces without other members, which are deleted with the account.',
    left: 'Workspaces that the person leaves; what was written there stays with the other members.',
  },
  WaysIn: {
    password: 'Whether the account has a password.',
    providers: 'One entry for each identity provider that the product knows.',
    'providers.provider': 'Name of the identity provider, as in the path of the calls that connect it.',
    'providers.connected': 'Whether one can log in with it now.',
    'providers.available': 'False where this server is not set up with the provider.',
    passkeys: 'How many passkeys the account has.',
    secondFactor: 'Whether log-ins with a password ask for a code of an authenticator app.',
    recoveryCodes: 'How many recovery codes are left; each works once.',
  },
  Passkey: {
    name: 'Chosen by the person, to tell passkeys apart.',
    backedUp: 'True when a password manager copies it between devices.',
    lastUsedAt: 'Last log-in with it, in UTC; null when there was none.',
  },
  'auth.signup': {
    ...signInTexts,
    email: 'Gets a code and a link to confirm it; the account can be used before.',
    password: newPassword,
    invite,
  },
  'auth.login': {
    ...signInTexts,
    email: 'Address of the account; upper and lower case in its domain do not matter.',
    password: 'Any text; a wrong one and an unknown address get the same answer.',
    code: `Sent after the answer \`second_factor_required\`. ${secondFactor}`,
  },
  'auth.verify_email': {
    code: 'Six digits from the mail, good for 15 minutes and five tries.',
    token: 'Token from the mailed link, good for 24 hours.',
  },
  'auth.forgot_password': { email: 'Gets a link when it has an account.' },
  'auth.reset_password': { token: 'Token from the mailed link; works once.', password: newPassword },
  'auth.confirm': {
    password: 'The present password.',
    code: secondFactor,
    provider: 'What a log-in at GitHub or Google came back with.',
    ...passkeyTexts,
    passkey: 'What the passkey answered to `auth.confirm_options`.',
    'passkey.response': passkeyTexts.response,
    'provider.code': providerCode,
    'provider.verifier': verifier,
  },
  'auth.update': {
    ...userTexts,
    email:
      'Gets a code and a link, and counts once it is confirmed; the present address withdraws an earlier change.',
    password: `${newPassword} Ends all other sessions.`,
    currentPassword: 'Required with `password`.',
  },
  'auth.remove': {
    purgeAfter: 'When the account is deleted for good, in UTC; signing in before takes it back.',
  },
  'auth.options': {
    providers: 'Identity providers that this server is set up with.',
    signup: '`invite` lets in who has an invitation or early access, `closed` nobody.',
    invite: 'What the link of an invitation or of early access has after `?invite=`.',
    invited: 'Whether that invitation can still be used; false without one.',
  },
  'auth.exchange': {
    ...signInTexts,
    code: providerCode,
    verifier,
    invite,
    secondFactor: `Sent after the answer \`second_factor_required\`. ${secondFactor}`,
  },
  'auth.connect': { provider: 'Name of the identity provider.', code: providerCode, verifier },
  'auth.disconnect': { provider: 'Name of the identity provider.' },
  'auth.passkey': {
    ...passkeyTexts,
    ...signInTexts,
    response: 'What the passkey answered to `auth.passkey_options`.',
  },
  'passkey.create': {
    ...passkeyTexts,
    name: 'To tell passkeys apart in the settings.',
    response: 'What the browser made of `passkey.options`.',
  },
  'passkey.update': { id: 'Id of the passkey, as `passkey.list` has it.' },
  'passkey.remove': { id: 'Id of the passkey, as `passkey.list` has it.' },
  'second_factor.begin': {
    secret:
      'In Base32, to be typed into an authenticator app; a call of `second_factor.enable` with its code makes it count.',
    uri: 'The same as an `otpauth://` address, for a QR code.',
  },
  'second_factor.enable': {
    code: 'Six digits of the app that has the secret.',
    recoveryCodes: 'Each replaces a code of the app once; shown this once.',
  },
  'second_factor.renew_codes': { recoveryCodes: 'The new ones, shown this once; earlier ones stop working.' },
  'staff.whoami': { staff: 'True for addresses that the configuration of the server names.' },
  'impersonation.create': {
    email: 'Address of the account that is to be looked at.',
    reason: 'Shown to the person afterwards, and kept in the audit log.',
    code: 'Works once, for five minutes.',
    expiresAt: 'When the code stops working, in UTC.',
  },
  'impersonation.exchange': {
    code: 'From `impersonation.create`; works once.',
    token: 'Bearer token of a session that acts as the person.',
    user: 'The person who is looked at.',
    endsAt: 'When the session ends, in UTC, whether it is used or not.',
  },
} as const satisfies FieldTexts;
