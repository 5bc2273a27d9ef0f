/** Session fixation: no one decides beforehand which session another person will log in to. */
import { expect, it } from 'vitest';
import { createRaw, signUp, TEST_PASSWORD } from '#tests/support/agent.ts';
import { fieldOf } from '#tests/support/staff.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();

const PLANTED = 'p'.repeat(43);

it('a token that someone chose opens nothing after the log-in, wherever it was planted', async () => {
  const gil = await signUp(world, 'gil');
  const headers = {
    authorization: `Bearer ${PLANTED}`,
    cookie: `session=${PLANTED}; token=${PLANTED}; loci-session=${PLANTED}`,
    'x-session-id': PLANTED,
  };
  const body = { email: gil.user.email, password: TEST_PASSWORD, token: PLANTED, sessionId: PLANTED };
  const { status, json, headers: told } = await createRaw(world)('POST', '/v1/auth/login', { body, headers });
  expect(status).toBe(200);
  expect(fieldOf(json?.result, 'token')).not.toBe(PLANTED);
  // The one cookie says that the device is known, by an id of the server's own.
  expect(told.get('set-cookie')).toMatch(/^known_device=/);
  expect(told.get('set-cookie')).not.toContain(PLANTED);
  expect((await createRaw(world, PLANTED)('GET', '/v1/auth/whoami')).status).toBe(401);
});

it('a log-in inside the session of another person leaves that session to its person', async () => {
  const [victim, thief] = [await signUp(world, 'victim'), await signUp(world, 'thief')];
  const body = { email: victim.user.email, password: TEST_PASSWORD };
  const { json } = await thief.raw('POST', '/v1/auth/login', { body });
  expect(fieldOf(json?.result, 'token')).not.toBe(thief.token);
  expect((await thief.api('auth.whoami', {})).result.id).toBe(thief.user.id);
  const planted = await createRaw(world)('GET', `/v1/auth/whoami?token=${victim.token}`);
  expect(planted.status).toBe(401);
});
