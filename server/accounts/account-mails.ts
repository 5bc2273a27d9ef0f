/**
 * The mails about an account, written when they are sent: what a request enqueues is the same for known and unknown
 * addresses, and secrets exist only in the mail itself.
 */
import type { Occasion } from '#shared/accounts/occasion.ts';
import type { WayInChange } from '#shared/accounts/way-in-change.ts';
import type { Row } from '#shared/entities.ts';
import { EMAIL_CODE, EMAIL_LINK_MS } from '#shared/accounts/limits.ts';
import { HOUR_MS, MINUTE_MS, PRODUCT_NAME } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { JobPayload } from '../jobs/jobs.ts';
import type { MailKind } from '../providers/mail-kinds.ts';
import { layoutMail, mailMoment, unlinked, type MailPart } from '../providers/mail-layout.ts';
import { claimsOf } from './claims.ts';
import { findEmailChange } from './email-change.ts';
import { findRestoreAddress, mintEmailToken } from './email-tokens.ts';

type User = Row<'user'>;
type MailContext = Pick<Context, 'db' | 'config' | 'clock' | 'mailer'>;

/** The mails about accounts among all jobs that send one. */
type AccountMail = Exclude<
  JobPayload<'mail.send'>,
  { mail: 'invite' | 'shared' | 'confirm_news' | 'access_approved' | 'news' }
>;

/** Sends one mail, or none when its reason no longer applies. */
export async function sendAccountMail(context: MailContext, payload: AccountMail): Promise<void> {
  if (payload.mail === 'reset_password') return sendReset(context, payload.email, happened(payload));
  const user = await findUser(context, payload.userId);
  if (!user) return undefined;
  const given = { user, when: happened(payload) };
  if (payload.mail === 'change_email') return sendChange(context, given, payload.email);
  if (payload.mail === 'email_changed') return sendChanged(context, given, payload.email);
  if (payload.mail === 'way_in_changed') return sendWayInChanged(context, given, payload.change);
  if (payload.mail === 'password_changed') return sendPasswordChanged(context, given);
  return user.emailVerified ? undefined : sendVerification(context, given);
}

/** The account that a mail is about, and the sentence on time and browser. */
interface Given {
  user: User;
  when: string[];
}

/** Nothing for jobs that were queued without it. */
function happened({ occasion }: { occasion?: Occasion | undefined }): string[] {
  if (occasion === undefined) return [];
  // The name of the browser is what its user agent says, which anyone can write.
  return [`Time and browser: ${mailMoment(occasion.at)}, ${unlinked(occasion.device)}.`];
}

/** A new account proves its address; one that names the address of another account cannot, and its owner gets a notice. */
async function sendVerification(context: MailContext, { user, when }: Given): Promise<void> {
  const owner = await findByAddress(context, user.email);
  if (owner?.emailVerified) return sendKnownAddress(context, { user: owner, when });
  const now = context.clock.now();
  const { code, token } = await mintEmailToken(context.db, {
    userId: user.id,
    purpose: 'verify',
    email: user.email,
    now,
  });
  return send(context, { kind: 'verify_email', to: user.email }, 'Confirm your e-mail address', [
    `Enter this code in ${PRODUCT_NAME}:`,
    { code },
    `It works for ${EMAIL_CODE.ms / MINUTE_MS} minutes. The link works for a day, in the browser where you signed up:`,
    { link: linkTo(context, '/onboarding/verify-email', token), label: 'Confirm address' },
    ...when,
    'If you did not create an account, ignore this mail: nothing happens without the code.',
  ]);
}

function sendKnownAddress(context: MailContext, { user, when }: Given): Promise<void> {
  return send(
    context,
    { kind: 'known_address', to: user.email },
    `You already have a ${PRODUCT_NAME} account`,
    [
      'Someone, perhaps you, tried to create an account with this address. It already has one, so nothing was changed.',
      ...when,
      { link: `${context.config.appOrigin}/login`, label: 'Log in' },
      'If you forgot your password, choose “Forgot password” there. If it was not you, you can ignore this mail.',
    ],
  );
}

/** The new address proves itself; one that has an account cannot, and only its owner gets a notice. */
async function sendChange(context: MailContext, { user, when }: Given, email: string): Promise<void> {
  const change = await findEmailChange(context, user.id);
  if (change?.email !== email) return undefined;
  const owner = await findByAddress(context, email);
  if (owner?.emailVerified && owner.id !== user.id) return sendTakenAddress(context, { user: owner, when });
  const now = context.clock.now();
  const { code, token } = await mintEmailToken(context.db, {
    userId: user.id,
    purpose: 'change',
    email,
    now,
  });
  return send(context, { kind: 'change_email', to: email }, 'Confirm your new e-mail address', [
    `Enter this code in ${PRODUCT_NAME} to use this address for your account:`,
    { code },
    `It works for ${EMAIL_CODE.ms / MINUTE_MS} minutes. The link works for a day, in a browser where you are logged in:`,
    { link: linkTo(context, '/onboarding/verify-email', token), label: 'Confirm address' },
    ...when,
    'If you did not ask for this, ignore this mail: nothing changes without the code.',
  ]);
}

function sendTakenAddress(context: MailContext, { user, when }: Given): Promise<void> {
  return send(
    context,
    { kind: 'taken_address', to: user.email },
    `This address already has a ${PRODUCT_NAME} account`,
    [
      'Someone, perhaps you, tried to use this address for another account. It belongs to this one, so nothing was changed.',
      ...when,
      'To use it there, delete this account or give it another address first. If it was not you, you can ignore this mail.',
    ],
  );
}

/** A way back for the owner of the earlier address, unless an even earlier one has it: a thief may change it twice. */
async function sendChanged(context: MailContext, { user, when }: Given, email: string): Promise<void> {
  const now = context.clock.now();
  const first = await findRestoreAddress(context.db, { userId: user.id, now });
  const mayRestore = first === undefined || first === email;
  const token = mayRestore
    ? (await mintEmailToken(context.db, { userId: user.id, purpose: 'restore', email, now })).token
    : undefined;
  const notice = `Your ${PRODUCT_NAME} account no longer uses this address, and all other sessions were ended.`;
  if (token === undefined)
    return send(context, { kind: 'email_changed', to: email }, 'Your e-mail address was changed', [
      notice,
      ...when,
    ]);
  return send(context, { kind: 'email_changed', to: email }, 'Your e-mail address was changed', [
    notice,
    ...when,
    `If this was not you, take your account back. For ${EMAIL_LINK_MS.restore / HOUR_MS} hours this link restores the address and lets you choose a new password:`,
    { link: linkTo(context, '/reset-password', token), label: 'Take account back' },
  ]);
}

async function sendReset(context: MailContext, email: string, when: string[]): Promise<void> {
  const user = await findByAddress(context, email);
  if (!user) return undefined;
  const now = context.clock.now();
  const { token } = await mintEmailToken(context.db, {
    userId: user.id,
    purpose: 'reset',
    email: user.email,
    now,
  });
  return send(context, { kind: 'reset_password', to: user.email }, 'Reset your password', [
    'Choose a new password with this link. It works once, for one hour, and signs you out everywhere else.',
    { link: linkTo(context, '/reset-password', token), label: 'Choose a new password' },
    ...when,
    'If you did not ask for this, ignore this mail: your password stays as it is.',
  ]);
}

function sendPasswordChanged(context: MailContext, { user, when }: Given): Promise<void> {
  return send(context, { kind: 'password_changed', to: user.email }, 'Your password was changed', [
    `The password of your ${PRODUCT_NAME} account was changed and all other sessions were ended.`,
    ...when,
    'If this was not you, reset your password at once:',
    { link: `${context.config.appOrigin}/forgot-password`, label: 'Reset password' },
  ]);
}

const WAY_IN_CHANGES: Readonly<Record<WayInChange, { subject: string; text: string }>> = {
  github_connected: {
    subject: 'GitHub was connected to your account',
    text: `Your ${PRODUCT_NAME} account can now be opened by logging in with GitHub.`,
  },
  github_disconnected: {
    subject: 'GitHub was disconnected from your account',
    text: `Logging in with GitHub no longer opens your ${PRODUCT_NAME} account, and all other sessions were ended.`,
  },
  google_connected: {
    subject: 'Google was connected to your account',
    text: `Your ${PRODUCT_NAME} account can now be opened by logging in with Google.`,
  },
  passkey_added: {
    subject: 'A passkey was added to your account',
    text: `Your ${PRODUCT_NAME} account can now be opened with a new passkey.`,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your account',
    text: `A passkey no longer opens your ${PRODUCT_NAME} account, and all other sessions were ended.`,
  },
  second_factor_on: {
    subject: 'Codes were turned on for your account',
    text: `Logging in to your ${PRODUCT_NAME} account now also asks for a code of an authenticator app.`,
  },
  second_factor_off: {
    subject: 'Codes were turned off for your account',
    text: `Logging in to your ${PRODUCT_NAME} account no longer asks for a code.`,
  },
  google_disconnected: {
    subject: 'Google was disconnected from your account',
    text: `Logging in with Google no longer opens your ${PRODUCT_NAME} account, and all other sessions were ended.`,
  },
};

function sendWayInChanged(context: MailContext, { user, when }: Given, change: WayInChange): Promise<void> {
  const { subject, text } = WAY_IN_CHANGES[change];
  return send(context, { kind: 'way_in_changed', to: user.email }, subject, [
    text,
    ...when,
    'If this was not you, reset your password at once, then check how you log in under Settings, Account:',
    { link: `${context.config.appOrigin}/forgot-password`, label: 'Reset password' },
  ]);
}

/** The secret is in the fragment, which reaches neither servers nor referrers. */
function linkTo({ config }: MailContext, path: string, token: string): string {
  return `${config.appOrigin}${path}#token=${token}`;
}

interface Addressed {
  kind: MailKind;
  to: string;
}

function send(
  { mailer }: MailContext,
  { kind, to }: Addressed,
  title: string,
  parts: readonly MailPart[],
): Promise<void> {
  return mailer.send({ kind, to, ...layoutMail(title, parts) });
}

function findUser({ db }: MailContext, userId: Id<'user'>): Promise<User | undefined> {
  return db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst();
}

/** The account that has the address, else the newest one that claims it. */
function findByAddress({ db }: MailContext, email: string): Promise<User | undefined> {
  return claimsOf(db, email).selectAll('user').executeTakeFirst();
}
