/** Both ways to send mail, held to the same behaviour, and the local page that shows mail of a server without SMTP. */
import { once } from 'node:events';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailer, type Mail, type Mailer } from '#server/providers/mailer.ts';
import { layoutMail } from '#server/providers/mail-layout.ts';
import { createRaw } from '#tests/support/agent.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { createWorld, type World } from '#tests/support/world.ts';

/** A mail as it arrived, with all its recipients. */
interface Received extends Pick<Mail, 'to' | 'subject' | 'text' | 'html'> {
  recipients: string[];
}

/** Of no meaning to a mailer. */
const kind = 'notification' as const;

let world: World;
let server: SMTPServer;
const received: Received[] = [];
let refuses = false;

beforeAll(async () => {
  world = await createWorld();
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      simpleParser(stream)
        .then(({ subject = '', text = '', html, to }) => {
          const named = [to ?? []].flat().flatMap(({ value }) => value.map(({ address = '' }) => address));
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          received.push({ to: named.join(), subject, text, html: html || '', recipients });
          done(refuses ? new Error('mailbox full') : null);
        })
        .catch(done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
});
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await world.close();
});

function smtp(): Mailer {
  const address = server.server.address();
  const at = typeof address === 'object' && address !== null ? address.port : 0;
  const config = { smtpUrl: `smtp://127.0.0.1:${at}`, mailFrom: 'Loci <no-reply@loci.example>' };
  return createMailer(config, { db: world.context.db, clock: world.clock });
}

const kinds = [
  {
    name: 'SMTP',
    mailer: smtp,
    read: async (to: string) => received.filter(({ recipients }) => recipients.includes(to)).at(-1),
  },
  {
    name: 'the outbox',
    mailer: () => world.context.mailer,
    read: async (to: string): Promise<Received | undefined> => {
      const [newest] = await mailsTo(world, to);
      return newest && { ...newest, recipients: [newest.to] };
    },
  },
];

describe.each(kinds)('mail by $name', ({ mailer, read }) => {
  it('arrives with subject, text and HTML in any script', async () => {
    const mail = {
      kind,
      to: 'ada@example.com',
      ...layoutMail('Grüße, 記憶 🌊', ['Ein Wort: “größer” & <b>mehr</b>']),
    };
    await mailer().send(mail);
    const arrived = await read(mail.to);
    expect(arrived).toMatchObject({ to: mail.to, subject: mail.subject, recipients: [mail.to] });
    expect(arrived?.text.trim()).toBe(mail.text.trim());
    expect(arrived?.html.trim()).toBe(mail.html.trim());
  });

  it('takes no header and no recipient out of a subject', async () => {
    const subject = 'Hello\r\nBcc: eve@example.com\r\n\r\nbody\u0000\u2028x';
    await mailer().send({ kind, to: 'bob@example.com', subject, text: 'text', html: '<p>html</p>' });
    expect(await read('bob@example.com')).toMatchObject({
      subject: 'Hello Bcc: eve@example.com body x',
      recipients: ['bob@example.com'],
    });
    expect(await read('eve@example.com')).toBeUndefined();
  });

  it.each([
    'two@example.com, three@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'Name <a@example.com>',
    'group: a@example.com;',
    '"a b"@example.com',
    'ada',
    '',
  ])('is refused for %j, which is not one plain address', async (to) => {
    const mail = { subject: 's', text: 't', html: 'h' };
    await expect(mailer().send({ kind, to, ...mail })).rejects.toThrow('not one address');
  });

  it('goes to an international domain', async () => {
    await mailer().send({ kind, to: 'post@bücher.example', subject: 's', text: 't', html: 'h' });
    const arrived = (await read('post@bücher.example')) ?? (await read('post@xn--bcher-kva.example'));
    expect(arrived?.subject).toBe('s');
  });
});

it('a refusal of the SMTP server is a failure of the send', async () => {
  refuses = true;
  const mail = { kind, to: 'ada@example.com', subject: 's', text: 't', html: 'h' };
  await expect(smtp().send(mail)).rejects.toThrow('mailbox full');
  refuses = false;
});

it('the layout adapts to dark mode, loads nothing and shows text of people as text', () => {
  const { html, text } = layoutMail('<script>', [
    { code: '123456' },
    { link: 'https://x.example/?a=1&b="', label: 'Go' },
  ]);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('prefers-color-scheme: dark');
  expect(html).not.toMatch(/<script|<img|src=|url\(|@import/);
  expect(html).toContain('href="https://x.example/?a=1&amp;b=&quot;"');
  expect(text).toContain('https://x.example/?a=1&b="');
});

describe('the outbox page', () => {
  it('lists mail newest first, as JSON and as a page that runs no script', async () => {
    const send = (subject: string) =>
      world.context.mailer.send({
        kind,
        to: 'list@example.com',
        subject,
        text: `<i>${subject}</i> http://localhost:4000/x`,
        html: 'h',
      });
    await send('first');
    await send('second');
    const raw = createRaw(world);
    const json = await raw('GET', '/_outbox.json');
    expect(Object(json.json).slice(0, 2)).toEqual([
      expect.objectContaining({
        to: 'list@example.com',
        subject: 'second',
        html: 'h',
        created: world.clock.now().toISOString(),
      }),
      expect.objectContaining({ subject: 'first' }),
    ]);
    const page = await raw('GET', '/_outbox');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('&lt;i&gt;second&lt;/i&gt; <a href="http://localhost:4000/x">');
  });

  it.each([
    ['forwarded requests', { 'x-forwarded-for': '127.0.0.1' }],
    ['forwarded requests of the standard form', { forwarded: 'for=127.0.0.1' }],
  ])('is hidden from %s', async (_what, headers) => {
    expect((await createRaw(world)('GET', '/_outbox.json', { headers })).status).toBe(404);
    expect((await createRaw(world)('GET', '/_outbox', { headers })).status).toBe(404);
  });

  it.each([
    ['in production', { LOCI_ENV: 'production' }],
    ['with an SMTP server', { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' }],
  ])('does not exist %s', async (_what, env) => {
    const other = await createWorld({ env, database: world.database });
    expect((await createRaw(other)('GET', '/_outbox.json')).status).toBe(404);
    expect((await createRaw(other)('GET', '/_outbox')).status).toBe(404);
    await other.close();
  });
});
