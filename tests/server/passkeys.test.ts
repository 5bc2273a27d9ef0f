/** Passkeys through HTTP: as a log-in, as a confirmation, and with everything wrong that an answer can have. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRaw, signUp, TEST_PASSWORD, type Agent, type RawRequest } from '#tests/support/agent.ts';
import { createAuthenticator, type Lie } from '#tests/support/authenticator.ts';
import { mailWith } from '#tests/support/mails.ts';
import { tokenOf } from '#tests/support/provider-world.ts';
import { openWorld } from '#tests/support/world.ts';

const HOUR_MS = 3_600_000;
const SITE = 'http://localhost:4000';

type Authenticator = ReturnType<typeof createAuthenticator>;

const world = await openWorld({ jobs: true });
const anyone = createRaw(world);
beforeEach(async () => {
  await world.context.db.deleteFrom('rate_limit').execute();
});

const optionsOf = async (raw: RawRequest, path: string) => (await raw('POST', path)).json?.result ?? {};

async function add(agent: Agent, key: Authenticator = createAuthenticator(SITE), lie: Lie = {}) {
  const options = await optionsOf(agent.raw, '/v1/auth/passkeys/options');
  const body = { name: 'Laptop', response: key.create(options, lie) };
  return { key, answer: await agent.raw('POST', '/v1/auth/passkeys', { body }) };
}

async function enter(key: Authenticator, lie: Lie = {}) {
  const options = await optionsOf(anyone, '/v1/auth/passkey/options');
  return anyone('POST', '/v1/auth/passkey', { body: { response: key.get(options, lie) } });
}

describe('a passkey', () => {
  it('is added, listed, logs in, and its owner is told', async () => {
    const ada = await signUp(world, 'ada');
    const { key, answer } = await add(ada);
    expect([answer.status, answer.json?.error]).toEqual([201, undefined]);
    const entered = await enter(key);
    expect(entered.json?.result).toMatchObject({ user: { id: ada.user.id } });
    expect((await createRaw(world, tokenOf(entered))('GET', '/v1/auth/whoami')).status).toBe(200);
    const { result } = await ada.api('passkey.list', {});
    expect(result).toEqual([
      {
        id: expect.any(String),
        name: 'Laptop',
        backedUp: false,
        created: expect.any(String),
        lastUsedAt: world.clock.now().toISOString(),
      },
    ]);
    await mailWith(world, ada.user.email, 'A passkey was added to your account');
  });

  it('is asked for the person behind it, under the host of this server', async () => {
    const bo = await signUp(world, 'bo');
    const options = await optionsOf(bo.raw, '/v1/auth/passkeys/options');
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Loci' },
      user: { id: Buffer.from(bo.user.id).toString('base64url'), name: bo.user.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(await optionsOf(anyone, '/v1/auth/passkey/options')).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [],
    });
  });

  it.each<[string, Lie]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:4001' }],
    ['another host', { rpId: 'evil.example' }],
    ['an answer to another question', { type: 'webauthn.get' }],
    ['a challenge of its own', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['a person who was not verified', { userVerified: false }],
  ])('is not added with %s', async (_what, lie) => {
    const agent = await signUp(world, `adds-${world.clock.now().getTime()}-${Object.keys(lie).join('')}`);
    const { answer } = await add(agent, createAuthenticator(SITE), lie);
    expect([answer.status, answer.json?.error?.detail]).toEqual([
      400,
      'response: this passkey was not accepted',
    ]);
    expect((await agent.api('passkey.list', {})).result).toEqual([]);
  });

  it('needs a fresh session to be added and removed', async () => {
    const cy = await signUp(world, 'cy');
    await add(cy);
    const [known] = (await cy.api('passkey.list', {})).result;
    world.clock.advance(13 * HOUR_MS);
    for (const [method, path] of [
      ['POST', '/v1/auth/passkeys/options'],
      ['DELETE', `/v1/auth/passkeys/${known?.id}`],
    ] as const) {
      expect((await cy.raw(method, path)).json?.error?.code).toBe('confirmation_required');
    }
  });

  it('belongs to one account', async () => {
    const [one, two] = [await signUp(world, 'one'), await signUp(world, 'two')];
    const { key } = await add(one);
    expect((await add(two, key)).answer.status).toBe(409);
    expect(await optionsOf(one.raw, '/v1/auth/passkeys/options')).toMatchObject({
      excludeCredentials: [{ id: key.id }],
    });
  });

  it('is not added with the challenge of another person', async () => {
    const [one, two] = [await signUp(world, 'asker'), await signUp(world, 'answerer')];
    const options = await optionsOf(one.raw, '/v1/auth/passkeys/options');
    const response = createAuthenticator(SITE).create(options);
    expect((await two.raw('POST', '/v1/auth/passkeys', { body: { name: 'x', response } })).status).toBe(400);
  });

  it('is removed by its owner alone, which ends all other sessions', async () => {
    const [owner, other] = [await signUp(world, 'owner'), await signUp(world, 'other')];
    const { key } = await add(owner);
    const [known] = (await owner.api('passkey.list', {})).result;
    const path = `/v1/auth/passkeys/${known?.id}`;
    expect((await other.raw('DELETE', path)).status).toBe(404);
    const elsewhere = tokenOf(await enter(key));
    expect((await owner.raw('DELETE', path)).status).toBe(200);
    expect((await enter(key)).status).toBe(400);
    expect((await createRaw(world, elsewhere)('GET', '/v1/auth/whoami')).status).toBe(401);
  });

  it('is renamed by its owner alone', async () => {
    const [owner, other] = [await signUp(world, 'renames'), await signUp(world, 'renames-not')];
    await add(owner);
    const nameOf = async () => (await owner.api('passkey.list', {})).result.map(({ name }) => name);
    const [known] = (await owner.api('passkey.list', {})).result;
    const rename = (by: Agent['raw'], name: unknown) =>
      by('PATCH', `/v1/auth/passkeys/${known?.id}`, { body: { name } });
    expect((await rename(other.raw, 'Stolen')).status).toBe(404);
    expect((await rename(anyone, 'Stolen')).status).toBe(401);
    for (const wrong of ['', '  ', 'x'.repeat(121), 7])
      expect((await rename(owner.raw, wrong)).status).toBe(400);
    expect(await nameOf()).toEqual(['Laptop']);
    expect((await rename(owner.raw, ' Work laptop ')).json?.result).toMatchObject({ name: 'Work laptop' });
    expect(await nameOf()).toEqual(['Work laptop']);
  });

  it('stays when it is the only way in', async () => {
    const sole = await signUp(world, 'sole');
    await add(sole);
    await world.context.db.deleteFrom('user_password').where('userId', '=', sole.user.id).execute();
    const [known] = (await sole.api('passkey.list', {})).result;
    expect((await sole.raw('DELETE', `/v1/auth/passkeys/${known?.id}`)).status).toBe(409);
    expect((await sole.api('passkey.list', {})).result).toHaveLength(1);
  });
});

describe('a log-in with a passkey', () => {
  let key: Authenticator;
  let dan: Agent;
  beforeAll(async () => {
    dan = await signUp(world, 'dan');
    ({ key } = await add(dan));
  });

  it.each<[string, Lie]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that begins like this one', { origin: 'http://localhost:4000.evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['an answer to another question', { type: 'webauthn.create' }],
    ['a challenge of its own', { challenge: Buffer.alloc(32, 9).toString('base64url') }],
    ['a person who was not verified', { userVerified: false }],
    ['the handle of another person', { userHandle: Buffer.from('usr_other').toString('base64url') }],
    ['a wrong signature', { signature: Buffer.alloc(70, 1) }],
  ])('is refused with %s', async (_what, lie) => {
    const { status, json } = await enter(key, lie);
    expect([status, json?.error?.detail]).toEqual([400, 'response: this passkey was not accepted']);
  });

  it('is refused when the counter does not grow, as with a copied authenticator', async () => {
    expect((await enter(key, { counter: 100 })).status).toBe(200);
    expect((await enter(key, { counter: 100 })).status).toBe(400);
    expect((await enter(key, { counter: 99 })).status).toBe(400);
    expect((await enter(key, { counter: 101 })).status).toBe(200);
  });

  it('works once for each challenge, also when the same answer comes twice at once', async () => {
    const options = await optionsOf(anyone, '/v1/auth/passkey/options');
    const body = { response: key.get(options) };
    const answers = await Promise.all([1, 2, 3].map(() => anyone('POST', '/v1/auth/passkey', { body })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  });

  it('uses a challenge up even when the answer is wrong', async () => {
    const options = await optionsOf(anyone, '/v1/auth/passkey/options');
    const wrong = key.get(options, { signature: Buffer.alloc(70, 2) });
    for (const response of [wrong, key.get(options)]) {
      expect((await anyone('POST', '/v1/auth/passkey', { body: { response } })).status).toBe(400);
    }
  });

  it('expires', async () => {
    const options = await optionsOf(anyone, '/v1/auth/passkey/options');
    world.clock.advance(5 * 60_000);
    expect((await anyone('POST', '/v1/auth/passkey', { body: { response: key.get(options) } })).status).toBe(
      400,
    );
  });

  it('does not take the challenge of a confirmation', async () => {
    const options = await optionsOf(dan.raw, '/v1/auth/confirm/options');
    expect((await anyone('POST', '/v1/auth/passkey', { body: { response: key.get(options) } })).status).toBe(
      400,
    );
  });

  it('answers an unknown passkey in the same words', async () => {
    const known = await enter(key, { signature: Buffer.alloc(70, 1) });
    const unknown = await enter(createAuthenticator(SITE));
    expect(unknown.text).toBe(known.text);
  });

  it.each([
    ['nothing', {}],
    [
      'an empty response',
      { id: 'a', rawId: 'a', type: 'public-key', response: {}, clientExtensionResults: {} },
    ],
    [
      'responses of other types',
      {
        id: 'a',
        rawId: 'a',
        type: 'public-key',
        response: { clientDataJSON: 1, authenticatorData: [], signature: null },
        clientExtensionResults: {},
      },
    ],
    ['a response that is too long', { id: 'a'.repeat(2_000), rawId: 'a', type: 'public-key' }],
  ])('refuses %s', async (_what, response) => {
    expect((await anyone('POST', '/v1/auth/passkey', { body: { response } })).status).toBe(400);
  });

  it('asks for no code: it is both factors at once', async () => {
    await world.context.db
      .insertInto('authenticator_app')
      .values({
        userId: dan.user.id,
        secret: 'JBSWY3DPEHPK3PXP',
        sealedSecret: null,
        enabledAt: world.clock.now().toISOString(),
        lastStep: 0,
      })
      .execute();
    expect((await enter(key)).status).toBe(200);
  });
});

describe('a confirmation', () => {
  it('takes a passkey of the person, and of no other one', async () => {
    const [eve, fay] = [await signUp(world, 'eve'), await signUp(world, 'fay')];
    const [own, foreign] = [(await add(eve)).key, (await add(fay)).key];
    world.clock.advance(13 * HOUR_MS);
    const options = await optionsOf(eve.raw, '/v1/auth/confirm/options');
    expect(options).toMatchObject({ allowCredentials: [{ id: own.id }] });
    const confirm = (passkey: unknown) => eve.raw('POST', '/v1/auth/confirm', { body: { passkey } });
    expect((await confirm(foreign.get(options))).status).toBe(400);
    expect((await eve.raw('GET', '/v1/auth/export')).status).toBe(403);
    const again = await optionsOf(eve.raw, '/v1/auth/confirm/options');
    expect((await confirm(own.get(again))).status).toBe(200);
    expect((await eve.raw('GET', '/v1/auth/export')).status).toBe(200);
  });

  it('guards the transfer of a workspace', async () => {
    const gus = await signUp(world, 'gus');
    const hal = await signUp(world, 'hal');
    const { result: place } = await gus.api('workspace.create', { body: { name: 'Gus', slug: 'gus-place' } });
    world.clock.advance(13 * HOUR_MS);
    const transfer = () =>
      gus.raw('POST', `/v1/workspaces/${place.id}/transfer`, { body: { userId: hal.user.id } });
    expect((await transfer()).json?.error?.code).toBe('confirmation_required');
    await gus.api('auth.confirm', { body: { password: TEST_PASSWORD } });
    expect((await transfer()).json?.error?.code, 'no member, but past the question').toBe('not_found');
  });
});
