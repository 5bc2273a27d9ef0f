/** Codes of authenticator apps and recovery codes through HTTP, with replays, guesses and races. */
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createApi,
  createRaw,
  signUp,
  TEST_PASSWORD,
  verifyAddress,
  type Agent,
} from '#tests/support/agent.ts';
import { mailWith } from '#tests/support/mails.ts';
import { accountsAt, openProviderWorld, newPerson, tokenOf } from '#tests/support/provider-world.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = 30_000;

const stage = await openProviderWorld();
const { world, anyone } = stage;
beforeEach(async () => {
  await world.context.db.deleteFrom('rate_limit').execute();
});

interface Protected {
  agent: Agent;
  code: (steps?: number) => string;
  wrong: () => string;
  recoveryCodes: string[];
}

/** The code of an app at the time of the world, so many steps away. */
function codeOf(secret: string, steps = 0): string {
  const timestamp = world.clock.now().getTime() + steps * STEP_MS;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Six digits that no app with this secret shows around now. */
function wrongCode(secret: string): string {
  const near = new Set([-1, 0, 1].map((steps) => codeOf(secret, steps)));
  return ['000000', '111111', '222222', '333333'].find((code) => !near.has(code)) ?? '';
}

/** A person whose log-ins ask for codes; the code of the present step is used up. */
async function withCodes(name: string): Promise<Protected> {
  const agent = await signUp(world, name);
  const { result } = await agent.api('second_factor.begin', {});
  const code = (steps = 0) => codeOf(result.secret, steps);
  const enabled = await agent.api('second_factor.enable', { body: { code: code() } });
  const wrong = () => wrongCode(result.secret);
  return { agent, code, wrong, recoveryCodes: enabled.result.recoveryCodes };
}

const login = ({ agent }: Pick<Protected, 'agent'>, code?: string) =>
  anyone('POST', '/v1/auth/login', {
    body: { email: agent.user.email, password: TEST_PASSWORD, ...(code === undefined ? {} : { code }) },
  });

describe('an authenticator app', () => {
  it('is asked for at log-ins from its first code on', async () => {
    const ada = await signUp(world, 'ada');
    const { result } = await ada.api('second_factor.begin', {});
    expect(result.uri).toBe(
      `otpauth://totp/Loci:ada%40example.com?issuer=Loci&secret=${result.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect((await login({ agent: ada })).status, 'nothing changes before').toBe(200);
    await ada.api('second_factor.enable', { body: { code: codeOf(result.secret) } });
    const asked = await login({ agent: ada });
    expect([asked.status, asked.json?.error?.code]).toEqual([403, 'second_factor_required']);
    world.clock.advance(STEP_MS);
    expect((await login({ agent: ada }, codeOf(result.secret))).status).toBe(200);
    await mailWith(world, ada.user.email, 'Codes were turned on for your account');
  });

  it('is asked only after the right password', async () => {
    const bo = await withCodes('bo');
    const body = { email: bo.agent.user.email, password: 'not the password', code: bo.code(1) };
    const wrong = await anyone('POST', '/v1/auth/login', { body });
    const unknown = await anyone('POST', '/v1/auth/login', {
      body: { ...body, email: 'no-one@example.com' },
    });
    expect([wrong.status, wrong.text]).toEqual([401, unknown.text]);
  });

  it('gives codes that work once, and none older than one that was used', async () => {
    const cy = await withCodes('cy');
    expect((await login(cy, cy.code())).status, 'used to turn it on').toBe(400);
    world.clock.advance(2 * STEP_MS);
    expect((await login(cy, cy.code())).status).toBe(200);
    expect((await login(cy, cy.code())).status).toBe(400);
    expect((await login(cy, cy.code(-1))).status).toBe(400);
    expect((await login(cy, cy.code(1))).status).toBe(200);
  });

  it('gives codes that work once when they come several times at once', async () => {
    const di = await withCodes('di');
    world.clock.advance(STEP_MS);
    const code = di.code();
    const answers = await Promise.all([1, 2, 3].map(() => login(di, code)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  });

  it.each([
    [-2, 400],
    [-1, 200],
    [1, 200],
    [2, 400],
  ])('takes a code that is %d steps off: %d', async (steps, status) => {
    const agent = await withCodes(`off-${steps + 5}`);
    world.clock.advance(4 * STEP_MS);
    expect((await login(agent, agent.code(steps))).status).toBe(status);
  });

  it('cannot be guessed: after five wrong codes the account waits, from any address and in any session', async () => {
    const ed = await withCodes('ed');
    world.clock.advance(2 * STEP_MS);
    const wrong = ed.wrong();
    for (let n = 0; n < 5; n += 1) expect((await login(ed, wrong)).status).toBe(400);
    expect((await login(ed, ed.code())).status).toBe(429);
    const confirm = await ed.agent.raw('POST', '/v1/auth/confirm', { body: { code: ed.code() } });
    expect(confirm.status).toBe(429);
  });

  it('forgets wrong codes once a right one was given', async () => {
    const flo = await withCodes('flo');
    for (let round = 0; round < 3; round += 1) {
      world.clock.advance(2 * STEP_MS);
      const wrong = flo.wrong();
      for (let n = 0; n < 4; n += 1) expect((await login(flo, wrong)).status).toBe(400);
      expect((await login(flo, flo.code())).status).toBe(200);
    }
  });

  it('keeps its secret to the person: no second answer shows it, and a new one needs codes to be off', async () => {
    const gil = await withCodes('gil');
    expect((await gil.agent.raw('POST', '/v1/auth/second-factor')).status).toBe(409);
    const ways = await gil.agent.api('auth.ways_in', {});
    expect(ways.result).toMatchObject({ secondFactor: true, recoveryCodes: 10 });
    const profile = JSON.stringify((await gil.agent.api('auth.whoami', {})).result);
    expect(profile).not.toContain('secret');
  });

  it('needs a fresh session to be turned on and off', async () => {
    const hal = await withCodes('hal');
    world.clock.advance(13 * HOUR_MS);
    for (const [method, path] of [
      ['POST', '/v1/auth/second-factor'],
      ['POST', '/v1/auth/second-factor/recovery-codes'],
      ['DELETE', '/v1/auth/second-factor'],
    ] as const) {
      expect((await hal.agent.raw(method, path)).json?.error?.code).toBe('confirmation_required');
    }
    expect((await hal.agent.raw('POST', '/v1/auth/confirm', { body: { code: hal.code() } })).status).toBe(
      200,
    );
    await hal.agent.api('second_factor.remove', {});
    expect((await login(hal)).status).toBe(200);
    await mailWith(world, hal.agent.user.email, 'Codes were turned off for your account');
  });

  it('is not turned on by a wrong code', async () => {
    const ivy = await signUp(world, 'ivy');
    const { result } = await ivy.api('second_factor.begin', {});
    const wrong = wrongCode(result.secret);
    expect((await ivy.raw('POST', '/v1/auth/second-factor/enable', { body: { code: wrong } })).status).toBe(
      400,
    );
    expect((await login({ agent: ivy })).status).toBe(200);
  });

  it('is not taken for a recovery code or the other way round', async () => {
    const jo = await withCodes('jo');
    for (const code of ['', '12345', 'x'.repeat(41), '\u0000'.repeat(6), "' or 1=1 --"]) {
      expect((await login(jo, code)).status).toBe(400);
    }
  });
});

describe('a recovery code', () => {
  it('takes the place of the app once, however it is typed', async () => {
    const kim = await withCodes('kim');
    const [first = '', second = ''] = kim.recoveryCodes;
    expect(kim.recoveryCodes).toHaveLength(10);
    expect(first).toMatch(/^([a-z1-9]{4}-){3}[a-z1-9]{4}$/);
    expect((await login(kim, first)).status).toBe(200);
    expect((await login(kim, first)).status).toBe(400);
    expect((await login(kim, second.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await kim.agent.api('auth.ways_in', {})).result.recoveryCodes).toBe(8);
  });

  it('works once when it comes several times at once', async () => {
    const lou = await withCodes('lou');
    const [code] = lou.recoveryCodes;
    const answers = await Promise.all([1, 2, 3].map(() => login(lou, code)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  });

  it('belongs to one account, is stored as a hash, and ends when new ones are made', async () => {
    const [may, ned] = [await withCodes('may'), await withCodes('ned')];
    const [foreign = ''] = may.recoveryCodes;
    expect((await login(ned, foreign)).status).toBe(400);
    const stored = JSON.stringify(await world.context.db.selectFrom('recovery_code').selectAll().execute());
    expect(stored).not.toContain(foreign.replaceAll('-', ''));
    const renewed = await may.agent.api('second_factor.renew_codes', {});
    expect((await login(may, foreign)).status).toBe(400);
    expect((await login(may, renewed.result.recoveryCodes[0])).status).toBe(200);
  });
});

describe('a log-in at a provider', () => {
  it('asks for the code too, and waits for it', async () => {
    const person = newPerson('provider-codes@example.org');
    const token = tokenOf(await stage.enter('github', person));
    const api = createApi(world, token);
    const { result } = await api('second_factor.begin', {});
    await api('second_factor.enable', { body: { code: codeOf(result.secret) } });
    const { code, verifier } = await stage.pass('github', person);
    const exchange = (secondFactor?: string) =>
      anyone('POST', '/v1/auth/exchange', {
        body: { code, verifier, ...(secondFactor ? { secondFactor } : {}) },
      });
    expect((await exchange()).json?.error?.code).toBe('second_factor_required');
    world.clock.advance(4 * 60_000);
    expect((await exchange()).json?.error?.code, 'asking again gives no more time').toBe(
      'second_factor_required',
    );
    expect((await exchange(wrongCode(result.secret))).status).toBe(400);
    world.clock.advance(30_000);
    expect((await exchange(codeOf(result.secret))).status).toBe(200);
    expect((await exchange(codeOf(result.secret, 1))).status, 'and is used up').toBe(400);
  });

  it('waits five minutes, not longer', async () => {
    const person = newPerson('slow-codes@example.org');
    const api = createApi(world, tokenOf(await stage.enter('github', person)));
    const { result } = await api('second_factor.begin', {});
    await api('second_factor.enable', { body: { code: codeOf(result.secret) } });
    const { code, verifier } = await stage.pass('github', person);
    const exchange = (secondFactor?: string) =>
      anyone('POST', '/v1/auth/exchange', {
        body: { code, verifier, ...(secondFactor ? { secondFactor } : {}) },
      });
    await exchange();
    world.clock.advance(5 * 60_000);
    expect((await exchange(codeOf(result.secret))).json?.error?.code).toBe('invalid');
  });

  it('confirms an old session of the account that it is connected with', async () => {
    const person = newPerson('provider-confirms@example.org');
    const raw = createRaw(world, tokenOf(await stage.enter('google', person)));
    world.clock.advance(13 * HOUR_MS);
    const confirm = async (who: typeof person) => {
      const { code, verifier } = await stage.pass('google', who);
      return raw('POST', '/v1/auth/confirm', { body: { provider: { code, verifier } } });
    };
    expect((await confirm(newPerson('stranger@example.org'))).status).toBe(400);
    expect((await raw('GET', '/v1/auth/export')).status).toBe(403);
    expect((await confirm(person)).status).toBe(200);
    expect((await raw('GET', '/v1/auth/export')).status).toBe(200);
    expect(await accountsAt(world, 'stranger@example.org')).toEqual([]);
  });
});

describe('an account that is reset', () => {
  it('keeps its codes when its address was proven', async () => {
    const ora = await withCodes('ora');
    await verifyAddress(world, ora.agent);
    await createApi(world)('auth.forgot_password', { body: { email: ora.agent.user.email } });
    const { text } = await mailWith(world, ora.agent.user.email, 'Reset your password');
    const token = /#token=([\w-]{43})$/m.exec(text)?.[1] ?? '';
    await createApi(world)('auth.reset_password', { body: { token, password: TEST_PASSWORD } });
    expect((await login(ora)).json?.error?.code).toBe('second_factor_required');
  });
});
