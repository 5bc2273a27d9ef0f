/** Another address for an account: what proves it, what dies with the old one, and the way back for its owner. */
import { beforeEach, describe, expect, it } from 'vitest';
import { EMAIL_LINK_MS, SESSION } from '#shared/accounts/limits.ts';
import { cleanUp } from '#server/sync/retention-schedule.ts';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import {
  createApi,
  createRaw,
  signUp,
  TEST_PASSWORD,
  verifyAddress,
  type Agent,
} from '#tests/support/agent.ts';
import { codeIn, tokenIn } from '#tests/support/mail-secrets.ts';
import { mailsTo, nextMail } from '#tests/support/mails.ts';
import { openWorld } from '#tests/support/world.ts';

const OTHER_PASSWORD = 'an even quieter harbour';

let count = 0;
let person: Agent;
let wanted: string;
const world = await openWorld({ jobs: true });
const anyone = createRaw(world);
beforeEach(async () => {
  count += 1;
  wanted = `wanted-${count}@example.net`;
  person = await signUp(world, `person-${count}`);
  await nextMail(world, person.user.email);
  await verifyAddress(world, person);
});

const change = ({ raw }: Pick<Agent, 'raw'>, email: unknown = wanted) =>
  raw('PATCH', '/v1/auth/me', { body: { email } });
const verify = ({ raw }: Pick<Agent, 'raw'>, body: unknown) => raw('POST', '/v1/auth/verify-email', { body });
const pending = async ({ api }: Pick<Agent, 'api'>) => (await api('auth.email_change', {})).result;
const me = async ({ api }: Pick<Agent, 'api'>) => (await api('auth.whoami', {})).result;
const login = (email: string, password = TEST_PASSWORD) =>
  anyone('POST', '/v1/auth/login', { body: { email, password } });
const reset = (token: string, password = OTHER_PASSWORD) =>
  anyone('POST', '/v1/auth/reset-password', { body: { token, password } });
/** Moves the account, and returns the mail to the address it had. */
async function move(agent: Agent, email = wanted, from = agent.user.email) {
  const before = (await mailsTo(world, from)).length;
  await change(agent, email);
  const code = codeIn(await nextMail(world, email, (await mailsTo(world, email)).length || 1));
  expect((await verify(agent, { code })).status).toBe(200);
  return nextMail(world, from, before + 1);
}

describe('a new address', () => {
  it('counts once its code was given, and not before', async () => {
    const answer = await change(person);
    expect(answer.json?.result).toMatchObject({ email: person.user.email, emailVerified: true });
    expect(await pending(person)).toMatchObject({ email: wanted });
    const mail = await nextMail(world, wanted);
    expect(mail.subject).toBe('Confirm your new e-mail address');
    expect((await login(wanted)).status).toBe(401);
    expect((await verify(person, { code: codeIn(mail) })).json?.result).toMatchObject({
      email: wanted,
      domain: 'example.net',
      personal: false,
      emailVerified: true,
    });
    expect(await pending(person)).toBeNull();
    expect((await login(wanted)).status).toBe(200);
    expect((await login(person.user.email)).status).toBe(401);
  });

  it('counts by the mailed link too, in a session of the account only', async () => {
    const other = await signUp(world, `other-${count}`);
    await change(person);
    const token = tokenIn(await nextMail(world, wanted));
    expect((await verify(other, { token })).status).toBe(400);
    expect((await verify(person, { token })).status).toBe(200);
    expect((await verify(person, { token })).status).toBe(200);
    expect((await me(person)).email).toBe(wanted);
  });

  it('ends all other sessions and every secret mailed to the old address', async () => {
    const elsewhere = await createApi(world)('auth.login', {
      body: { email: person.user.email, password: TEST_PASSWORD },
    });
    await anyone('POST', '/v1/auth/forgot-password', { body: { email: person.user.email } });
    const token = tokenIn(await nextMail(world, person.user.email, 2));
    await move(person);
    expect((await createRaw(world, elsewhere.result.token)('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await reset(token)).status).toBe(400);
    expect((await me(person)).email).toBe(wanted);
  });

  it('is asked for with a recent password only', async () => {
    world.clock.advance(SESSION.confirmedMs + 1_000);
    const refused = await change(person);
    expect([refused.status, refused.json?.error?.code]).toEqual([403, 'confirmation_required']);
    expect(await pending(person)).toBeNull();
    await person.api('auth.confirm', { body: { password: TEST_PASSWORD } });
    expect((await change(person)).status).toBe(200);
  });

  it('can be given up, and what was mailed stops working', async () => {
    await change(person);
    const mail = await nextMail(world, wanted);
    await person.api('auth.cancel_email_change', {});
    expect(await pending(person)).toBeNull();
    await verify(person, { token: tokenIn(mail) });
    expect((await me(person)).email).toBe(person.user.email);
    await change(person);
    expect(await pending(person)).not.toBeNull();
    await change(person, person.user.email.toUpperCase());
    expect(await pending(person)).toBeNull();
  });

  it('can be mailed again, and replaced by yet another one; only the last mail works', async () => {
    await change(person);
    const first = await nextMail(world, wanted);
    expect((await person.raw('POST', '/v1/auth/verify-email/resend')).status).toBe(202);
    const second = await nextMail(world, wanted, 2);
    expect((await verify(person, { code: codeIn(first) })).status).toBe(400);
    await change(person, `last-${wanted}`);
    const third = await nextMail(world, `last-${wanted}`);
    expect((await verify(person, { token: tokenIn(second) })).status).toBe(400);
    expect((await verify(person, { token: tokenIn(third) })).status).toBe(200);
    expect((await me(person)).email).toBe(`last-${wanted}`);
  });

  it('waits for a day', async () => {
    await change(person);
    const { text } = await nextMail(world, wanted);
    world.clock.advance(EMAIL_LINK_MS.change);
    expect(await pending(person)).toBeNull();
    await verify(person, { token: tokenIn({ text }) });
    expect((await me(person)).email).toBe(person.user.email);
    world.clock.advance(1);
    await cleanUp(world.context, createCleanUpTasks(world.context));
    const left = world.context.db.selectFrom('email_change').where('userId', '=', person.user.id);
    expect(await left.selectAll().execute()).toEqual([]);
  });

  it.each([['no-at-sign'], [''], [null], [17], [['a@example.net']], [`${'a'.repeat(260)}@example.net`]])(
    'is refused when it is %j',
    async (email) => {
      expect((await change(person, email)).status).toBe(400);
      expect(await pending(person)).toBeNull();
    },
  );

  it('cannot flood the inbox of a stranger', async () => {
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await change(person)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('is not asked for by staff who act as the person', async () => {
    const staff = await signUp(world, `staff-${count}`);
    await world.context.db
      .updateTable('session')
      .set({ impersonator: staff.user.id })
      .where('userId', '=', person.user.id)
      .execute();
    expect((await change(person)).status).toBe(403);
    expect((await person.raw('DELETE', '/v1/auth/email-change')).status).toBe(403);
    expect((await person.raw('GET', '/v1/auth/export')).status).toBe(403);
  });
});

describe('an address that has an account', () => {
  it('gets the same answer, and its owner is told', async () => {
    const owner = await signUp(world, `owner-${count}`);
    await nextMail(world, owner.user.email);
    await verifyAddress(world, owner);
    const taken = await change(person, owner.user.email);
    const mail = await nextMail(world, owner.user.email, 2);
    expect(mail.subject).toBe('This address already has a Loci account');
    expect([codeIn(mail), tokenIn(mail)]).toEqual(['', '']);
    const free = await change(person);
    expect([taken.status, taken.json?.result]).toEqual([free.status, free.json?.result]);
    expect((await nextMail(world, wanted)).subject).toBe('Confirm your new e-mail address');
    expect((await me(owner)).email).toBe(owner.user.email);
  });

  it('stays with the account that proved it first', async () => {
    await change(person);
    const code = codeIn(await nextMail(world, wanted));
    const rival = await createApi(world)('auth.signup', { body: { email: wanted, password: TEST_PASSWORD } });
    await verifyAddress(world, rival.result);
    expect((await verify(person, { code })).status).toBe(409);
    expect(await me(person)).toMatchObject({ email: person.user.email, emailVerified: true });
  });

  it('goes to one of two who prove it at once', async () => {
    const rival = await signUp(world, `rival-${count}`);
    await change(person);
    const first = codeIn(await nextMail(world, wanted));
    await change(rival);
    const second = codeIn(await nextMail(world, wanted, 2));
    const answers = await Promise.all([
      verify(person, { code: first }),
      verify(rival, { code: second }),
      verify(person, { code: first }),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const holders = await world.context.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', wanted)
      .where('emailVerified', '=', true)
      .execute();
    expect(holders).toHaveLength(1);
  });
});

describe('the owner of the earlier address', () => {
  it('takes the account back with a new password within three days', async () => {
    const mail = await move(person);
    expect(mail.subject).toBe('Your e-mail address was changed');
    world.clock.advance(EMAIL_LINK_MS.restore - 1_000);
    expect((await reset(tokenIn(mail))).status).toBe(200);
    expect((await person.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await login(wanted, OTHER_PASSWORD)).status).toBe(401);
    expect((await login(person.user.email, OTHER_PASSWORD)).json?.result).toMatchObject({
      user: { id: person.user.id, email: person.user.email, emailVerified: true },
    });
    expect((await reset(tokenIn(mail))).status).toBe(400);
  });

  it('has no longer than that', async () => {
    const mail = await move(person);
    world.clock.advance(EMAIL_LINK_MS.restore);
    expect((await reset(tokenIn(mail))).status).toBe(400);
  });

  it('keeps the way back when the thief goes on to a third address and resets the password', async () => {
    const mail = await move(person);
    const third = `third-${wanted}`;
    const notice = await move(person, third, wanted);
    expect(tokenIn(notice)).toBe('');
    await anyone('POST', '/v1/auth/forgot-password', { body: { email: third } });
    await reset(tokenIn(await nextMail(world, third, 2)), 'a password of the thief');
    expect((await reset(tokenIn(mail))).status).toBe(200);
    expect((await login(person.user.email, OTHER_PASSWORD)).status).toBe(200);
  });

  it('is not written to when the address was never proven', async () => {
    const typo = await signUp(world, `typo-${count}`);
    await nextMail(world, typo.user.email);
    await change(typo);
    const code = codeIn(await nextMail(world, wanted));
    expect((await verify(typo, { code })).json?.result).toMatchObject({ email: wanted, emailVerified: true });
    await change(person, `later-${wanted}`);
    await nextMail(world, `later-${wanted}`);
    expect(await mailsTo(world, typo.user.email)).toHaveLength(1);
  });
});

it('stores no secret outside the mails', async () => {
  await change(person);
  const mail = await nextMail(world, wanted);
  const { rows } = await world.context.pool.query('select data from pgboss.job');
  const stored = JSON.stringify([
    await world.context.db.selectFrom('email_token').selectAll().execute(),
    await world.context.db.selectFrom('email_change').selectAll().execute(),
    rows,
  ]);
  expect(stored).not.toContain(tokenIn(mail));
  expect(stored).not.toContain(`"${codeIn(mail)}"`);
});
