/** Secrets that this server must read again are encrypted in their rows, also those that were stored before it had a key. */
import { Secret, TOTP } from 'otpauth';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { pushIdentity } from '#server/notifications/push-keys.ts';
import { readSigningKeys } from '#server/oauth/signing-keys.ts';
import type { Id } from '#shared/ids.ts';
import { createApi, createRaw, signUp, TEST_PASSWORD, type Agent } from '#tests/support/agent.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { createReceiver, type Receiver } from '#tests/support/webhook-receiver.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const SECRETS_KEY = 'a secret of the server that has many characters';
const EGRESS = 'private';

let world: World;
let keyless: World;
let otherKey: World;
let cast: Cast;
let receiver: Receiver;
beforeAll(async () => {
  world = await createWorld({ env: { EGRESS, SECRETS_KEY } });
  const { database } = world;
  keyless = await createWorld({ database, env: { EGRESS } });
  otherKey = await createWorld({ database, env: { EGRESS, SECRETS_KEY: SECRETS_KEY.toUpperCase() } });
  // The library that verifies signatures compares their time with that of the day.
  const now = new Date();
  for (const each of [world, keyless, otherKey]) each.clock.set(now);
  cast = await createCast(world);
  receiver = await createReceiver();
});
afterAll(async () => {
  receiver.close();
  for (const each of [otherKey, keyless, world]) await each.close();
});

async function createHook(at: World): Promise<{ id: Id<'webhook'>; secret: string }> {
  const { result } = await createApi(at, cast.alice.token)('webhook.create', {
    params: { workspaceId: cast.workspaceId },
    body: { url: receiver.url },
  });
  return result;
}

/** Sends a test event from this server; the delivery as the log shows it. */
async function deliver(at: World, webhookId: Id<'webhook'>) {
  const { workspaceId } = cast;
  const params = { workspaceId, id: webhookId };
  const { result } = await createApi(at, cast.alice.token)('webhook.test', { params });
  await createJobHandlers(at.context)['webhook.deliver'].run({ workspaceId, deliveryId: result.id });
  const listed = await cast.alice.api('webhook_delivery.list', { params: { workspaceId, webhookId } });
  const [newest] = listed.result;
  return newest;
}

/** Whether the newest request that arrived is signed with this secret. */
function isSignedWith(secret: string): boolean {
  const newest = receiver.received.at(-1);
  if (!newest) throw new Error('Nothing arrived');
  const headers = Object.fromEntries(
    Object.entries(newest.headers).map(([name, value]) => [name, String(value)]),
  );
  return new Webhook(secret).verify(newest.body, headers) !== undefined;
}

const storedHook = (id: Id<'webhook'>) =>
  world.context.db
    .selectFrom('webhook')
    .select(['secret', 'sealedSecret'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const storedApp = ({ user }: Agent) =>
  world.context.db
    .selectFrom('authenticator_app')
    .select(['secret', 'sealedSecret'])
    .where('userId', '=', user.id)
    .executeTakeFirstOrThrow();

async function turnCodesOn(at: World, name: string) {
  const agent = await signUp(at, name);
  const { secret } = (await agent.api('second_factor.begin', {})).result;
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: world.clock.now().getTime() + steps * 30_000,
    });
  const { recoveryCodes } = (await agent.api('second_factor.enable', { body: { code: code(-1) } })).result;
  const logIn = (from: World, given: string) =>
    createRaw(from)('POST', '/v1/auth/login', {
      body: { email: agent.user.email, password: TEST_PASSWORD, code: given },
    });
  return { agent, secret, code, recoveryCodes, logIn };
}

async function cleanUp(at: World): Promise<void> {
  for (const task of createCleanUpTasks(at.context)) await task(at.clock.now());
}

it('a new secret is stored encrypted and works', async () => {
  const hook = await createHook(world);
  const stored = await storedHook(hook.id);
  expect(stored).toEqual({ secret: null, sealedSecret: expect.any(String) });
  expect(stored.sealedSecret).not.toContain(hook.secret.slice(6));
  expect(await deliver(world, hook.id)).toMatchObject({ status: 'delivered' });
  expect(isSignedWith(hook.secret)).toBe(true);
  const params = { workspaceId: cast.workspaceId, id: hook.id };
  const renewed = (await cast.alice.api('webhook.renew_secret', { params })).result;
  expect(await storedHook(hook.id)).toEqual({ secret: null, sealedSecret: expect.any(String) });
  await deliver(world, hook.id);
  expect(isSignedWith(renewed.secret)).toBe(true);

  const { agent, logIn, code, secret } = await turnCodesOn(world, 'sealed-sam');
  const app = await storedApp(agent);
  expect(app).toEqual({ secret: null, sealedSecret: expect.any(String) });
  expect(app.sealedSecret).not.toContain(secret);
  expect((await logIn(world, code(0))).status).toBe(200);
});

it('what was stored without a key works, is encrypted by the first clean-up that has one, and works on', async () => {
  const hook = await createHook(keyless);
  const { agent, logIn, code, secret } = await turnCodesOn(keyless, 'clear-cleo');
  const clear = [
    { secret: hook.secret, sealedSecret: null },
    { secret, sealedSecret: null },
  ];
  await cleanUp(keyless);
  expect([await storedHook(hook.id), await storedApp(agent)]).toEqual(clear);
  expect(await deliver(world, hook.id)).toMatchObject({ status: 'delivered' });
  expect((await logIn(world, code(0))).status).toBe(200);

  await cleanUp(world);
  const sealed = { secret: null, sealedSecret: expect.any(String) };
  expect([await storedHook(hook.id), await storedApp(agent)]).toEqual([sealed, sealed]);
  expect(await deliver(world, hook.id)).toMatchObject({ status: 'delivered' });
  expect(isSignedWith(hook.secret)).toBe(true);
  expect((await logIn(world, code(1))).status).toBe(200);
});

it('a secret that was moved to another row is not used there', async () => {
  const [own, foreign] = [await createHook(world), await createHook(world)];
  const { sealedSecret } = await storedHook(foreign.id);
  await world.context.db.updateTable('webhook').set({ sealedSecret }).where('id', '=', own.id).execute();
  const arrived = receiver.received.length;
  expect(await deliver(world, own.id)).toMatchObject({
    httpStatus: null,
    error: 'The secret cannot be read with the key of this server. Renew it',
  });
  expect(receiver.received).toHaveLength(arrived);
});

it('with another key nothing is sent unsigned, no code counts, and recovery codes still open the account', async () => {
  const hook = await createHook(world);
  const arrived = receiver.received.length;
  expect(await deliver(otherKey, hook.id)).toMatchObject({
    httpStatus: null,
    error: 'The secret cannot be read with the key of this server. Renew it',
  });
  expect(receiver.received).toHaveLength(arrived);

  const { logIn, code, recoveryCodes } = await turnCodesOn(world, 'replaced-rob');
  const refused = await logIn(otherKey, code(0));
  expect([refused.status, refused.json?.error?.detail]).toEqual([
    400,
    'code: codes of the app cannot be checked, use a recovery code',
  ]);
  expect((await logIn(otherKey, recoveryCodes[0] ?? '')).status).toBe(200);
  expect((await logIn(world, code(1))).status).toBe(200);
});

it('the private keys of the server are stored encrypted, also those from before it had a key', async () => {
  const { db } = world.context;
  const stored = async () => [
    ...(await db.selectFrom('oauth_signing_key').select(['secret', 'sealedSecret']).execute()),
    ...(await db.selectFrom('push_key').select(['secret', 'sealedSecret']).execute()),
  ];
  const use = async ({ context }: World) => [
    (await readSigningKeys(context)).keys[0],
    await pushIdentity(context),
  ];
  const clear = await use(keyless);
  expect(await stored()).toEqual([
    { secret: expect.any(String), sealedSecret: null },
    { secret: expect.any(String), sealedSecret: null },
  ]);
  expect(await use(world)).toEqual(clear);
  await cleanUp(world);
  const sealed = { secret: null, sealedSecret: expect.any(String) };
  expect(await stored()).toEqual([sealed, sealed]);
  expect(await use(world)).toEqual(clear);

  // A server without the key changes nothing; one with another key makes its own.
  await expect(pushIdentity(keyless.context)).rejects.toThrow('SECRETS_KEY');
  await expect(readSigningKeys(keyless.context)).rejects.toThrow('SECRETS_KEY');
  expect(await use(world)).toEqual(clear);
  const [signing, push] = await use(otherKey);
  expect(signing).not.toEqual(clear[0]);
  expect(push).not.toEqual(clear[1]);
  expect(await use(otherKey)).toEqual([signing, push]);
  expect(await stored()).toEqual([sealed, sealed, sealed]);
});
