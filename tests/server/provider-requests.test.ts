/** The way to an identity provider and back: what is refused at the return, in an id token, and of a one-time code. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, verifyAddress } from '#tests/support/agent.ts';
import { startCrookedGoogle, type CrookedToken } from '#tests/support/crooked-provider.ts';
import type { LocalProvider } from '#tests/support/identity-providers.ts';
import { createBrowser, fragmentOf } from '#tests/support/provider-browser.ts';
import { accountsAt, openProviderWorld, newPerson, newVerifier } from '#tests/support/provider-world.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const { world, providers, anyone, pass, enter } = await openProviderWorld();

describe('the way back from a provider', () => {
  it('counts only in the browser that began it', async () => {
    providers.github.person = newPerson('mallory@example.org');
    const attacker = createBrowser(world);
    const start = await attacker.step('/v1/auth/github');
    const atProvider = await attacker.step(start.headers.get('location') ?? '');
    const callback = atProvider.headers.get('location') ?? '';
    const victim = await createBrowser(world).open(callback);
    expect(fragmentOf(victim.page)).toEqual({ error: 'failed' });
    const again = await attacker.open(callback);
    expect(fragmentOf(again.page), 'and is used up by the attempt').toEqual({ error: 'failed' });
    expect(await accountsAt(world, 'mallory@example.org')).toEqual([]);
  });

  it('is not fooled by a browser that has a flow of its own', async () => {
    providers.github.person = newPerson('mallory2@example.org');
    const attacker = createBrowser(world);
    const start = await attacker.step('/v1/auth/github');
    const atProvider = await attacker.step(start.headers.get('location') ?? '');
    const victim = createBrowser(world);
    await victim.step('/v1/auth/github');
    const { page } = await victim.open(atProvider.headers.get('location') ?? '');
    expect(fragmentOf(page)).toEqual({ error: 'failed' });
  });

  it.each([
    ['no state', '/v1/auth/github/callback?code=x'],
    ['an unknown state', `/v1/auth/github/callback?code=x&state=${'a'.repeat(43)}`],
    ['nothing at all', '/v1/auth/google/callback'],
    ['hostile bytes', '/v1/auth/google/callback?state=%00%ff&code=%F0%9F'],
    ['two states', '/v1/auth/github/callback?state=a&state=b&code=x'],
  ])('fails with %s', async (_what, address) => {
    const response = await createBrowser(world).step(address);
    expect([response.status === 303 || response.status === 400, response.status]).toEqual([
      true,
      response.status,
    ]);
    if (response.status === 303) expect(response.headers.get('location')).toMatch(/#error=failed$/);
  });

  it('does not take the answer of one provider for that of the other', async () => {
    providers.github.person = newPerson('mixed@example.org');
    const browser = createBrowser(world);
    const start = await browser.step('/v1/auth/github');
    const atProvider = await browser.step(start.headers.get('location') ?? '');
    const { page } = await browser.open(
      (atProvider.headers.get('location') ?? '').replace('github', 'google'),
    );
    expect(fragmentOf(page)).toEqual({ error: 'failed' });
  });

  it('works once', async () => {
    providers.github.person = newPerson('replayed@example.org');
    const browser = createBrowser(world);
    const { visited } = await browser.open('/v1/auth/github');
    const callback = visited.find(({ pathname }) => pathname === '/v1/auth/github/callback');
    expect(fragmentOf((await browser.open(callback?.href ?? '')).page)).toEqual({ error: 'failed' });
  });

  it('expires', async () => {
    providers.github.person = newPerson('slow@example.org');
    const browser = createBrowser(world);
    const start = await browser.step('/v1/auth/github');
    const atProvider = await browser.step(start.headers.get('location') ?? '');
    world.clock.advance(10 * 60_000);
    const { page } = await browser.open(atProvider.headers.get('location') ?? '');
    expect(fragmentOf(page)).toEqual({ error: 'failed' });
  });

  it('leads nowhere but to the page of the provider', async () => {
    const { page } = await createBrowser(world).open(
      '/v1/auth/github/callback?redirect=https://evil.example&state=x&code=y',
    );
    expect(page.href).toBe(`${world.context.config.appOrigin}/auth/github/callback#error=failed`);
  });

  it('sets a cookie that scripts cannot read and other sites do not send along', async () => {
    const response = await createBrowser(world).step('/v1/auth/google');
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^sign-in=[\w-]{43}; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a challenge that is none', async () => {
    expect((await anyone('GET', '/v1/auth/github?challenge=short')).status).toBe(400);
    expect((await anyone('GET', '/v1/auth/github?challenge=a&challenge=b')).status).toBe(400);
  });
});

describe('an id token', () => {
  const crooked: { lie: Partial<CrookedToken> } = { lie: {} };
  let liar: LocalProvider;
  let victim: World;
  beforeAll(async () => {
    liar = await startCrookedGoogle(crooked);
    victim = await createWorld({
      database: world.database,
      env: { ...liar.env, TRUST_PROXY: 'loopback', LOG_LEVEL: 'silent' },
    });
  });
  afterAll(async () => {
    await victim.close();
    await liar.close();
  });

  const end = async (lie: Partial<CrookedToken>) => {
    crooked.lie = lie;
    const { page } = await createBrowser(victim).open('/v1/auth/google');
    return Object.keys(fragmentOf(page));
  };

  it('is taken when everything in it fits', async () => {
    expect(await end({})).toEqual(['code']);
  });

  it.each<[string, Partial<CrookedToken>]>([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: null }],
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no subject', { sub: null }],
    ['an end in the past', { expiresIn: -120 }],
    ['a key that the provider does not publish', { key: 'foreign' }],
    ['no signature', { key: 'none' }],
    ['the client secret as its key', { key: 'secret' }],
  ])('is refused with %s', async (_what, lie) => {
    expect(await end(lie)).toEqual(['error']);
  });

  it('that calls an address verified in any other word does not prove it', async () => {
    const owner = await signUp(world, 'stringly');
    await verifyAddress(world, owner);
    expect(await end({ email: owner.user.email, email_verified: 'true' })).toEqual(['error']);
  });
});

describe('a one-time code', () => {
  it('works once', async () => {
    const { code, verifier } = await pass('github', newPerson('once@example.org'));
    const body = { code, verifier };
    expect((await anyone('POST', '/v1/auth/exchange', { body })).status).toBe(200);
    expect((await anyone('POST', '/v1/auth/exchange', { body })).status).toBe(400);
  });

  it('works once when it is used twice at the same time', async () => {
    const { code, verifier } = await pass('github', newPerson('race@example.org'));
    const body = { code, verifier };
    const answers = await Promise.all([1, 2, 3].map(() => anyone('POST', '/v1/auth/exchange', { body })));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 400, 400,
    ]);
  });

  it('is worth nothing without the secret of the page that began', async () => {
    const { code } = await pass('google', newPerson('stolen@example.org'));
    const other = newVerifier();
    expect((await anyone('POST', '/v1/auth/exchange', { body: { code, verifier: other } })).status).toBe(400);
    expect((await anyone('POST', '/v1/auth/exchange', { body: { code } })).status).toBe(400);
    expect(await accountsAt(world, 'stolen@example.org')).toEqual([]);
  });

  it('of a log-in without such a secret is not taken from a page that has one', async () => {
    providers.github.person = newPerson('planted@example.org');
    const { page } = await createBrowser(world).open('/v1/auth/github');
    const { code } = fragmentOf(page);
    const planted = await anyone('POST', '/v1/auth/exchange', {
      body: { code, verifier: newVerifier() },
    });
    expect(planted.status).toBe(400);
    const plain = await createBrowser(world).open('/v1/auth/github');
    const answer = await anyone('POST', '/v1/auth/exchange', {
      body: { code: fragmentOf(plain.page)['code'] },
    });
    expect(answer.status).toBe(200);
  });

  it('lives for a minute', async () => {
    const { code, verifier } = await pass('github', newPerson('late@example.org'));
    world.clock.advance(60_000);
    expect((await anyone('POST', '/v1/auth/exchange', { body: { code, verifier } })).status).toBe(400);
  });

  it('refuses a person without an address, and says what to do', async () => {
    const { status, json } = await enter('github', newPerson(null));
    expect([status, json?.error?.detail]).toEqual([
      400,
      'GitHub gave no e-mail address. Add one there, or sign up with a password',
    ]);
  });
});
