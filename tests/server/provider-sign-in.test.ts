/** Signing in with GitHub and Google, and connecting them with an account, against providers that speak their protocols. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ProviderName } from '#shared/accounts/identity-providers.ts';
import {
  createApi,
  createRaw,
  signUp,
  TEST_PASSWORD,
  verifyAddress,
  type Agent,
} from '#tests/support/agent.ts';
import { startGoogle, type LocalProvider } from '#tests/support/identity-providers.ts';
import { mailWith } from '#tests/support/mails.ts';
import { tokenIn } from '#tests/support/mail-secrets.ts';
import { createBrowser, fragmentOf } from '#tests/support/provider-browser.ts';
import { accountsAt, openProviderWorld, newPerson, tokenOf } from '#tests/support/provider-world.ts';
import { createWorld } from '#tests/support/world.ts';

const HOUR_MS = 3_600_000;
const PROVIDERS = ['github', 'google'] as const;

const { world, providers, anyone, pass, enter } = await openProviderWorld();

describe.each(PROVIDERS)('a first log-in with %s', (name) => {
  it('creates a proven account, and the second one finds it', async () => {
    const person = newPerson(`first-${name}@example.org`);
    const first = await enter(name, person);
    expect(first.json?.result).toMatchObject({
      token: expect.stringMatching(/^[\w-]{43}$/),
      user: {
        source: name,
        [name === 'github' ? 'githubId' : 'googleId']: person.id,
        email: `first-${name}@example.org`,
        emailVerified: true,
      },
    });
    const moved = await enter(name, { ...person, email: `moved-${name}@example.org` });
    expect(moved.json?.result).toMatchObject({ user: { email: `first-${name}@example.org` } });
    expect(await accountsAt(world, `moved-${name}@example.org`)).toEqual([]);
  });

  it('makes one account when it happens twice at once', async () => {
    const person = newPerson(`twice-${name}@example.org`);
    const ways = [await pass(name, person), await pass(name, person)];
    const answers = await Promise.all(
      ways.map(({ code, verifier }) => anyone('POST', '/v1/auth/exchange', { body: { code, verifier } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await accountsAt(world, `twice-${name}@example.org`)).toHaveLength(1);
  });

  it('never opens an account by its address: the owner has to log in and connect', async () => {
    const owner = await signUp(world, `owner-${name}`);
    await verifyAddress(world, owner);
    const refused = await enter(name, newPerson(owner.user.email));
    expect(refused.status).toBe(409);
    expect(refused.json?.error?.detail).toMatch(
      /^An account with this address exists\. Log in to it, then connect/,
    );
    expect(await accountsAt(world, owner.user.email)).toHaveLength(1);
  });

  it('treats an address that the provider has not verified as a mere claim', async () => {
    const owner = await signUp(world, `claimed-${name}`);
    await verifyAddress(world, owner);
    const thief = await enter(name, newPerson(owner.user.email, false));
    expect(thief.json?.result).toMatchObject({ user: { emailVerified: false } });
    const accounts = await accountsAt(world, owner.user.email);
    expect(accounts).toHaveLength(2);
    expect(accounts.find(({ id }) => id === owner.user.id)).toMatchObject({ githubId: null, googleId: null });
    await mailWith(world, owner.user.email, 'You already have a Loci account');
  });

  it('ends the accounts that only claimed the address', async () => {
    const squatter = await signUp(world, `squat-${name}`);
    const owner = await enter(name, newPerson(squatter.user.email));
    expect(owner.json?.result).toMatchObject({ user: { emailVerified: true } });
    await expect(squatter.api('auth.whoami', {})).rejects.toMatchObject({ status: 401 });
  });

  it('takes the wish to delete the account back, like every log-in', async () => {
    const person = newPerson(`back-${name}@example.org`);
    const token = tokenOf(await enter(name, person));
    await createApi(world, token)('auth.remove', {});
    await enter(name, person);
    const left = await world.context.db.selectFrom('account_deletion').selectAll().execute();
    const [user] = await accountsAt(world, `back-${name}@example.org`);
    expect(left.filter(({ userId }) => userId === user?.id)).toEqual([]);
  });

  it('ends on the page with a word when the person declines', async () => {
    const { page, error } = await pass(name, undefined);
    expect([page.pathname, error]).toEqual([`/auth/${name}/callback`, 'declined']);
  });

  it('keeps every secret out of addresses but the one-time code, which is in the fragment', async () => {
    const { visited, page } = await pass(name, newPerson(`quiet-${name}@example.org`));
    expect(page.search).toBe('');
    expect(page.hash).toMatch(/^#code=[\w-]{43}$/);
    const stored = JSON.stringify([
      await world.context.db.selectFrom('provider_request').selectAll().execute(),
      await world.context.db.selectFrom('provider_proof').selectAll().execute(),
    ]);
    for (const url of visited) {
      const state = url.searchParams.get('state');
      if (state !== null) expect(stored).not.toContain(state);
    }
    expect(stored).not.toContain(fragmentOf(page)['code']);
  });
});

describe('connecting a provider', () => {
  let alice: Agent;
  beforeAll(async () => {
    alice = await signUp(world, 'alice');
    await verifyAddress(world, alice);
  });

  const connect = async (agent: Agent, name: ProviderName, person: LocalProvider['person']) => {
    const { code, verifier } = await pass(name, person);
    return agent.raw('POST', `/v1/auth/providers/${name}`, { body: { code, verifier } });
  };

  it('opens the account from then on, and tells its owner', async () => {
    const person = newPerson('another-address@example.net');
    const { json } = await connect(alice, 'github', person);
    expect(json?.result).toMatchObject({
      password: true,
      providers: [
        { provider: 'github', connected: true, available: true },
        { provider: 'google', connected: false, available: true },
      ],
    });
    const entered = await enter('github', person);
    expect(entered.json?.result).toMatchObject({ user: { id: alice.user.id, email: alice.user.email } });
    const mail = await mailWith(world, alice.user.email, 'GitHub was connected to your account');
    expect(mail.text).toContain('If this was not you, reset your password at once');
  });

  it('refuses one that another account has, and a second one', async () => {
    const person = newPerson('taken@example.net');
    await enter('github', person);
    expect((await connect(alice, 'github', person)).status).toBe(409);
    expect((await connect(alice, 'github', newPerson('second@example.net'))).json?.error?.detail).toBe(
      'Disconnect the other account at GitHub first',
    );
  });

  it('refuses the code of the other provider', async () => {
    const { code, verifier } = await pass('github', newPerson('cross@example.net'));
    const answer = await alice.raw('POST', '/v1/auth/providers/google', { body: { code, verifier } });
    expect(answer.status).toBe(400);
  });

  it('asks for the password again in an old session, and is no matter for keys', async () => {
    const old = await signUp(world, 'old-session');
    world.clock.advance(13 * HOUR_MS);
    const { code, verifier } = await pass('google', newPerson('old@example.net'));
    const body = { code, verifier };
    const answer = await old.raw('POST', '/v1/auth/providers/google', { body });
    expect(answer.json?.error?.code).toBe('confirmation_required');
    await old.api('auth.confirm', { body: { password: TEST_PASSWORD } });
    expect((await old.raw('POST', '/v1/auth/providers/google', { body })).status).toBe(200);
  });

  it('is undone by its owner, which ends all other sessions', async () => {
    const bea = await signUp(world, 'bea');
    const person = newPerson('bea@example.net');
    await connect(bea, 'google', person);
    const token = tokenOf(await enter('google', person));
    await bea.api('auth.disconnect', { params: { provider: 'google' } });
    expect((await createRaw(world, token)('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await bea.raw('GET', '/v1/auth/whoami')).status).toBe(200);
    const again = await enter('google', person);
    expect(again.json?.result, 'a new person from now on').not.toMatchObject({ user: { id: bea.user.id } });
  });

  it('is not undone when nothing else lets the person in', async () => {
    const token = tokenOf(await enter('github', newPerson('only-way@example.org')));
    const raw = createRaw(world, token);
    expect((await raw('DELETE', '/v1/auth/providers/github')).json?.error?.detail).toBe(
      'This is the only way into your account. Set a password first',
    );
    expect((await raw('GET', '/v1/auth/ways-in')).json?.result).toMatchObject({ password: false });
  });

  it('ends when the account passes to the owner of its address', async () => {
    const squatter = await signUp(world, 'squatter');
    const backDoor = newPerson('back-door@example.net');
    await connect(squatter, 'github', backDoor);
    await createApi(world)('auth.forgot_password', { body: { email: squatter.user.email } });
    const token = tokenIn(await mailWith(world, squatter.user.email, 'Reset your password'));
    await createApi(world)('auth.reset_password', { body: { token, password: 'a new and long sentence' } });
    const entered = await enter('github', backDoor);
    expect(entered.json?.result).not.toMatchObject({ user: { id: squatter.user.id } });
  });
});

describe('a server', () => {
  it('offers what it is set up with', async () => {
    expect((await createApi(world)('auth.options', {})).result).toEqual({
      providers: ['github', 'google'],
      signup: 'open',
      invited: false,
    });
    const plain = await createWorld({ database: world.database });
    expect((await createApi(plain)('auth.options', {})).result.providers).toEqual([]);
    expect((await createRaw(plain)('GET', '/v1/auth/github')).status).toBe(404);
    expect((await createRaw(plain)('GET', '/v1/auth/google/callback?state=x')).status).toBe(404);
    await plain.close();
  });

  it.each(['closed', 'invite'])('with SIGNUP_MODE=%s lets known people in and no new ones', async (mode) => {
    const env = { ...providers.github.env, SIGNUP_MODE: mode };
    const shut = await createWorld({ database: world.database, env });
    const known = newPerson(`known-${mode}@example.org`);
    await enter('github', known);
    expect((await enter('github', known, shut)).status).toBe(200);
    expect((await enter('github', newPerson(`new-${mode}@example.org`), shut)).status).toBe(403);
    await shut.close();
  });

  it('whose provider cannot be reached says so on the page, and recovers', async () => {
    const gone = await startGoogle();
    await gone.close();
    const alone = await createWorld({ database: world.database, env: { ...gone.env, LOG_LEVEL: 'silent' } });
    const { page } = await createBrowser(alone).open('/v1/auth/google');
    expect(fragmentOf(page)).toEqual({ error: 'unavailable' });
    await alone.close();
  });
});
