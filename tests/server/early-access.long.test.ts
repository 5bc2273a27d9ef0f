/** Early access through HTTP: requests that tell nothing, news that is confirmed, approvals in batches, and the gate. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createRaw,
  signUp,
  TEST_PASSWORD,
  verifyAddress,
  type Agent,
  type RawRequest,
} from '#tests/support/agent.ts';
import { mailsTo, mailWith } from '#tests/support/mails.ts';
import { fromElsewhere } from '#tests/support/provider-browser.ts';
import { createProviderWorld, newPerson, type ProviderWorld } from '#tests/support/provider-world.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;

let stage: ProviderWorld;
/** Where sign-up is open, with staff. */
let world: World;
/** The same database behind a gate. */
let gated: World;
let anyone: RawRequest;
let atGate: RawRequest;
let staff: Agent;

beforeAll(async () => {
  stage = await createProviderWorld();
  ({ anyone } = stage);
  world = await createWorld({
    database: stage.world.database,
    jobs: true,
    env: { STAFF_EMAILS: 'staff@example.com', TRUST_PROXY: 'loopback' },
  });
  gated = await createWorld({
    database: stage.world.database,
    env: {
      ...stage.providers.github.env,
      SIGNUP_MODE: 'invite',
      SIGNUP_ALLOW: 'friend@example.net, partner.example',
      TRUST_PROXY: 'loopback',
    },
  });
  atGate = (method, target, init = {}) =>
    createRaw(gated)(method, target, { ...init, headers: { ...fromElsewhere(), ...init.headers } });
  staff = await signUp(world, 'staff');
  await verifyAddress(world, staff);
});
afterAll(async () => {
  await gated.close();
  await world.close();
  await stage.close();
});
beforeEach(async () => {
  await world.context.db.deleteFrom('rate_limit').execute();
});

const ask = (email: string, more: object = {}) => anyone('POST', '/signup', { body: { email, ...more } });
const stored = () => world.context.db.selectFrom('newsletter_signup').select('email').execute();
const approve = (body: object) => staff.raw('POST', '/v1/access_requests/approve', { body });
const join = (email: string, invite?: string) =>
  atGate('POST', '/v1/auth/signup', {
    body: { email, password: TEST_PASSWORD, ...(invite === undefined ? {} : { invite }) },
  });

/** The token in the mail of an approval. */
async function inviteOf(email: string): Promise<string> {
  const { text } = await mailWith(world, email, 'Your invite to Loci');
  const link = new URL(/^http\S+$/m.exec(text)?.[0] ?? '');
  expect(link.pathname).toBe('/signup');
  return link.searchParams.get('invite') ?? '';
}

describe('a request', () => {
  it('is stored once, and answered the same for known, unknown, approved and trapped ones', async () => {
    const answers = [
      await ask('Ann@example.org'),
      await ask('ann@EXAMPLE.org'),
      await ask('ann@example.org', { news: true }),
      await ask('robot@example.org', { website: 'https://spam.example' }),
      await ask(staff.user.email),
    ];
    await approve({ emails: ['ann@example.org'] });
    answers.push(await ask('ann@example.org'));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const emails = (await stored()).map(({ email }) => email);
    expect(emails.filter((email) => email.includes('ann@'))).toEqual(['ann@example.org']);
    expect(emails).not.toContain('robot@example.org');
  });

  it('may come five times an hour from one address', async () => {
    const headers = fromElsewhere();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const body = { email: `many-${n}@example.org` };
      statuses.push((await createRaw(world)('POST', '/signup', { body, headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('news', () => {
  const title = 'Confirm that you want news of Loci';
  const confirmed = async (email: string) => {
    const row = await world.context.db
      .selectFrom('newsletter_signup')
      .select(['newsConfirmedAt', 'newsHash'])
      .where('email', '=', email)
      .executeTakeFirst();
    return row?.newsConfirmedAt !== null;
  };
  const tokenFor = async (email: string) =>
    /#confirm=([\w-]{43})$/m.exec((await mailWith(world, email, title)).text)?.[1] ?? '';
  const confirm = (token: string) => anyone('POST', '/v1/newsletter/confirm', { body: { token } });

  it('counts once the mailed link was used, which works once', async () => {
    await ask('news@example.org', { news: true });
    const token = await tokenFor('news@example.org');
    expect(await confirmed('news@example.org')).toBe(false);
    expect(JSON.stringify(await stored())).not.toContain(token);
    expect((await confirm(token)).status).toBe(200);
    expect(await confirmed('news@example.org')).toBe(true);
    expect((await confirm(token)).status).toBe(400);
  });

  it('sends one mail a day, however often it is asked for', async () => {
    for (let n = 0; n < 4; n += 1) await ask('flood@example.org', { news: true });
    await tokenFor('flood@example.org');
    await ask('after@example.org', { news: true });
    await tokenFor('after@example.org');
    expect(await mailsTo(world, 'flood@example.org')).toHaveLength(1);
  });

  it('is confirmed by no other and no old link', async () => {
    await ask('slow@example.org', { news: true });
    const token = await tokenFor('slow@example.org');
    expect((await confirm('x'.repeat(43))).status).toBe(400);
    expect((await confirm('')).status).toBe(400);
    stage.world.clock.advance(DAY_MS);
    expect((await confirm(token)).status).toBe(400);
  });

  it('is not sent to people who only asked for access', async () => {
    await ask('quiet@example.org');
    await ask('loud@example.org', { news: true });
    await tokenFor('loud@example.org');
    expect(await mailsTo(world, 'quiet@example.org')).toEqual([]);
  });
});

describe('an approval', () => {
  it('is for staff alone', async () => {
    const other = await signUp(world, 'other');
    await verifyAddress(world, other);
    const unproven = await signUp(world, 'staff-twin');
    for (const raw of [other.raw, unproven.raw]) {
      expect((await raw('POST', '/v1/access_requests/approve', { body: { count: 1 } })).status).toBe(403);
      expect((await raw('GET', '/v1/access_requests')).status).toBe(403);
    }
  });

  it('takes those who have waited longest, in batches that never share a person', async () => {
    await world.context.db.deleteFrom('newsletter_signup').execute();
    for (let n = 0; n < 6; n += 1) {
      await ask(`batch-${n}@example.org`);
      stage.world.clock.advance(1_000);
    }
    const answers = await Promise.all([approve({ count: 2 }), approve({ count: 2 })]);
    expect(answers.map(({ json }) => json?.result)).toEqual([{ approved: 2 }, { approved: 2 }]);
    const { result, meta } = await staff.api('access_request.list', { query: { order: 'asc' } });
    expect([result.map(({ email }) => email), meta['total']]).toEqual([
      ['batch-4@example.org', 'batch-5@example.org'],
      2,
    ]);
    expect((await approve({ emails: ['BATCH-5@example.org', 'unknown@example.org'] })).json?.result).toEqual({
      approved: 1,
    });
    const approved = await staff.api('access_request.list', { query: { status: 'approved' } });
    expect(approved.meta['total']).toBe(5);
  });

  it('is also a command', async () => {
    await ask('command@example.org');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [path.resolve('server/approve-access.ts'), ...args], {
        env: { PATH: process.env['PATH'], DATABASE_URL: world.database.url },
        encoding: 'utf8',
      });
    expect(run('command@example.org')).toMatchObject({ status: 0, stdout: '1 person was let in.\n' });
    expect(run('not an address')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('npm run approve-access'),
    });
    expect(run()).toMatchObject({ status: 1 });
    await inviteOf('command@example.org');
  });
});

describe('declining', () => {
  const decline = (body: object, by = staff.raw) => by('POST', '/v1/access_requests/decline', { body });
  const listed = async (status: 'waiting' | 'approved' | 'declined') =>
    (await staff.api('access_request.list', { query: { status, perPage: 100 } })).result.map(
      ({ email }) => email,
    );

  it('takes a request off the list for good, until it is approved by name', async () => {
    await world.context.db.deleteFrom('newsletter_signup').execute();
    await ask('no@example.org');
    await ask('next@example.org');
    expect((await decline({ emails: ['NO@example.org', 'unknown@example.org'] })).json?.result).toEqual({
      declined: 1,
    });
    expect((await decline({ emails: ['no@example.org'] })).json?.result).toEqual({ declined: 0 });
    await ask('no@example.org');
    expect([await listed('waiting'), await listed('declined')]).toEqual([
      ['next@example.org'],
      ['no@example.org'],
    ]);
    expect((await approve({ count: 5 })).json?.result).toEqual({ approved: 1 });
    expect(await mailsTo(world, 'no@example.org')).toEqual([]);
    expect((await approve({ emails: ['no@example.org'] })).json?.result).toEqual({ approved: 1 });
    expect([await listed('declined'), (await listed('approved')).toSorted()]).toEqual([
      [],
      ['next@example.org', 'no@example.org'],
    ]);
    expect((await decline({ emails: ['no@example.org'] })).json?.result, 'too late').toEqual({ declined: 0 });
  });

  it('is for staff alone, and takes addresses only', async () => {
    const other = await signUp(world, 'decliner');
    await verifyAddress(world, other);
    await ask('safe@example.org');
    expect((await decline({ emails: ['safe@example.org'] }, other.raw)).status).toBe(403);
    expect((await decline({ emails: ['safe@example.org'] }, anyone)).status).toBe(401);
    for (const body of [{}, { emails: [] }, { emails: ['x'] }, { count: 1 }])
      expect([body, (await decline(body)).status]).toEqual([body, 400]);
    expect(await listed('waiting')).toContain('safe@example.org');
  });
});

describe('the gate', () => {
  it('opens with the link of an approval, for its address, once', async () => {
    await ask('gina@example.org');
    await approve({ emails: ['gina@example.org'] });
    const invite = await inviteOf('gina@example.org');
    expect((await join('gina@example.org')).status).toBe(403);
    expect((await join('thief@example.org', invite)).status).toBe(403);
    expect((await join('GINA@example.org', invite)).status).toBe(201);
    expect((await join('gina@example.org', invite)).status).toBe(403);
    const { result } = await staff.api('access_request.list', { query: { status: 'approved' } });
    expect(result.find(({ email }) => email === 'gina@example.org')?.joinedAt).not.toBeNull();
  });

  it('opens with it for fourteen days', async () => {
    await ask('late@example.org');
    await approve({ emails: ['late@example.org'] });
    const invite = await inviteOf('late@example.org');
    // Either world may have written the mail; the clock of the one that is ahead counts.
    const sent = Math.max(world.clock.now().getTime(), stage.world.clock.now().getTime());
    gated.clock.set(new Date(sent + 14 * DAY_MS));
    expect((await join('late@example.org', invite)).status).toBe(403);
    gated.clock.set(world.clock.now());
    expect((await join('late@example.org', invite)).status).toBe(201);
  });

  it('opens for addresses and domains of the configuration, and for nothing that looks like them', async () => {
    expect((await join('Friend@example.net')).status).toBe(201);
    expect((await join('any@partner.example')).status).toBe(201);
    for (const email of ['foe@example.net', 'any@sub.partner.example', 'any@notpartner.example']) {
      expect([email, (await join(email)).status]).toEqual([email, 403]);
    }
  });

  it('stays shut for tokens that are none, in the same words', async () => {
    const plain = await join('stranger@example.org');
    for (const invite of ['', 'x', 'x'.repeat(43), 'x'.repeat(200), '\u0000', `inv_${'a'.repeat(64)}`]) {
      const answer = await join('stranger@example.org', invite);
      expect([answer.status, answer.text]).toEqual([403, plain.text]);
    }
    expect((await join('stranger@example.org', 'x'.repeat(201))).status).toBe(400);
  });

  it('is the same for people who come from a provider', async () => {
    stage.providers.github.allow(gated.context.config.appOrigin);
    await ask('hedy@example.org');
    await approve({ emails: ['hedy@example.org'] });
    const invite = await inviteOf('hedy@example.org');
    const enter = async (email: string, verified: boolean, given?: string) => {
      const { code, verifier } = await stage.pass('github', newPerson(email, verified), gated);
      const body = { code, verifier, ...(given === undefined ? {} : { invite: given }) };
      return (await atGate('POST', '/v1/auth/exchange', { body })).status;
    };
    expect(await enter('hedy@example.org', true)).toBe(403);
    expect(await enter('other@example.org', true, invite)).toBe(403);
    expect(await enter('hedy@example.org', true, invite)).toBe(200);
    expect(await enter('any@partner.example', true), 'an account of this address exists as a claim').toBe(
      200,
    );
  });
});
