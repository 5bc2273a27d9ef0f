/**
 * One mail of every kind, made by what people do on a running development server and read from its outbox. Its staff must
 * be MAIL_STAFF.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { newId, type Id } from '#shared/ids.ts';
import type { TriggerId } from '#shared/notifications/triggers.ts';
import type { MailKind } from '#server/providers/mail-kinds.ts';
import type { OutboxMail } from '#server/providers/outbox.ts';
import { codeIn, inviteIn, newsTokenIn } from './mail-secrets.ts';
import { apiAt, proveAddress, STORY_PASSWORD, uploadArchive, waitForMail, type Person } from './person.ts';
import { zipOf } from './zip.ts';

/** The address that STAFF_EMAILS of the server must name. */
export const MAIL_STAFF = 'lena@example.org';

const POLL_MS = 50;
/** What the digest tells of. */
const COLLECTED: readonly TriggerId[] = ['space.shared', 'import.finished', 'export.ready'];

const NEWS = {
  title: 'Spaces have covers',
  body: 'Each space draws its own from its name.',
  link: '/blog/covers',
};

type Mails = Readonly<Record<MailKind, OutboxMail>>;
type Account = Pick<Person, 'api' | 'email' | 'token' | 'userId'>;

/** Makes people write, invite and share until every kind of mail was sent. */
export async function sendEveryMail(url: string): Promise<Mails> {
  const to = (email: string, subject: string) =>
    waitForMail(
      url,
      `“${subject}” to ${email}`,
      (mail) => mail.to === email && mail.subject.includes(subject),
    );
  const maya = await signUp(url, { email: 'maya@example.org', forename: 'Maya', surname: 'Lindqvist' });
  const verifyEmail = await to(maya.email, 'Confirm your e-mail address');
  await proveAddress(url, maya);
  const jonas = await signUp(url, { email: 'jonas@example.org', forename: 'Jonas', surname: 'Weber' });
  await proveAddress(url, jonas);
  const accountMails = await changeAccounts(url, maya, jonas, to);
  const workspaceMails = await workTogether(url, maya, jonas, to);
  return { verify_email: verifyEmail, ...accountMails, ...workspaceMails, ...(await letIn(url, to)) };
}

type To = (email: string, subject: string) => Promise<OutboxMail>;

async function signUp(
  url: string,
  { email, ...name }: { email: string; forename: string; surname: string },
): Promise<Account> {
  const { result } = await apiAt(url)('auth.signup', { body: { email, password: STORY_PASSWORD } });
  const api = apiAt(url, result.token);
  await api('auth.update', { body: name });
  return { email, token: result.token, userId: result.user.id, api };
}

/** Addresses, passwords and ways to log in. */
async function changeAccounts(url: string, maya: Account, jonas: Account, to: To) {
  await apiAt(url)('auth.signup', { body: { email: maya.email, password: STORY_PASSWORD } });
  await jonas.api('auth.update', { body: { email: maya.email } });
  const takenAddress = await to(maya.email, 'This address already has');
  const address = 'jonas.weber@example.net';
  await jonas.api('auth.update', { body: { email: address } });
  const changeEmail = await to(address, 'Confirm your new e-mail address');
  await jonas.api('auth.verify_email', { body: { code: codeIn(changeEmail) } });
  await apiAt(url)('auth.forgot_password', { body: { email: maya.email } });
  await maya.api('auth.update', {
    body: { password: `${STORY_PASSWORD} of words`, currentPassword: STORY_PASSWORD },
  });
  const { secret } = (await maya.api('second_factor.begin', {})).result;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await maya.api('second_factor.enable', { body: { code } });
  return {
    known_address: await to(maya.email, 'You already have'),
    reset_password: await to(maya.email, 'Reset your password'),
    password_changed: await to(maya.email, 'Your password was changed'),
    change_email: changeEmail,
    taken_address: takenAddress,
    email_changed: await to(jonas.email, 'Your e-mail address was changed'),
    way_in_changed: await to(maya.email, 'Codes were turned on'),
  };
}

/** An invitation, what is shared, a notification, and a digest of some. */
async function workTogether(url: string, maya: Account, jonas: Account, to: To) {
  const workspaceId = newId('workspace');
  await maya.api('workspace.create', {
    body: { id: workspaceId, name: 'Field notes', slug: 'maya-field-notes' },
  });
  const { email: address } = (await jonas.api('auth.whoami', {})).result;
  await maya.api('invite.create', { body: { workspaceId, position: 'member', email: address } });
  const invite = await to(address, 'invited you');
  const { id, token } = inviteIn(invite);
  await jonas.api('invite.answer', { params: { id }, body: { status: 'accepted', token } });
  const notification = await to(maya.email, 'joined Field notes');

  await maya.api('notification_settings.replace', { body: { digest: 'daily' } });
  const guest = 'priya@example.com';
  await share({ workspaceId, by: jonas, guest, member: maya.userId });
  const archive = await zipOf([{ path: 'garden/beans.md', bytes: '# Beans\n\nThe climbing ones.' }]);
  await uploadArchive(url, { token: maya.token, workspaceId }, archive);
  await maya.api('export.create', { body: { workspaceId } });
  for (let causes: string[] = []; !COLLECTED.every((cause) => causes.includes(cause));) {
    await sleep(POLL_MS);
    causes = (await maya.api('notification.list', {})).result.map(({ triggerId }) => triggerId);
  }
  // Turning digests off mails what waits at once, so the test need not wait for a day.
  await maya.api('notification_settings.replace', { body: { digest: 'off' } });
  return {
    invite,
    shared: await to(guest, 'shared a space'),
    notification,
    digest: await to(maya.email, 'new notifications'),
  };
}

interface Sharing {
  workspaceId: Id<'workspace'>;
  by: Account;
  guest: string;
  member: Id<'user'>;
}

async function share({ workspaceId, by: { api }, guest, member }: Sharing): Promise<void> {
  const name = 'Seeds for next spring';
  const made = await api('space.create', { body: { workspaceId, name, visibility: 'private_and_guests' } });
  await api('space.update', {
    params: { workspaceId, id: made.result.id },
    body: {
      grants: [
        { email: guest, level: 'write' },
        { userId: member, level: 'read' },
      ],
    },
  });
}

/** News and early access. */
async function letIn(url: string, to: To) {
  const email = 'tomas@example.com';
  await apiAt(url)('newsletter.create', { body: { email, news: true } });
  const lena = await signUp(url, { email: MAIL_STAFF, forename: 'Lena', surname: 'Okafor' });
  await proveAddress(url, lena);
  await lena.api('access_request.approve', { body: { emails: [email] } });
  const confirmNews = await to(email, 'Confirm that you want news');
  await apiAt(url)('newsletter.confirm', { body: { token: newsTokenIn(confirmNews) } });
  await lena.api('news.create', { body: NEWS });
  return {
    confirm_news: confirmNews,
    access_approved: await to(email, 'Your invite to'),
    news: await to(email, NEWS.title),
  };
}
