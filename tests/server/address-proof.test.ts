/** Proving an address and resetting a password by mail, with what strangers try. */
import { beforeEach, describe, expect, it } from 'vitest';
import { EMAIL_CODE, EMAIL_LINK_MS } from '#shared/accounts/limits.ts';
import { createApi, createRaw, TEST_PASSWORD, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { codeIn, tokenIn } from '#tests/support/mail-secrets.ts';
import { mailsTo, nextMail } from '#tests/support/mails.ts';
import { cleanUp } from '#server/sync/retention-schedule.ts';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import { storeToken } from '#tests/support/oauth.ts';
import { openWorld } from '#tests/support/world.ts';

const OTHER_PASSWORD = 'an even quieter harbour';

let count = 0;
let email: string;
const world = await openWorld({ jobs: true });
const anyone = createRaw(world);
beforeEach(() => {
  count += 1;
  email = `person-${count}@example.com`;
});

/** A new account that has proven nothing. */
async function signUp(address = email, password = TEST_PASSWORD) {
  const { result } = await createApi(world)('auth.signup', { body: { email: address, password } });
  return { ...result, raw: createRaw(world, result.token), api: createApi(world, result.token) };
}

/** A new account that has proven its address by the mailed code. */
async function proven(address = email, password = TEST_PASSWORD) {
  const person = await signUp(address, password);
  const code = codeIn(await nextMail(world, address));
  await person.api('auth.verify_email', { body: { code } });
  return person;
}

const login = (password: string, address = email) =>
  anyone('POST', '/v1/auth/login', { body: { email: address, password } });
const verify = ({ raw }: { raw: RawRequest }, body: unknown) =>
  raw('POST', '/v1/auth/verify-email', { body });
const forgot = (address = email) => anyone('POST', '/v1/auth/forgot-password', { body: { email: address } });
const reset = (token: string, password = OTHER_PASSWORD) =>
  anyone('POST', '/v1/auth/reset-password', { body: { token, password } });

describe('a new account', () => {
  it('is verified by the mailed code, once', async () => {
    const person = await signUp();
    expect(person.user.emailVerified).toBe(false);
    const mail = await nextMail(world, email);
    const { json } = await verify(person, { code: codeIn(mail) });
    expect(json?.result).toMatchObject({ id: person.user.id, emailVerified: true });
    expect((await person.api('auth.whoami', {})).result.emailVerified).toBe(true);
    expect(await world.context.db.selectFrom('email_token').selectAll().execute()).toEqual([]);
  });

  it('is verified by the mailed link, in its own session only', async () => {
    const person = await signUp();
    const other = await signUp(`other-${email}`);
    const token = tokenIn(await nextMail(world, email));
    expect((await anyone('POST', '/v1/auth/verify-email', { body: { token } })).status).toBe(401);
    expect((await verify(other, { token })).status).toBe(400);
    expect((await verify(person, { token })).status).toBe(200);
  });

  it('has five tries for a code, counted also when they are made at once', async () => {
    const person = await signUp();
    const code = codeIn(await nextMail(world, email));
    const wrong = code === '000000' ? '111111' : '000000';
    const tries = await Promise.all(
      Array.from({ length: EMAIL_CODE.tries }, () => verify(person, { code: wrong })),
    );
    expect(tries.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect((await verify(person, { code })).status).toBe(400);
  });

  it('can ask for another code, which replaces the one before', async () => {
    const person = await signUp();
    const first = await nextMail(world, email);
    expect((await person.raw('POST', '/v1/auth/verify-email/resend')).status).toBe(202);
    const second = await nextMail(world, email, 2);
    expect((await verify(person, { token: tokenIn(first) })).status).toBe(400);
    expect((await verify(person, { code: codeIn(second) })).status).toBe(200);
  });

  it('has fifteen minutes for the code and a day for the link', async () => {
    const person = await signUp();
    const mail = await nextMail(world, email);
    world.clock.advance(EMAIL_CODE.ms);
    expect((await verify(person, { code: codeIn(mail) })).status).toBe(400);
    world.clock.advance(EMAIL_LINK_MS.verify - EMAIL_CODE.ms - 1);
    expect((await verify(person, { token: tokenIn(mail) })).status).toBe(200);
  });

  it('cannot flood an inbox', async () => {
    const person = await signUp();
    const statuses = [];
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await person.raw('POST', '/v1/auth/verify-email/resend')).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 429]);
  });

  it.each([{}, { code: '12345' }, { code: 'abcdef' }, { token: '' }, { code: 1 }, { token: ['a'] }])(
    'refuses %j',
    async (body) => {
      expect((await verify(await signUp(), body)).status).toBe(400);
    },
  );
});

describe('signing up with a known address', () => {
  it('looks like any other sign-up, and the mail tells the owner', async () => {
    const owner = await proven();
    const stranger = await anyone('POST', '/v1/auth/signup', { body: { email, password: OTHER_PASSWORD } });
    const fresh = await anyone('POST', '/v1/auth/signup', {
      body: { email: `fresh-${email}`, password: OTHER_PASSWORD },
    });
    const shape = ({ status, json }: typeof stranger) => {
      const { token, user } = Object(json?.result);
      const { id, email: shown, ...rest } = user;
      return [status, typeof token, typeof id, typeof shown, rest];
    };
    expect(shape(stranger)).toEqual(shape(fresh));
    const notice = await nextMail(world, email, 2);
    expect(notice.subject).toBe('You already have a Loci account');
    expect([codeIn(notice), tokenIn(notice)]).toEqual(['', '']);
    expect((await owner.api('auth.whoami', {})).result).toMatchObject({
      id: owner.user.id,
      emailVerified: true,
    });
  });

  it('opens no way in: the account cannot be verified, and logs in with its own password to itself', async () => {
    const owner = await proven();
    const stranger = await signUp(email.toUpperCase(), OTHER_PASSWORD);
    await nextMail(world, email, 2);
    for (let n = 0; n < 3; n += 1) {
      expect((await verify(stranger, { code: String(n).padStart(6, '0') })).status).toBe(400);
    }
    expect((await login(OTHER_PASSWORD)).json?.result).toMatchObject({ user: { id: stranger.user.id } });
    expect((await login(TEST_PASSWORD)).json?.result).toMatchObject({ user: { id: owner.user.id } });
  });

  it('that is not proven yet goes to the first who proves it', async () => {
    const squatter = await signUp(email, OTHER_PASSWORD);
    await nextMail(world, email);
    const owner = await signUp();
    const code = codeIn(await nextMail(world, email, 2));
    await owner.api('auth.verify_email', { body: { code } });
    expect((await squatter.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await login(OTHER_PASSWORD)).status).toBe(401);
    expect((await login(TEST_PASSWORD)).json?.result).toMatchObject({ user: { id: owner.user.id } });
    world.clock.advance(1);
    await cleanUp(world.context, createCleanUpTasks(world.context));
    const left = await world.context.db.selectFrom('user').select('id').where('email', '=', email).execute();
    expect(left.map(({ id }) => id)).toEqual([owner.user.id]);
  });
});

describe('a forgotten password', () => {
  it('is replaced by the mailed link, once, and all sessions end', async () => {
    const person = await proven();
    expect((await forgot()).status).toBe(202);
    const token = tokenIn(await nextMail(world, email, 2));
    expect((await reset(token)).status).toBe(200);
    expect((await person.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    expect([(await login(TEST_PASSWORD)).status, (await login(OTHER_PASSWORD)).status]).toEqual([401, 200]);
    expect((await reset(token, TEST_PASSWORD)).status).toBe(400);
    expect((await nextMail(world, email, 3)).subject).toBe('Your password was changed');
  });

  it('has the same answer for known and unknown addresses, and unknown ones get no mail', async () => {
    await proven();
    const unknown = `unknown-${email}`;
    const answers = [await forgot(unknown), await forgot()];
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await nextMail(world, email, 2);
    expect(await mailsTo(world, unknown)).toEqual([]);
  });

  it('limits known and unknown addresses alike', async () => {
    await proven();
    const tries = async (address: string) => {
      const statuses = [];
      for (let n = 0; n < 6; n += 1) statuses.push((await forgot(address)).status);
      return statuses;
    };
    // One mail to the known address was its sign-up.
    expect((await tries(email)).slice(0, 5)).toEqual([202, 202, 202, 202, 429]);
    expect(await tries(`unknown-${email}`)).toEqual([202, 202, 202, 202, 202, 429]);
  });

  it('has a link for one hour, and parallel uses of it have one winner', async () => {
    await proven();
    await forgot();
    const late = tokenIn(await nextMail(world, email, 2));
    world.clock.advance(EMAIL_LINK_MS.reset);
    expect((await reset(late)).status).toBe(400);
    await forgot();
    const token = tokenIn(await nextMail(world, email, 3));
    const answers = await Promise.all([reset(token), reset(token), reset(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  });

  it('refuses a guessable password and leaves the link usable', async () => {
    await proven();
    await forgot();
    const token = tokenIn(await nextMail(world, email, 2));
    expect((await reset(token, email)).status).toBe(400);
    expect((await reset(token, 'password123')).status).toBe(400);
    expect((await reset(token)).status).toBe(200);
  });

  it('takes no link that was mailed for something else', async () => {
    const person = await signUp();
    const token = tokenIn(await nextMail(world, email));
    expect((await reset(token)).status).toBe(400);
    await forgot();
    const resetToken = tokenIn(await nextMail(world, email, 2));
    expect((await verify(person, { token: resetToken })).status).toBe(400);
  });

  it('gives an account that a stranger created to the owner of the address', async () => {
    const stranger = await signUp();
    await nextMail(world, email);
    await forgot();
    const token = tokenIn(await nextMail(world, email, 2));
    expect((await reset(token)).status).toBe(200);
    expect((await stranger.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await login(TEST_PASSWORD)).status).toBe(401);
    expect((await login(OTHER_PASSWORD)).json?.result).toMatchObject({
      user: { id: stranger.user.id, emailVerified: true },
    });
  });

  it('leaves API keys alone and ends OAuth tokens', async () => {
    const cast = await createCast(world);
    await createBuild(cast).memory();
    const key = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['memories:read'],
    });
    await storeToken(world, { userId: cast.alice.user.id, workspaceId: cast.workspaceId });
    const address = cast.alice.user.email;
    await forgot(address);
    await expect.poll(async () => tokenOf(address)).not.toBe('');
    await reset(await tokenOf(address));
    expect((await key.raw('GET', `/v1/memories/${cast.workspaceId}`)).status).toBe(200);
    const tokens = world.context.db.selectFrom('oauth_token').where('userId', '=', cast.alice.user.id);
    expect(await tokens.selectAll().execute()).toEqual([]);
  });

  const tokenOf = async (address: string) =>
    (await mailsTo(world, address))
      .filter(({ subject }) => subject === 'Reset your password')
      .map(tokenIn)
      .at(0) ?? '';
});

it('stores no secret of a mail outside the mail', async () => {
  await signUp();
  const mail = await nextMail(world, email);
  const { db } = world.context;
  const { rows } = await world.context.pool.query('select data from pgboss.job');
  const stored = JSON.stringify([await db.selectFrom('email_token').selectAll().execute(), rows]);
  expect(stored).not.toContain(tokenIn(mail));
  expect(stored).not.toContain(`"${codeIn(mail)}"`);
});
