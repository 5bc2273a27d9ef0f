/** Mails that are made to hurt, senders that are slow or leave, and a database that is gone in the middle. */
import { once } from 'node:events';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIL_LIMITS } from '#server/capture/mail/mail-limits.ts';
import { readMailInProcess } from '#server/capture/mail/save-mail.ts';
import type { MailServer } from '#server/capture/mail/mail-server.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { createDatabaseProxy } from '#tests/support/database-proxy.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import {
  listenForMails,
  MAIL_ENV,
  mailAddressOf,
  openLine,
  sendMail,
  sendRaw,
  type SmtpLine,
} from '#tests/support/mail-sender.ts';
import { withPatience } from '#tests/support/patience.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';
import { zipOf } from '#tests/support/zip.ts';

let cast: Cast;
let to: string;
const world = await openWorld({ env: MAIL_ENV });
const server = await listenForMails(world);
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  cast = await createCast(world);
  to = await mailAddressOf(cast.alice, cast.workspaceId);
});

const SAVED = { code: 250, words: 'Saved' };

async function saved(given: Cast = cast) {
  const query = { perPage: 100, orderBy: 'created' as const };
  const { workspaceId } = given;
  return (await given.alice.api('memory.list', { params: { workspaceId }, query })).result;
}

/** A mail of these lines. */
const mailOf = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;

/** After whatever came before, the next mail is saved as if nothing had happened. */
async function expectToGoOn(): Promise<void> {
  const before = (await saved()).length;
  expect(await sendMail(server, { to, subject: 'After it', text: 'still here' })).toEqual(SAVED);
  expect(await saved()).toHaveLength(before + 1);
}

describe('a mail made to hurt', () => {
  it('with parts within parts is read or refused, and the server goes on', async () => {
    const depth = 5_000;
    const open = Array.from({ length: depth }, (_, at) => [
      `Content-Type: multipart/mixed; boundary="b${at}"`,
      '',
      `--b${at}`,
    ]).flat();
    const raw = mailOf('Subject: Deep', ...open, 'Content-Type: text/plain', '', 'the bottom');
    const { code } = await sendRaw(server, to, raw);
    expect([250, 554]).toContain(code);
    expect(await saved()).toHaveLength(code === 250 ? 1 : 0);
    await expectToGoOn();
  });

  it('with ten thousand files is refused', async () => {
    const part = (at: number) =>
      mailOf('--cut', `Content-Disposition: attachment; filename="${at}.txt"`, '', `file ${at}`);
    const parts = Array.from({ length: 10_000 }, (_, at) => part(at)).join('');
    const raw = `${mailOf('Subject: Many', 'Content-Type: multipart/mixed; boundary=cut', '')}${parts}--cut--\r\n`;
    const { code } = await sendRaw(server, to, raw);
    expect(code).toBe(554);
    expect(await saved()).toEqual([]);
    await expectToGoOn();
  });

  it('with huge headers is read or refused, and titles stay titles', async () => {
    const many = Array.from({ length: 50_000 }, (_, at) => `X-Filler-${at}: ${'y'.repeat(40)}`);
    const addresses = `To: ${'"a" <a@b.example>, ('.repeat(20_000)}`;
    for (const raw of [
      mailOf(`Subject: ${'long '.repeat(200_000)}`, '', 'x'),
      mailOf('Subject: Many headers', ...many, '', 'x'),
      mailOf('Subject: Many addresses', addresses, '', 'x'),
    ]) {
      const { code } = await sendRaw(server, to, raw);
      expect([250, 554]).toContain(code);
    }
    for (const { title } of await saved()) expect(title?.length).toBeLessThanOrEqual(300);
    await expectToGoOn();
  });

  describe('in the time that its reader may take', () => {
    withPatience(1);

    it('with HTML that is deeper than any page is refused or kept as words', async () => {
      const html = `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}`;
      const { code } = await sendMail(server, { to, subject: 'Deep page', html });
      expect([250, 554]).toContain(code);
      await expectToGoOn();
    });
  });

  it('with an archive that unpacks to two hundred megabytes is not unpacked', async () => {
    const bomb = await zipOf([{ path: 'word/document.xml', bytes: Buffer.alloc(200_000_000) }]);
    const zip = { to, subject: 'Zip', text: 'x', attachments: [{ filename: 'bomb.zip', content: bomb }] };
    expect((await sendMail(server, zip)).code).toBe(554);
    const docx = { to, subject: 'Docx', attachments: [{ filename: 'bomb.docx', content: bomb }] };
    expect(await sendMail(server, docx)).toEqual(SAVED);
    expect(await saved()).toMatchObject([{ type: 'file', contentStatus: 'pending', filename: 'bomb.docx' }]);
  });

  it.each([
    ['a charset that does not exist', 'charset=x-none', Buffer.from('plain words'), 'plain words'],
    ['UTF-7, in which tags can hide', 'charset=utf-7', Buffer.from('+ADw-script+AD4-'), /script/],
    ['UTF-8 that is Windows-1252', 'charset=utf-8', Buffer.from([0x63, 0x61, 0x66, 0xe9]), /^caf/],
    ['NUL and half characters', 'charset=utf-8', Buffer.from('a\u0000b\ud800c'), /^ab.*c$/],
    ['UTF-16 with an odd byte', 'charset=utf-16le', Buffer.from([0x61, 0, 0x62, 0, 0x63]), /^ab/],
  ])('in %s is saved as text', async (_what, charset, body, notes) => {
    const head = mailOf('Subject: =?x-none?Q?caf=00=E9?=', `Content-Type: text/plain; ${charset}`, '');
    expect(await sendRaw(server, to, Buffer.concat([Buffer.from(head), body, Buffer.from('\r\n')]))).toEqual(
      SAVED,
    );
    const [memory] = await saved();
    expect(memory?.title).toMatch(/^caf/);
    expect(memory?.title).not.toContain('\u0000');
    expect(memory?.notes).toEqual(typeof notes === 'string' ? notes : expect.stringMatching(notes));
  });

  it('cannot put lines into what the server says or keeps', async () => {
    const injected = Buffer.from('evil\r\n250 Saved\r\nX: y').toString('base64');
    const raw = mailOf(
      `Subject: =?utf-8?B?${injected}?=`,
      'Content-Type: multipart/mixed; boundary=cut',
      '',
      '--cut',
      `Content-Disposition: attachment; filename="=?utf-8?B?${injected}?="`,
      '',
      'MZ',
      '--cut--',
    );
    const line = await openTo(to);
    expect(await line.say(`${raw}.`)).toMatch(/^554 The attachment [^\r\n]* cannot be saved: [^\r\n]*\r\n$/);
    expect(await line.say('NOOP')).toBe('250 OK\r\n');
    line.end();
    const subject = `Subject: =?utf-8?B?${injected}?=`;
    expect(await sendRaw(server, to, mailOf(subject, '', 'x'))).toEqual(SAVED);
    expect(await saved()).toMatchObject([{ title: 'evil 250 Saved X: y' }]);
  });

  it('cannot hide a second mail behind another end of lines', async () => {
    const hidden = `x\n.\nMAIL FROM:<a@b.example>\nRCPT TO:<${to}>\nDATA\nSubject: hidden\n\ny\n.\r\nz`;
    const line = await openTo(to);
    expect(await line.say(`Subject: One\r\n\r\n${hidden}\r\n.`)).toBe('250 Saved\r\n');
    line.end();
    const memories = await saved();
    expect(memories.map(({ title }) => title)).toEqual(['One']);
    expect(memories[0]?.notes).toContain('Subject: hidden');
  });

  it('that takes too long to read or too much memory is refused', async () => {
    const raw = Buffer.from(mailOf('Subject: x', '', 'x'));
    expect(await readMailInProcess(raw, { memoryMb: 512, limitMs: 1 })).toBeUndefined();
    expect(await readMailInProcess(raw, { memoryMb: 1, limitMs: 20_000 })).toBeUndefined();
  });
});

/** A line on which a mail to this address may begin. */
async function openTo(address: string, on: MailServer = server): Promise<SmtpLine> {
  const line = await openLine(on);
  await line.say('EHLO test');
  await line.say('MAIL FROM:<ann@elsewhere.example>');
  expect(await line.say(`RCPT TO:<${address}>`)).toMatch(/^250 /);
  expect(await line.say('DATA')).toMatch(/^354 /);
  return line;
}

describe('a sender', () => {
  it('that falls silent, or sends a little for ever, is sent away with nothing saved', async () => {
    const strict = await listenForMails(world, { silenceMs: 300, connectionMs: 2_000 });
    const silent = await openTo(to, strict);
    expect(await silent.say('Subject: silent\r\n\r\nnot yet')).toMatch(/^421 /);
    const trickle = await openTo(to, strict);
    const drops = setInterval(() => trickle.socket.write('x'), 50);
    await once(trickle.socket.resume(), 'close');
    clearInterval(drops);
    await strict.close();
    expect(await saved()).toEqual([]);
  });

  it('that leaves in the middle leaves nothing', async () => {
    const line = await openTo(to);
    line.socket.write('Subject: half\r\n\r\nhalf a mail');
    line.end();
    await expectToGoOn();
    expect((await saved()).map(({ title }) => title)).toEqual(['After it']);
  });

  it('of a mail that is too large is told so at its end, and may go on', async () => {
    const strict = await listenForMails(world, { bytes: 50_000 });
    const line = await openTo(to, strict);
    expect(await line.say(`Subject: big\r\n\r\n${'x'.repeat(70)}\r\n`.repeat(2_000).concat('.'))).toMatch(
      /^552 The mail is too large/,
    );
    expect(await line.say('MAIL FROM:<a@b.example>')).toMatch(/^250 /);
    line.end();
    await strict.close();
    expect(await saved()).toEqual([]);
  });

  it('is asked to come again while the server holds as many mails as it can', async () => {
    const full = await listenForMails(world, { heldBytes: 20_000 });
    const waiting = await openTo(to, full);
    waiting.socket.write(`Subject: first\r\n\r\n${'x'.repeat(15_000)}\r\n`);
    const other = await openTo(to, full);
    await expect
      .poll(async () => {
        const reply = await other.say(`Subject: other\r\n\r\n${'y'.repeat(15_000)}\r\n.`);
        await other.say('MAIL FROM:<a@b.example>');
        await other.say(`RCPT TO:<${to}>`);
        await other.say('DATA');
        return reply;
      })
      .toMatch(/^452 Too many mails arrive at the moment/);
    waiting.end();
    other.end();
    await full.close();
  });

  it('beyond the number of connections waits outside', async () => {
    const strict = await listenForMails(world, { connections: 1 });
    const first = await openLine(strict);
    const second = await openLine(strict);
    expect(await second.say('EHLO test')).toBe('');
    expect(await first.say('EHLO test')).toMatch(/^250-/);
    first.end();
    await strict.close();
  });
});

describe('while the database is gone', () => {
  it('a mail is refused for the moment, and the next try saves it once', async () => {
    const target = await createTestDatabase();
    const proxy = await createDatabaseProxy(target);
    const failing = await createWorld({ env: MAIL_ENV, database: proxy.database });
    const listening = await listenForMails(failing);
    try {
      const people = await createCast(failing);
      const address = await mailAddressOf(people.alice, people.workspaceId);
      const mail = { to: address, subject: 'Again', text: 'x', messageId: '<again@elsewhere.example>' };

      proxy.onCommit(() => 'before');
      const gone = await sendMail(listening, mail);
      expect(gone).toEqual({ code: 451, words: 'The mail cannot be saved at the moment, try again later' });
      proxy.onCommit(() => undefined);
      expect(await saved(people)).toEqual([]);

      // It is saved, but the server cannot know.
      const cuts = ['after' as const];
      proxy.onCommit(() => cuts.shift());
      expect((await sendMail(listening, mail)).code).toBe(451);
      expect(await sendMail(listening, mail)).toEqual(SAVED);
      expect(await saved(people)).toMatchObject([{ title: 'Again' }]);

      const line = await openLine(listening);
      await line.say('EHLO test');
      await line.say('MAIL FROM:<>');
      await proxy.close();
      expect(await line.say(`RCPT TO:<${address}>`)).toMatch(/^451 /);
      line.end();
    } finally {
      await listening.close();
      await failing.close();
      await target.drop();
    }
  });
});

it('the limits leave room for the largest file', () => {
  expect(MAIL_LIMITS.bytes).toBeGreaterThan((25 * 1024 * 1024 * 78) / 57);
});
