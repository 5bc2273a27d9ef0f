/** Mails to secret addresses: what is saved of them, in whose name, and what the sender's server is told. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIL_LIMITS } from '#server/capture/mail/mail-limits.ts';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import { LIMITS } from '#shared/constants.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import type { Agent } from '#tests/support/agent.ts';
import { unverifyAddress } from '#tests/support/agent.ts';
import {
  listenForMails,
  MAIL_DOMAIN,
  MAIL_ENV,
  mailAddressOf,
  openLine,
  sendMail,
  sendRaw,
} from '#tests/support/mail-sender.ts';
import { createStaff, impersonate, STAFF_ENV } from '#tests/support/staff.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

let cast: Cast;
let to: string;
const world = await openWorld({
  env: { ...MAIL_ENV, ...STAFF_ENV, SECRETS_KEY: 'a key of thirty-two characters, or more' },
});
const server = await listenForMails(world);
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  cast = await createCast(world);
  to = await mailAddressOf(cast.alice, cast.workspaceId);
});

async function saved(by: Agent = cast.alice) {
  const { workspaceId } = cast;
  const query = { perPage: 100, orderBy: 'created' as const };
  return (await by.api('memory.list', { params: { workspaceId }, query })).result;
}

const NO_ADDRESS = { code: 550, words: 'There is no such address here' };
const SAVED = { code: 250, words: 'Saved' };
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a mail', () => {
  it('becomes a note of the person, with its subject as title', async () => {
    const mail = { to, subject: 'Leek soup', text: 'Leeks first.\n\nThen the rest.' };
    expect(await sendMail(server, mail)).toEqual(SAVED);
    const [memory, ...others] = await saved();
    expect(others).toEqual([]);
    expect(memory).toMatchObject({
      type: 'note',
      origin: 'email',
      title: 'Leek soup',
      notes: 'Leeks first.\n\nThen the rest.',
      ownerId: cast.alice.user.id,
      createdBy: cast.alice.user.id,
      workspaceId: cast.workspaceId,
    });
  });

  it('in HTML keeps its words as Markdown, without what runs, hides or tracks', async () => {
    const html = `<html><head><style>p{color:red}</style></head><body>
      <h1>Ferries in winter</h1>
      <p>The <b>last boat</b> leaves at <a href="https://ferry.example/times">six</a>.</p>
      <script>alert(1)</script><p onclick="alert(2)">Bring a coat.</p>
      <img src="https://track.example/open.gif" width="1" height="1"></body></html>`;
    expect(await sendMail(server, { to, subject: 'Boats', html })).toEqual(SAVED);
    const [memory] = await saved();
    expect(memory?.notes).toContain('The **last boat** leaves at [six](https://ferry.example/times).');
    expect(memory?.notes).toContain('Bring a coat.');
    expect(memory?.notes).not.toMatch(/alert|track\.example|color|<\w/);
  });

  it('in HTML as short as a letter keeps every word', async () => {
    const html = '<div>Hi Ann,</div><div><br></div><div>see you at seven.</div><div>Bo</div>';
    expect(await sendMail(server, { to, subject: 'Tonight', html })).toEqual(SAVED);
    const [memory] = await saved();
    expect(memory?.notes?.split(/\s+/).join(' ')).toBe('Hi Ann, see you at seven. Bo');
  });

  it('that is only a link becomes a link, once for each page', async () => {
    const url = 'https://example.com/ferries';
    expect(await sendMail(server, { to, subject: 'Ferries', text: `${url}\n` })).toEqual(SAVED);
    expect(await sendMail(server, { to, subject: '', text: `<${url}#times>\n-- \nSent by Bo` })).toEqual(
      SAVED,
    );
    expect(await sendMail(server, { to, subject: 'https://example.com/other', text: '' })).toEqual(SAVED);
    const links = (await saved()).map(({ type, origin, title, url: saves, notes, contentStatus }) => ({
      type,
      origin,
      title,
      url: saves,
      notes,
      contentStatus,
    }));
    expect(links).toHaveLength(2);
    expect(links).toContainEqual({
      type: 'link',
      origin: 'email',
      title: 'Ferries',
      url,
      notes: null,
      contentStatus: 'pending',
    });
    expect(links).toContainEqual(expect.objectContaining({ title: null, url: 'https://example.com/other' }));
  });

  it('with attachments becomes its text and a memory of each file', async () => {
    const attachments = [
      { filename: 'a re\u202eport.pdf', content: '%PDF-1.4\n% mailed' },
      { filename: '../../etc/a dot.png', content: PNG },
      { filename: 'list.md', content: '# Shopping\n\neggs' },
    ];
    expect(await sendMail(server, { to, subject: 'Papers', text: 'Three files', attachments })).toEqual(
      SAVED,
    );
    const all = await saved();
    expect(
      all
        .map(({ type, origin, title, filename }) => [type, origin, title, filename].join(' | '))
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual([
      'file | email | a dot | a dot.png',
      'file | email | a report | a report.pdf',
      'note | email | Papers | ',
      'note | email | Shopping | list.md',
    ]);
    const pdf = all.find(({ filename }) => filename === 'a report.pdf');
    expect(pdf).toMatchObject({ contentStatus: 'pending', uploadId: expect.stringMatching(/^upload_/) });
  });

  it('that is one file takes the subject as its title', async () => {
    const attachments = [{ filename: 'scan.png', content: PNG }];
    expect(await sendMail(server, { to, subject: 'Receipt of the boat', attachments })).toEqual(SAVED);
    expect((await saved()).map(({ type, title }) => [type, title])).toEqual([
      ['file', 'Receipt of the boat'],
    ]);
  });

  it('sent again is saved once, by its Message-ID or by what is in it', async () => {
    const mail = { to, subject: 'Once', text: 'Only once', messageId: '<one@elsewhere.example>' };
    expect([await sendMail(server, mail), await sendMail(server, mail)]).toEqual([SAVED, SAVED]);
    const unnamed = `From: a@b.example\r\nSubject: Unnamed\r\n\r\nwithout a Message-ID\r\n`;
    expect([await sendRaw(server, to, unnamed), await sendRaw(server, to, unnamed)]).toEqual([SAVED, SAVED]);
    expect(await sendRaw(server, to, unnamed.replace('without', 'with no'))).toEqual(SAVED);
    const titles = (await saved()).map(({ title }) => title ?? '');
    expect(titles.toSorted((a, b) => a.localeCompare(b))).toEqual(['Once', 'Unnamed', 'Unnamed']);
  });

  it('sent many times at the same moment, to two servers, is saved once', async () => {
    const second = await createWorld({ env: MAIL_ENV, database: world.database });
    const other = await listenForMails(second);
    try {
      const mail = { to, subject: 'At once', text: 'Together', messageId: '<together@elsewhere.example>' };
      const replies = await Promise.all([server, other, server, other].map((each) => sendMail(each, mail)));
      expect(replies).toEqual([SAVED, SAVED, SAVED, SAVED]);
      expect(await saved()).toHaveLength(1);
    } finally {
      await other.close();
      await second.close();
    }
  });

  it('to the addresses of two people has an outcome for each', async () => {
    const bobs = await mailAddressOf(cast.bob, cast.workspaceId);
    const line = await openLine(server);
    await line.say('EHLO test');
    await line.say('MAIL FROM:<ann@elsewhere.example>');
    expect(await line.say(`RCPT TO:<${to}>`)).toMatch(/^250 /);
    expect(await line.say(`RCPT TO:<${bobs}>`)).toBe('452 One recipient at a time, please\r\n');
    expect(await line.say('DATA')).toMatch(/^354 /);
    expect(await line.say('Subject: Shared\r\n\r\nboth\r\n.')).toMatch(/^250 /);
    line.end();
    expect(await saved()).toMatchObject([{ ownerId: cast.alice.user.id }]);
  });
});

describe('an address takes no mail, and says nothing of the reason,', () => {
  it('when it is unknown, of another domain, renewed or switched off', async () => {
    const renewed = await mailAddressOf(cast.alice, cast.workspaceId);
    const [name] = renewed.split('@');
    for (const wrong of [
      to,
      `unknown@${MAIL_DOMAIN}`,
      `${name}x@${MAIL_DOMAIN}`,
      `${name}@elsewhere.example`,
      `${name}+tag@${MAIL_DOMAIN}`,
      cast.alice.user.email,
    ])
      expect([wrong, await sendMail(server, { to: wrong, text: 'x' })]).toEqual([wrong, NO_ADDRESS]);
    expect(await sendMail(server, { to: renewed.toUpperCase(), text: 'x' })).toEqual(SAVED);
    const params = { workspaceId: cast.workspaceId };
    await cast.alice.api('mail_address.remove', { params });
    expect(await sendMail(server, { to: renewed, text: 'y' })).toEqual(NO_ADDRESS);
    expect(await saved()).toHaveLength(1);
  });

  it('once its person was demoted or removed, also between RCPT and DATA', async () => {
    const bobs = await mailAddressOf(cast.bob, cast.workspaceId);
    const params = { workspaceId: cast.workspaceId, id: cast.bob.user.id };
    const line = await openLine(server);
    await line.say('EHLO test');
    await line.say('MAIL FROM:<ann@elsewhere.example>');
    expect(await line.say(`RCPT TO:<${bobs}>`)).toMatch(/^250 /);
    await cast.alice.api('workspace_member.update', { params, body: { position: 'read-only' } });
    expect(await line.say('DATA')).toMatch(/^354 /);
    expect(await line.say('Subject: late\r\n\r\nlate\r\n.')).toBe('550 There is no such address here\r\n');
    expect(await sendMail(server, { to: bobs, text: 'x' })).toEqual(NO_ADDRESS);
    await cast.alice.api('workspace_member.update', { params, body: { position: 'member' } });
    expect(await sendMail(server, { to: bobs, text: 'x' })).toEqual(SAVED);
    await line.say('MAIL FROM:<ann@elsewhere.example>');
    expect(await line.say(`RCPT TO:<${bobs}>`)).toMatch(/^250 /);
    await cast.alice.api('workspace_member.remove', { params });
    expect(await line.say('DATA')).toMatch(/^354 /);
    expect(await line.say('Subject: late\r\n\r\nlate\r\n.')).toBe('550 There is no such address here\r\n');
    line.end();
    expect(await sendMail(server, { to: bobs, text: 'x' })).toEqual(NO_ADDRESS);
    expect(await saved()).toHaveLength(1);
  });

  it('while the account or the workspace is being deleted', async () => {
    await cast.alice.api('workspace.remove', { params: { workspaceId: cast.workspaceId } });
    expect(await sendMail(server, { to, text: 'x' })).toEqual(NO_ADDRESS);
  });

  it('and the connection ends after a few guesses', async () => {
    const line = await openLine(server);
    await line.say('EHLO test');
    await line.say('MAIL FROM:<>');
    const replies = [];
    for (let guess = 1; guess <= MAIL_LIMITS.wrongAddresses; guess++)
      replies.push((await line.say(`RCPT TO:<save_${guess}@${MAIL_DOMAIN}>`)).slice(0, 3));
    expect(replies).toEqual(['550', '550', '550', '550', '421']);
    line.end();
  });
});

describe('a mail is refused with the reason', () => {
  it.each([
    ['with nothing in it', { text: '' }, 'There is nothing in this mail to save'],
    [
      'with a file that cannot be saved',
      { text: 'x', attachments: [{ filename: 'a.zip', content: 'PK\u0003\u0004' }] },
      'The attachment a.zip cannot be saved: This kind of file is not supported, or its content does not match its name',
    ],
    [
      'with an empty file',
      { text: 'x', attachments: [{ filename: 'a.pdf', content: '' }] },
      'The attachment a.pdf cannot be saved: The file is empty',
    ],
    [
      'with too long a text',
      { text: 'x '.repeat(LIMITS.notes) },
      `Its text is longer than ${LIMITS.notes} characters`,
    ],
    [
      'with too many files',
      {
        text: 'x',
        attachments: Array.from({ length: 21 }, (_, at) => ({ filename: `${at}.png`, content: PNG })),
      },
      'A mail may have 20 attachments at most',
    ],
  ])('%s, and nothing of it is saved', async (_what, mail, words) => {
    expect(await sendMail(server, { to, ...mail })).toEqual({ code: 554, words });
    expect(await saved()).toEqual([]);
  });

  it('when the address has had too many, until an hour is over', async () => {
    const { workspaceId, alice } = cast;
    const received = world.clock.now().toISOString();
    const rows = Array.from({ length: MAIL_LIMITS.perHour }, (_, at) => ({
      workspaceId,
      userId: alice.user.id,
      key: `mail ${at}`,
      received,
    }));
    await world.context.db.insertInto('received_mail').values(rows).execute();
    const mail = { to, subject: 'One more', text: 'x', messageId: '<more@elsewhere.example>' };
    expect(await sendMail(server, mail)).toEqual({
      code: 451,
      words: 'This address has had too many mails, try again later',
    });
    world.clock.advance(3_600_001);
    expect(await sendMail(server, mail)).toEqual(SAVED);
  });

  it('and is forgotten after a month', async () => {
    await sendMail(server, { to, text: 'x' });
    const mails = () => world.context.db.selectFrom('received_mail').select('key').execute();
    expect(await mails()).not.toEqual([]);
    world.clock.advance((MAIL_LIMITS.rememberedDays + 1) * 86_400_000);
    for (const task of createCleanUpTasks(world.context)) await task(world.clock.now());
    expect(await mails()).toEqual([]);
  });
});

describe('the server', () => {
  it('announces the size, offers neither log-in nor encryption, and relays nothing', async () => {
    const line = await openLine(server);
    const features = await line.say('EHLO test');
    expect(features).toContain(`SIZE ${MAIL_LIMITS.bytes}`);
    expect(features).not.toMatch(/AUTH|STARTTLS/);
    expect(await line.say('STARTTLS')).toMatch(/^500 /);
    expect(await line.say('AUTH PLAIN AGEAYg==')).toMatch(/^500 /);
    expect(await line.say('VRFY alice')).toMatch(/^500 /);
    expect(await line.say('DATA')).toMatch(/^503 /);
    expect(await line.say('MAIL FROM:<a@b.example> SIZE=999999999')).toMatch(/^552 /);
    await line.say('MAIL FROM:<a@b.example>');
    expect(await line.say('RCPT TO:<someone@gmail.com>')).toBe('550 There is no such address here\r\n');
    expect(await line.say('DATA')).toMatch(/^503 /);
    line.end();
  });
});

describe('the address', () => {
  const params = () => ({ workspaceId: cast.workspaceId });

  it('is shown to its person alone, encrypted where it is stored, and replaced by the next', async () => {
    expect((await cast.alice.api('mail_address.get', { params: params() })).result).toMatchObject({
      isAvailable: true,
      address: to,
    });
    expect((await cast.bob.api('mail_address.get', { params: params() })).result).toEqual({
      isAvailable: true,
      address: null,
      created: null,
    });
    const next = await mailAddressOf(cast.alice, cast.workspaceId);
    expect(next).not.toBe(to);
    expect(next).toMatch(/^save_[a-z1-9]{32}@in\.example$/);
    const stored = world.context.db
      .selectFrom('mail_address')
      .select(['secret', 'sealedSecret', 'hash'])
      .where('workspaceId', '=', cast.workspaceId);
    const row = await stored.executeTakeFirstOrThrow();
    expect(row).toMatchObject({ secret: null, sealedSecret: expect.any(String) });
    expect(JSON.stringify(row)).not.toContain(next.split('@')[0]);

    // As a server without a key has stored it.
    await world.context.db
      .updateTable('mail_address')
      .set({ secret: next.split('@')[0] ?? '', sealedSecret: null })
      .where('workspaceId', '=', cast.workspaceId)
      .execute();
    for (const task of createCleanUpTasks(world.context)) await task(world.clock.now());
    expect(await stored.executeTakeFirstOrThrow()).toMatchObject({ secret: null });
    expect((await cast.alice.api('mail_address.get', { params: params() })).result.address).toBe(next);
  });

  it('is not for strangers, readers, keys, staff, or people who have not confirmed their own', async () => {
    const path = `/v1/mail-address/${cast.workspaceId}`;
    for (const person of [cast.eve, cast.rita])
      for (const method of ['GET', 'POST', 'DELETE'] as const)
        expect([method, (await person.raw(method, path)).status]).toEqual([method, 403]);
    const key = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['memories:write'],
    });
    expect((await key.raw('GET', path)).status).toBe(403);
    const staff = await impersonate(world, await createStaff(world), cast.alice);
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect([method, (await staff.raw(method, path)).status]).toEqual([method, 403]);
    await unverifyAddress(world, cast.bob);
    expect((await cast.bob.raw('POST', path)).status).toBe(403);
    expect(await sendMail(server, { to, text: 'still there' })).toEqual(SAVED);
  });

  it('is not offered by a server that takes no mails', async () => {
    const without = await createWorld({ database: world.database });
    try {
      const person = await createCast(without);
      const at = { workspaceId: person.workspaceId };
      expect((await person.alice.api('mail_address.get', { params: at })).result).toEqual({
        isAvailable: false,
        address: null,
        created: null,
      });
      const { status } = await person.alice.raw('POST', `/v1/mail-address/${person.workspaceId}`);
      expect(status).toBe(409);
    } finally {
      await without.close();
    }
  });
});
