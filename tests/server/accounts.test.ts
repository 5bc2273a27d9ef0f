/** Sign-up, sign-in and sessions through HTTP, with the answers that strangers get. */
import { describe, expect, it } from 'vitest';
import { ApiProblem } from '#client/api/api-problem.ts';
import { publicVersion } from '#server/site/public-version.ts';
import { createApi, createRaw, signUp, TEST_PASSWORD, verifyAddress } from '#tests/support/agent.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const world = await openWorld();
const anyone = createRaw(world);

const login = (email: string, password: string) =>
  anyone('POST', '/v1/auth/login', { body: { email, password } });

describe('signing up', () => {
  it('creates an account and a session that works', async () => {
    const alice = await signUp(world, 'alice');
    expect(alice.user).toMatchObject({
      email: 'alice@example.com',
      source: 'email',
      domain: 'example.com',
      personal: false,
      emailVerified: false,
      forename: null,
    });
    expect(alice.token).toMatch(/^[\w-]{43}$/);
    const { result } = await alice.api('auth.whoami', {});
    expect(result).toEqual(alice.user);
  });

  it('stores neither the password nor the token', async () => {
    const carol = await signUp(world, 'carol');
    const dump = JSON.stringify([
      await world.context.db.selectFrom('session').selectAll().execute(),
      await world.context.db.selectFrom('user_password').selectAll().execute(),
    ]);
    expect(dump).not.toContain(carol.token);
    expect(dump).not.toContain(TEST_PASSWORD);
    expect(dump).toContain('$argon2id$');
  });

  it('knows addresses of mail providers as personal', async () => {
    const { json } = await anyone('POST', '/v1/auth/signup', {
      body: { email: 'someone@GMAIL.com', password: TEST_PASSWORD },
    });
    expect(json?.result).toMatchObject({ user: { domain: 'gmail.com', personal: true } });
  });

  it('limits the mails to one address, whether it is known or not, and no one else', async () => {
    await signUp(world, 'gwen');
    const join = async (email: string) =>
      (await anyone('POST', '/v1/auth/signup', { body: { email, password: TEST_PASSWORD } })).status;
    for (const email of ['GWEN@example.com', 'unknown@example.com']) {
      for (let n = 0; n < 5; n += 1) expect(await join(email)).toBe(201);
      expect(await join(email)).toBe(429);
    }
    for (let n = 0; n < 20; n += 1) expect(await join(`crowd-${n}@example.com`)).toBe(201);
  });

  it.each([
    ['short', 'a1b2c3', /password: At least 8/],
    ['long', 'x1'.repeat(129), /password: At most 256/],
    ['common', 'Password123', /too easy/],
    ['the address', 'eric@example.com', /too easy/],
    ['one letter', 'aaaaaaaaaaaa', /too easy/],
    ['the product', 'Loci2026', /too easy/],
    ['the product, twice', 'Loci-Loci', /too easy/],
    ['the host with a digit', 'localhost1', /too easy/],
    ['the password of the demo', 'Remember Everything', /too easy/],
    ['the same with digits', 'remember-everything-2026', /too easy/],
    ['the address with many digits', 'ericexample98347192', /too easy/],
    ['a common one with signs for letters', 'P@ssw0rd!', /too easy/],
    ['a row of keys', 'qwertyuiop', /too easy/],
    ['a part of the address', 'example.com', /too easy/],
    ['a common one, made long', 'password'.repeat(30), /too easy/],
  ])('refuses a password that is %s', async (_what, password, words) => {
    const { status, json } = await anyone('POST', '/v1/auth/signup', {
      body: { email: 'eric@example.com', password },
    });
    expect(status).toBe(400);
    expect(json?.error?.detail).toMatch(words);
  });

  it('takes composed and decomposed letters as the same password', async () => {
    const composed = 'caf\u00e9 au lait 42';
    await anyone('POST', '/v1/auth/signup', { body: { email: 'flo@example.com', password: composed } });
    expect((await login('flo@example.com', composed.normalize('NFD'))).status).toBe(200);
  });

  it.each(['closed', 'invite'])('is refused when SIGNUP_MODE is %s', async (mode) => {
    const shut = await createWorld({ env: { SIGNUP_MODE: mode }, database: world.database });
    const body = { email: 'late@example.com', password: TEST_PASSWORD };
    const { status } = await createRaw(shut)('POST', '/v1/auth/signup', { body });
    expect(status).toBe(403);
    await shut.close();
  });
});

describe('logging in', () => {
  it('works with the address in any case and gives a new token each time', async () => {
    const gil = await signUp(world, 'gil');
    const first = await createApi(world)('auth.login', {
      body: { email: ' GIL@example.com', password: TEST_PASSWORD },
    });
    expect(first.result.user).toEqual(gil.user);
    expect(first.result.token).not.toBe(gil.token);
  });

  it('answers a wrong password and an unknown address in the same words', async () => {
    await signUp(world, 'hana');
    const wrong = await login('hana@example.com', 'not the password');
    const unknown = await login('nobody@example.com', 'not the password');
    expect(wrong.status).toBe(401);
    expect(wrong.text).toBe(unknown.text);
  });

  it('holds up guesses after five wrong ones from anywhere, tells the owner, and leaves a known device alone', async () => {
    const own = await createWorld({ env: { TRUST_PROXY: 'loopback' } });
    const email = 'ines@example.com';
    const from = (n: number, body: object, cookie = '') => {
      const headers = { 'x-forwarded-for': `203.0.113.${n}`, cookie };
      return createRaw(own)('POST', '/v1/auth/login', { body, headers });
    };
    const ines = await signUp(own, 'ines');
    await verifyAddress(own, ines);
    const right = { email, password: TEST_PASSWORD };
    const cookie = (await from(1, right)).headers.get('set-cookie')?.split(';')[0] ?? '';
    for (let n = 0; n < 5; n += 1) {
      expect((await from(n, { email, password: `guess ${n}` })).status).toBe(401);
    }
    const refused = await from(9, right);
    expect([refused.status, Number(refused.headers.get('retry-after')) <= 60]).toEqual([429, true]);
    const { result } = await ines.api('notification.list', {});
    expect(result).toMatchObject([{ triggerId: 'login.guessed', category: 'security' }]);
    // A cookie of another account is no known device of this one.
    await signUp(own, 'eve');
    const eve = await from(3, { email: 'eve@example.com', password: TEST_PASSWORD });
    expect((await from(3, right, eve.headers.get('set-cookie') ?? '')).status).toBe(429);
    expect((await from(9, right, cookie)).status).toBe(200);
    for (let n = 0; n < 5; n += 1) {
      expect((await from(9, { email, password: 'no' }, cookie)).status).toBe(401);
    }
    expect((await from(9, right, cookie)).status).toBe(429);
    await own.close();
  });

  it('does not count right passwords', async () => {
    await signUp(world, 'jo');
    for (let n = 0; n < 8; n += 1) expect((await login('jo@example.com', TEST_PASSWORD)).status).toBe(200);
  });
});

describe('a session', () => {
  it('counts only as bearer header: no cookie, no address', async () => {
    const kim = await signUp(world, 'kim');
    const cookie = await anyone('GET', '/v1/auth/whoami', {
      headers: { cookie: `auth_session=${kim.token}` },
    });
    const address = await anyone('GET', `/v1/auth/whoami?access_token=${kim.token}`);
    const both = await kim.raw('GET', `/v1/auth/whoami?token=${kim.token}`);
    expect([cookie.status, address.status, both.status]).toEqual([401, 401, 401]);
    expect(cookie.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  it('ends with logout at once', async () => {
    const lea = await signUp(world, 'lea');
    await lea.api('auth.logout', {});
    await expect(lea.api('auth.whoami', {})).rejects.toThrow(ApiProblem);
  });

  it('slides with use for 30 days and ends after 90 in any case', async () => {
    const mia = await signUp(world, 'mia');
    const start = world.clock.now();
    for (const day of [29, 57, 85]) {
      world.clock.set(new Date(start.getTime() + day * DAY_MS));
      expect((await mia.raw('GET', '/v1/auth/whoami')).status).toBe(200);
    }
    world.clock.set(new Date(start.getTime() + 91 * DAY_MS));
    expect((await mia.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    world.clock.set(start);
  });

  it('ends after 30 days without use', async () => {
    const nia = await signUp(world, 'nia');
    world.clock.advance(30 * DAY_MS + 1);
    expect((await nia.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    world.clock.advance(-30 * DAY_MS - 1);
  });

  it('is listed to its owner without the token and can be ended from another', async () => {
    const ole = await signUp(world, 'ole');
    const second = await createApi(world)(
      'auth.login',
      { body: { email: 'ole@example.com', password: TEST_PASSWORD } },
      { headers: { 'user-agent': 'Second device' } },
    );
    const { result, meta } = await ole.api('session.list', {});
    expect(meta).toEqual({
      page: 1,
      perPage: 20,
      total: 2,
      orderBy: 'created',
      order: 'desc',
      nextCursor: null,
    });
    expect(result.flatMap((row) => Object.keys(row)).join(' ')).not.toMatch(/token/i);
    const id = result.find(({ userAgent }) => userAgent === 'Second device')?.id ?? '';
    expect((await ole.api('session.get', { params: { id } })).result.userId).toBe(ole.user.id);
    const eve = await signUp(world, 'eve');
    expect((await eve.raw('DELETE', `/v1/sessions/${id}`)).status).toBe(404);
    await ole.api('session.remove', { params: { id } });
    expect((await createRaw(world, second.result.token)('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await ole.raw('GET', '/v1/auth/whoami')).status).toBe(200);
  });
});

describe('the own account', () => {
  it('takes a new name, and refuses a user name that is taken', async () => {
    const pia = await signUp(world, 'pia');
    const { result } = await pia.api('auth.update', { body: { forename: ' Pia ', username: 'pia' } });
    expect(result).toMatchObject({ forename: 'Pia', username: 'pia', surname: null });
    const quin = await signUp(world, 'quin');
    const taken = await quin.raw('PATCH', '/v1/auth/me', { body: { username: 'PIA' } });
    expect(taken.status).toBe(409);
  });

  it('remembers that the first steps were closed, and takes nothing but a moment', async () => {
    const toni = await signUp(world, 'toni');
    expect(toni.user.checklistClosedAt).toBeNull();
    const at = '2026-03-04T05:06:07.089Z';
    await toni.api('auth.update', { body: { checklistClosedAt: at } });
    for (const wrong of ['yesterday', true, 0, { at }, `${at}\u0000`]) {
      const { json } = await toni.raw('PATCH', '/v1/auth/me', { body: { checklistClosedAt: wrong } });
      expect(JSON.stringify(json)).toContain('checklistClosedAt');
    }
    expect((await toni.api('auth.whoami', {})).result.checklistClosedAt).toBe(at);
    await toni.api('auth.update', { body: { checklistClosedAt: null } });
    expect((await toni.api('auth.whoami', {})).result.checklistClosedAt).toBeNull();
  });

  it('changes the password only with the current one, and ends the other sessions', async () => {
    const sam = await signUp(world, 'sam');
    const other = await createApi(world)('auth.login', {
      body: { email: 'sam@example.com', password: TEST_PASSWORD },
    });
    const password = 'an even quieter harbour';
    const missing = await sam.raw('PATCH', '/v1/auth/me', { body: { password } });
    const wrong = await sam.raw('PATCH', '/v1/auth/me', { body: { password, currentPassword: 'no' } });
    expect([missing.status, wrong.status]).toEqual([400, 400]);
    await sam.api('auth.update', { body: { password, currentPassword: TEST_PASSWORD } });
    expect((await sam.raw('GET', '/v1/auth/whoami')).status).toBe(200);
    expect((await createRaw(world, other.result.token)('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await login('sam@example.com', password)).status).toBe(200);
  });

  it('is reached under every spelling of an internationalised address', async () => {
    const body = { email: 'JÖRG@Müller.example', password: TEST_PASSWORD };
    const made = await anyone('POST', '/v1/auth/signup', { body });
    expect([made.status, Object(Object(made.json?.result).user)]).toMatchObject([
      201,
      { email: 'jörg@xn--mller-kva.example', domain: 'xn--mller-kva.example' },
    ]);
    const { user } = Object(made.json?.result);
    const spellings = ['jo\u0308rg@müller.example', 'Jörg@XN--MLLER-KVA.example'];
    for (const address of spellings) {
      expect((await login(address, TEST_PASSWORD)).json?.result).toMatchObject({ user: { id: user.id } });
    }
    // A sign-up with another spelling claims the same address.
    for (const address of spellings) {
      const again = { email: address, password: TEST_PASSWORD };
      const { json } = await anyone('POST', '/v1/auth/signup', { body: again });
      expect(json?.result).toMatchObject({ user: { email: user.email } });
    }
  });

  it('of a session older than 12 hours is deleted only after the password was given again', async () => {
    const own = await createWorld();
    const zed = await signUp(own, 'zed');
    own.clock.advance(12 * HOUR_MS);
    const remove = () => zed.raw('DELETE', '/v1/auth/me');
    const confirm = async (password: string) =>
      (await zed.raw('POST', '/v1/auth/confirm', { body: { password } })).status;
    own.clock.advance(1_000);
    const refused = await remove();
    expect([refused.status, refused.json?.error?.code]).toEqual([403, 'confirmation_required']);
    expect(await confirm('a wrong guess')).toBe(400);
    expect((await remove()).status).toBe(403);
    expect(await confirm(TEST_PASSWORD)).toBe(200);
    // Of this session alone.
    const other = await createApi(own)('auth.login', {
      body: { email: zed.user.email, password: TEST_PASSWORD },
    });
    own.clock.advance(12 * HOUR_MS - 1_000);
    const old = createRaw(own, other.result.token);
    expect((await zed.raw('GET', '/v1/auth/whoami')).status).toBe(200);
    own.clock.advance(2_000);
    expect([(await remove()).status, (await old('DELETE', '/v1/auth/me')).status]).toEqual([403, 403]);
    expect(await confirm(TEST_PASSWORD)).toBe(200);
    expect((await old('DELETE', '/v1/auth/me')).json?.error?.code).toBe('confirmation_required');
    expect((await remove()).status).toBe(200);
    await own.close();
  });

  it.each([
    ['at a confirmation', 'POST', '/v1/auth/confirm', { password: 'a wrong guess' }],
    [
      'at a change of the password',
      'PATCH',
      '/v1/auth/me',
      { password: 'an even quieter harbour', currentPassword: 'a wrong guess' },
    ],
  ])(
    'is guarded against guesses %s as at a log-in, by the same counters',
    async (_where, method, path, body) => {
      const own = await createWorld();
      const [yan, vic] = [await signUp(own, 'yan'), await signUp(own, 'vic')];
      const guess = async () => (await yan.raw(method, path, { body })).status;
      for (let n = 0; n < 5; n++) expect(await guess()).toBe(400);
      expect(await guess()).toBe(429);
      const logIn = { email: yan.user.email, password: TEST_PASSWORD };
      expect((await createRaw(own)('POST', '/v1/auth/login', { body: logIn })).status).toBe(429);
      expect((await vic.raw('POST', '/v1/auth/confirm', { body: { password: TEST_PASSWORD } })).status).toBe(
        200,
      );
      await own.close();
    },
  );

  it('is not changed, confirmed or deleted by staff who act as its owner', async () => {
    const ula = await signUp(world, 'ula');
    await world.context.db
      .updateTable('session')
      .set({ impersonator: ula.user.id })
      .where('userId', '=', ula.user.id)
      .execute();
    const change = { password: 'an even quieter harbour', currentPassword: TEST_PASSWORD };
    const statuses = [
      await ula.raw('DELETE', '/v1/auth/me'),
      await ula.raw('PATCH', '/v1/auth/me', { body: change }),
      await ula.raw('POST', '/v1/auth/confirm', { body: { password: TEST_PASSWORD } }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403]);
  });

  it('takes no new password that is its owner’s name', async () => {
    const own = await createWorld();
    const kim = await signUp(own, 'kimberly');
    const names = { forename: 'Kimberly-Ann', surname: 'Featherstone', username: 'featherkim' };
    await kim.api('auth.update', { body: names });
    const change = async (password: string) =>
      (await kim.raw('PATCH', '/v1/auth/me', { body: { password, currentPassword: TEST_PASSWORD } })).json
        ?.error?.detail;
    for (const password of ['featherstone', 'Kimberly Ann', 'Featherkim1', 'kimberly.featherstone']) {
      expect([password, await change(password)]).toEqual([password, expect.stringContaining('too easy')]);
    }
    expect(await change('harbour, lantern and quince')).toBeUndefined();
    await own.close();
  });

  it('is deleted in 14 days, and signing in takes that back', async () => {
    const tom = await signUp(world, 'tom');
    const { result } = await tom.api('auth.remove', {});
    expect(Date.parse(result.purgeAfter) - world.clock.now().getTime()).toBe(14 * DAY_MS);
    expect((await tom.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await login('tom@example.com', TEST_PASSWORD)).status).toBe(200);
    expect(await world.context.db.selectFrom('account_deletion').selectAll().execute()).toEqual([]);
  });

  it('that is to be deleted takes what it alone has published with it, until that is taken back', async () => {
    const sol = await signUp(world, 'sol');
    await verifyAddress(world, sol);
    const { result: place } = await sol.api('workspace.create', { body: { name: 'Sol', slug: 'sol-notes' } });
    const body = { workspaceId: place.id, name: 'Open', visibility: 'public' as const };
    const { result: space } = await sol.api('space.create', { body });
    const look = async () => [
      (await anyone('GET', `/v1/public/spaces/slug/${place.slug}/${space.slug}`)).status,
      (await anyone('GET', `/v1/public/workspaces/slug/${place.slug}`)).status,
      await publicVersion(world.context.db, place.slug),
    ];
    const [, , version] = await look();
    expect(await look()).toEqual([200, 200, version]);
    await sol.api('auth.remove', {});
    expect(await look()).toEqual([404, 404, expect.not.stringMatching(`^${version}$`)]);
    await login('sol@example.com', TEST_PASSWORD);
    expect(await look()).toEqual([200, 200, version]);
  });
});

describe('input', () => {
  it.each([
    ['no body', undefined, /email: Required/],
    ['a list', '[]', /body: Invalid input: expected object/],
    ['a list for a text', '{"email":["a@b.co"],"password":"x"}', /email/],
    ['NUL', '{"email":"a\\u0000@b.co","password":"x"}', /email: Invalid email/],
    ['__proto__', '{"__proto__":{"email":"a@b.co","password":"x"}}', /email: Required/],
    ['broken JSON', '{"email":', /not valid JSON/],
  ])('of login that is %s gets 400 naming what is wrong', async (_what, body, words) => {
    const { status, json } = await anyone('POST', '/v1/auth/login', { body });
    expect(status).toBe(400);
    expect(json?.error?.detail).toMatch(words);
  });

  it('that is a form gets 415', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await anyone('POST', '/v1/auth/login', { body: 'email=a&password=b', headers });
    expect(status).toBe(415);
  });
});
