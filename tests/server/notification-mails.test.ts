/** Notifications by mail: by the person's settings, with a way out that needs no log-in, one by one or as a digest. */
import { once } from 'node:events';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNSUBSCRIBE_DAYS } from '#shared/notifications/limits.ts';
import { newId } from '#shared/ids.ts';
import { DEFAULT_NOTIFICATION_SETTINGS } from '#shared/notifications/settings.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { createRaw, signUp, verifyAddress, type Agent } from '#tests/support/agent.ts';
import { cause } from '#tests/support/notices.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;

let world: World;
let smtp: SMTPServer;
const received: ParsedMail[] = [];

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      simpleParser(stream)
        .then((mail) => {
          received.push(mail);
          done(null);
        })
        .catch(done);
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const address = smtp.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  world = await createWorld({
    jobs: true,
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Loci <no-reply@loci.example>' },
  });
});
afterAll(async () => {
  await world.close();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

let people = 0;

/** A person with a proven address, and a mail of the sign-up behind them. */
async function newPerson(): Promise<Agent> {
  people += 1;
  const person = await signUp(world, `reader-${people}`);
  await mailsOf(person, 1);
  await verifyAddress(world, person);
  return person;
}

const to = ({ user }: Agent) =>
  received.filter((mail) => [mail.to ?? []].flat().some(({ text }) => text === user.email));

async function mailsOf(person: Agent, count: number): Promise<ParsedMail[]> {
  await expect.poll(() => to(person).length).toBe(count);
  return to(person);
}

async function newestMail(person: Agent, count: number): Promise<ParsedMail> {
  const mail = (await mailsOf(person, count)).at(-1);
  if (mail === undefined) throw new Error('There is no mail');
  return mail;
}

const put = ({ raw }: Agent, body: unknown) => raw('PUT', '/v1/auth/notifications', { body });
const settingsOf = async ({ api }: Agent) => (await api('notification_settings.get', {})).result;

/** The path of the link in the header that mail programs follow. */
function unsubscribePath(mail: ParsedMail): string {
  const line = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? '';
  const url = /<([^>]+)>/.exec(line.replaceAll(/\s+/g, ''))?.[1];
  return new URL(url ?? 'http://no-link.invalid/').pathname;
}

/** What a mail program sends when its reader presses "Unsubscribe" (RFC 8058). */
const oneClick = (path: string) =>
  fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });

describe('a notification by mail', () => {
  it('has both forms, the link, and the headers of one-click unsubscribe', async () => {
    const person = await newPerson();
    await cause(world, person, {
      title: 'Import of evil.example finished',
      body: 'At 12:30 <b>all</b> of http://evil.example/x',
      link: '/acme?memory=1',
    });
    const mail = await newestMail(person, 2);
    expect(mail.subject).toBe('Import of evil example finished');
    expect(mail.text).toContain('At 12:30 <b>all');
    expect(mail.text).not.toContain('evil.example');
    expect(mail.text).toContain('http://localhost:4000/acme?memory=1');
    expect(mail.html).toContain('&lt;b&gt;all');
    expect(mail.html).toContain('prefers-color-scheme: dark');
    const line = mail.headerLines.find(({ key }) => key === 'list-unsubscribe-post')?.line;
    expect(line).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(unsubscribePath(mail)).toMatch(/^\/v1\/public\/unsubscribe\/workspace\./);
    expect(mail.text).toContain(`http://localhost:4000${unsubscribePath(mail)}`);
  });

  it('is sent once for what repeats, not at all to an unproven address or when it is off', async () => {
    const person = await newPerson();
    const claimant = await signUp(world, `claimant-${people}`);
    await mailsOf(claimant, 1);
    await cause(world, claimant);
    await cause(world, person, { subject: 'same' });
    await cause(world, person, { subject: 'same' });
    // The settings are asked again when a mail is sent.
    await mailsOf(person, 2);
    await put(person, { triggers: { 'import.finished': { email: false } } });
    await cause(world, person);
    await put(person, { categories: { workspace: { email: false } } });
    await cause(world, person, { triggerId: 'memory.conflict' });
    await put(person, {
      categories: { workspace: { email: false } },
      triggers: { 'memory.conflict': { email: true } },
    });
    await cause(world, person, { triggerId: 'memory.conflict', title: 'The last one' });
    expect((await newestMail(person, 3)).subject).toBe('The last one');
    expect(to(claimant)).toHaveLength(1);
  });

  it('of a muted workspace is not sent, one about security always, without a way to turn it off', async () => {
    const person = await newPerson();
    const { result } = await person.api('workspace.create', { body: { name: 'Muted' } });
    await put(person, {
      categories: { security: { email: false } },
      mutedWorkspaces: [result.id],
    });
    await cause(world, person, { workspaceId: result.id });
    await cause(world, person, {
      workspaceId: result.id,
      triggerId: 'api_key.created',
      title: 'API key created',
    });
    const mail = await newestMail(person, 2);
    expect(mail.subject).toBe('API key created');
    expect(mail.headers.has('list')).toBe(false);
    expect(mail.text).not.toContain('unsubscribe');
  });

  it('that was removed or turned off before it was sent is not sent', async () => {
    const person = await newPerson();
    await put(person, { triggers: { 'import.finished': { email: false } } });
    await cause(world, person);
    const [row] = (await person.api('notification.list', {})).result;
    const handlers = createJobHandlers(world.context);
    const address = { userId: person.user.id, notificationId: row?.id ?? newId('notification') };
    await handlers['notification.mail'].run(address);
    await put(person, {});
    await handlers['notification.mail'].run({ ...address, notificationId: newId('notification') });
    await handlers['notification.mail'].run({ ...address, userId: newId('user') });
    expect(to(person)).toHaveLength(1);
    await handlers['notification.mail'].run(address);
    expect(to(person)).toHaveLength(2);
  });
});

describe('the link that turns mails off', () => {
  async function personWithLink() {
    const person = await newPerson();
    await cause(world, person);
    return { person, path: unsubscribePath(await newestMail(person, 2)) };
  }

  it('turns off the one category of the one person, without a session, and again without harm', async () => {
    const { person, path } = await personWithLink();
    const other = await newPerson();
    await put(person, { triggers: { 'import.finished': { email: true, push: false } } });
    expect((await oneClick(path)).status).toBe(200);
    const after = await settingsOf(person);
    expect(after.categories.workspace).toEqual({ inApp: true, email: false, push: true });
    expect(after.categories.billing.email).toBe(true);
    expect(after.triggers).toEqual({ 'import.finished': { push: false } });
    expect((await oneClick(path)).status).toBe(200);
    expect(await settingsOf(person)).toEqual(after);
    expect(await settingsOf(other)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
    await cause(world, person);
    await put(person, {});
    await cause(world, person, { title: 'After all' });
    expect((await newestMail(person, 3)).subject).toBe('After all');
  });

  it('changes nothing when it is only opened, and leads to a page that asks', async () => {
    const { person, path } = await personWithLink();
    const opened = await fetch(`${world.url}${path}`, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([
      303,
      path.replace('/v1/public/unsubscribe/', '/_unsubscribe/'),
    ]);
    expect((await fetch(`${world.url}${path}`, { method: 'HEAD', redirect: 'manual' })).status).toBe(303);
    expect(await settingsOf(person)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
  });

  it('cannot be forged, bent to another person, category or day, and is the same 404 as a made-up one', async () => {
    const { person, path } = await personWithLink();
    const victim = await newPerson();
    const [category = '', userId = '', day = '', signature = ''] = path.split('/').at(-1)?.split('.') ?? [];
    const made = [
      ['billing', userId, day, signature],
      [category, victim.user.id, day, signature],
      [category, userId, String(Number(day) + 1), signature],
      [category, userId, day, signature.slice(1)],
      [category, userId, day, ''],
      [category, userId, day, signature, 'more'],
      [category, userId, day, signature.toLowerCase()],
      ['security', userId, day, signature],
      [category, userId, 'Infinity', signature],
      ['x'],
      ['%00'],
      ['x'.repeat(300)],
    ].map((parts) => parts.join('.'));
    for (const token of made) {
      const { status, text } = await createRaw(world)('POST', `/v1/public/unsubscribe/${token}`);
      expect([token, status]).toEqual([token, 404]);
      expect(text).not.toContain(userId);
    }
    expect(await settingsOf(victim)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
    expect(await settingsOf(person)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
  });

  it('ends after a while', async () => {
    const { path } = await personWithLink();
    world.clock.advance(UNSUBSCRIBE_DAYS * DAY_MS);
    expect((await oneClick(path)).status).toBe(200);
    world.clock.advance(DAY_MS);
    expect((await oneClick(path)).status).toBe(404);
  });
});

describe('a digest', () => {
  /** Mails of one person take turns: the next one is queued when none waits or runs. */
  const allSent = () =>
    expect
      .poll(async () => {
        const { rows } = await world.context.pool.query(
          `select 1 from pgboss.job where name in ('notification.digest_mail', 'mail.send') and state in ('created', 'retry', 'active')`,
        );
        return rows.length;
      })
      .toBe(0);
  const sendDue = () => createJobHandlers(world.context)['notification.digest'].run({});

  it('collects what was not seen until eight o’clock of the person’s day, and security does not wait', async () => {
    world.clock.set(new Date('2026-07-01T12:00:00.000Z'));
    const person = await newPerson();
    await put(person, { digest: 'daily', timezone: 'Europe/Berlin' });
    await cause(world, person, { title: 'First', body: 'One', link: '/acme' });
    await cause(world, person, { title: 'Seen meanwhile' });
    const [seen] = (await person.api('notification.list', { query: { title: 'Seen meanwhile' } })).result;
    await person.raw('PUT', `/v1/notifications/${seen?.id}`, { body: { seen: true } });
    await cause(world, person, { title: 'Second', subject: 'same' });
    await cause(world, person, { title: 'Second', subject: 'same' });
    await cause(world, person, {
      triggerId: 'api_key.created',
      title: 'API key created',
    });
    expect((await newestMail(person, 2)).subject).toBe('API key created');
    world.clock.set(new Date('2026-07-02T05:59:59.000Z'));
    await sendDue();
    world.clock.set(new Date('2026-07-02T06:00:00.000Z'));
    await Promise.all([sendDue(), sendDue()]);
    const mail = await newestMail(person, 3);
    expect(mail.subject).toBe('2 new notifications');
    expect(mail.text).toMatch(/First\nOne\nhttp:\/\/localhost:4000\/acme/);
    expect(mail.text).toContain('Second (2)');
    expect(mail.text).not.toContain('Seen meanwhile');
    expect(mail.text).not.toContain('API key');
    world.clock.set(new Date('2026-07-03T06:00:00.000Z'));
    await sendDue();
    await allSent();
    await cause(world, person, { title: 'Third' });
    world.clock.set(new Date('2026-07-04T06:00:00.000Z'));
    await sendDue();
    expect((await newestMail(person, 4)).text).toContain('Third');
  });

  it('collects pages that could not be captured also for who wants no digest, and comes once', async () => {
    world.clock.set(new Date('2026-08-01T12:00:00.000Z'));
    const person = await newPerson();
    await cause(world, person, { triggerId: 'memory.failed', title: 'A page could not be captured' });
    await cause(world, person, { title: 'Import finished' });
    expect((await newestMail(person, 2)).subject).toBe('Import finished');
    expect(await settingsOf(person)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
    await put(person, { timezone: 'UTC' });
    world.clock.set(new Date('2026-08-02T08:00:00.000Z'));
    await sendDue();
    const mail = await newestMail(person, 3);
    expect(mail.text).toContain('A page could not be captured');
    expect(mail.text).not.toContain('Import finished');
    world.clock.set(new Date('2026-08-03T08:00:00.000Z'));
    await sendDue();
    await allSent();
    expect(to(person)).toHaveLength(3);
  });

  it('is sent at once when the person no longer wants digests', async () => {
    const person = await newPerson();
    await put(person, { digest: 'weekly', timezone: 'America/New_York' });
    await cause(world, person, { title: 'Waiting' });
    await put(person, {});
    expect((await newestMail(person, 2)).text).toContain('Waiting');
  });

  it('has a link that turns off all that it collects', async () => {
    const person = await newPerson();
    await put(person, { digest: 'daily' });
    await cause(world, person);
    world.clock.advance(2 * DAY_MS);
    await sendDue();
    expect((await oneClick(unsubscribePath(await newestMail(person, 2)))).status).toBe(200);
    const { categories, digest } = await settingsOf(person);
    expect([categories.workspace.email, categories.billing.email, categories.internal.email]).toEqual([
      false,
      false,
      false,
    ]);
    expect(digest).toBe('daily');
  });
});
