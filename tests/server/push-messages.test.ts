/** Web push against a push service that checks signatures and decrypts as a browser does. */
import { afterAll, describe, expect, it } from 'vitest';
import { PUSH } from '#shared/notifications/limits.ts';
import { newId } from '#shared/ids.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { createRaw, signUp, TEST_PASSWORD, type Agent } from '#tests/support/agent.ts';
import { cause } from '#tests/support/notices.ts';
import { startPushService, type TestBrowser } from '#tests/support/push-service.ts';
import { createWorld, openWorld, type World } from '#tests/support/world.ts';

const service = await startPushService();
afterAll(() => service.close());
const world = await openWorld({ jobs: true, env: { EGRESS: 'private' } });

let people = 0;
const newPerson = () => {
  people += 1;
  return signUp(world, `pushed-${people}`);
};

const SUBSCRIPTIONS = '/v1/push/subscriptions';
const subscribe = ({ raw }: Pick<Agent, 'raw'>, { subscription }: TestBrowser) =>
  raw('POST', SUBSCRIPTIONS, { body: subscription });
const messagesTo = ({ path }: TestBrowser) => service.messages.filter((message) => message.path === path);
const subscriptionsOf = async ({ api }: Agent) => (await api('push.list', {})).result;

/** A second session of the same person. */
async function logIn({ user }: Agent) {
  const answer = await createRaw(world)('POST', '/v1/auth/login', {
    body: { email: user.email, password: TEST_PASSWORD },
  });
  const result = answer.json?.result;
  const token =
    typeof result === 'object' && result !== null && 'token' in result ? String(result.token) : '';
  return { raw: createRaw(world, token) };
}

describe('a push message', () => {
  it('reaches the browser that asked, readable for it alone, signed with the key it subscribed with', async () => {
    const person = await newPerson();
    const browser = service.newBrowser();
    const { publicKey } = (await person.api('push.key', {})).result;
    expect((await subscribe(person, browser)).status).toBe(201);
    await cause(world, person, { title: 'Grüße 🌊', body: 'x'.repeat(2_000), link: '/acme?memory=1' });
    await expect.poll(() => messagesTo(browser)).toHaveLength(1);
    const [row] = (await person.api('notification.list', {})).result;
    expect(messagesTo(browser)[0]).toEqual({
      path: browser.path,
      payload: {
        id: row?.id,
        title: 'Grüße 🌊',
        body: 'x'.repeat(PUSH.textMax),
        link: '/acme?memory=1',
        unseen: 1,
      },
      ttl: PUSH.ttlSeconds,
      urgency: 'normal',
      senderKey: publicKey,
      subject: 'mailto:admin@localhost',
    });
    expect(service.refused).toEqual([]);
  });

  it('goes to every browser of the person, urgent for security, and to no other person', async () => {
    const [person, stranger] = [await newPerson(), await newPerson()];
    const second = await logIn(person);
    const [laptop, phone, strange] = [service.newBrowser(), service.newBrowser(), service.newBrowser()];
    await subscribe(person, laptop);
    await subscribe(second, phone);
    await subscribe(stranger, strange);
    await cause(world, person, { triggerId: 'api_key.created', priority: 'high' });
    await expect.poll(() => messagesTo(laptop).length + messagesTo(phone).length).toBe(2);
    expect(messagesTo(phone)[0]?.urgency).toBe('high');
    expect(messagesTo(strange)).toEqual([]);
  });

  it('is not sent when push is off, for muted workspaces, or after the session ended', async () => {
    const person = await newPerson();
    const second = await logIn(person);
    const [silent, gone, alive] = [service.newBrowser(), service.newBrowser(), service.newBrowser()];
    await subscribe(second, gone);
    expect(await subscriptionsOf(person)).toMatchObject([{ current: false }]);
    expect((await second.raw('POST', '/v1/auth/logout')).status).toBe(200);
    expect(await subscriptionsOf(person)).toEqual([]);
    await subscribe(person, silent);
    const { result } = await person.api('workspace.create', { body: { name: 'Muted' } });
    const put = (body: unknown) => person.raw('PUT', '/v1/auth/notifications', { body });
    await put({ categories: { workspace: { push: false } } });
    await cause(world, person);
    await put({ mutedWorkspaces: [result.id] });
    await cause(world, person, { workspaceId: result.id });
    await put({});
    // One browser keeps one subscription: the next takes its place.
    await subscribe(person, alive);
    await cause(world, person);
    await expect.poll(() => messagesTo(alive)).toHaveLength(1);
    expect([...messagesTo(silent), ...messagesTo(gone)]).toEqual([]);
  });

  it('ends the subscription that the service no longer knows, and is tried again after a fault', async () => {
    const person = await newPerson();
    const browser = service.newBrowser();
    await subscribe(person, browser);
    await cause(world, person);
    await expect.poll(() => messagesTo(browser)).toHaveLength(1);
    const [row] = (await person.api('notification.list', {})).result;
    const [subscription] = await subscriptionsOf(person);
    if (row === undefined || subscription === undefined) throw new Error('nothing to send');
    const address = { userId: person.user.id, notificationId: row.id, sessionId: subscription.id };
    const send = () => createJobHandlers(world.context)['notification.push'].run(address);
    try {
      for (const status of [503, 429, 400]) {
        service.answerWith(status);
        await expect(send()).rejects.toThrow(`${status}`);
      }
      expect(await subscriptionsOf(person)).toHaveLength(1);
      service.answerWith(410);
      await send();
    } finally {
      service.answerWith(201);
    }
    expect(await subscriptionsOf(person)).toEqual([]);
    const before = messagesTo(browser).length;
    await send();
    expect(messagesTo(browser)).toHaveLength(before);
  });
});

describe('a subscription', () => {
  it('is removed by its person alone', async () => {
    const [person, stranger] = [await newPerson(), await newPerson()];
    const made = await subscribe(person, service.newBrowser());
    const [{ id } = { id: '' }] = await subscriptionsOf(person);
    expect(made.json?.result).toMatchObject({ id, current: true });
    const foreign = await stranger.raw('DELETE', `${SUBSCRIPTIONS}/${id}`);
    const unknown = await stranger.raw('DELETE', `${SUBSCRIPTIONS}/${newId('session')}`);
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await person.raw('DELETE', `${SUBSCRIPTIONS}/${id}`)).status).toBe(200);
    expect((await person.raw('DELETE', `${SUBSCRIPTIONS}/${id}`)).status).toBe(404);
  });

  it('passes to the next person at the same browser, never by its address alone', async () => {
    const [person, next] = [await newPerson(), await newPerson()];
    const browser = service.newBrowser();
    const thief = {
      ...browser,
      subscription: { ...service.newBrowser().subscription, endpoint: browser.subscription.endpoint },
    };
    await subscribe(person, browser);
    expect((await subscribe(next, thief)).status).toBe(409);
    expect(await subscriptionsOf(person)).toHaveLength(1);
    expect((await subscribe(next, browser)).status).toBe(201);
    expect(await subscriptionsOf(person)).toEqual([]);
    expect(await subscriptionsOf(next)).toHaveLength(1);
  });

  it.each([
    ['endpoint', { endpoint: 'javascript:alert(1)' }],
    ['endpoint', { endpoint: 'file:///etc/passwd' }],
    ['endpoint', { endpoint: `https://push.example/${'x'.repeat(3_000)}` }],
    ['endpoint', { endpoint: 'https://user:secret@push.example/' }],
    ['endpoint', { endpoint: 7 }],
    ['keys', { keys: {} }],
    ['keys', { keys: { p256dh: 'AAAA', auth: 'AAAA' } }],
    ['keys', { keys: { p256dh: '€'.repeat(87), auth: '€'.repeat(22) } }],
  ])('with a wrong %s is refused', async (field, wrong) => {
    const person = await newPerson();
    const body = { ...service.newBrowser().subscription, ...wrong };
    const { status, json } = await person.raw('POST', SUBSCRIPTIONS, { body });
    expect([status, json?.error?.detail]).toEqual([400, expect.stringContaining(field)]);
    expect(await subscriptionsOf(person)).toEqual([]);
  });
});

describe('a server that reaches the public internet only', () => {
  it.each([
    'http://127.0.0.1:9/x',
    'http://localhost/x',
    'https://169.254.169.254/latest',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://0x7f000001/x',
    'https://push.example:8443/x',
  ])('never sends to %s', async (endpoint) => {
    const strict = await createWorld({ database: world.database, env: { EGRESS: 'public' } });
    try {
      const person = await newPerson();
      const body = { ...service.newBrowser().subscription, endpoint };
      const refused = await createRaw(strict, person.token)('POST', SUBSCRIPTIONS, { body });
      // A name is only known when it is resolved; then the socket is refused.
      if (refused.status === 400) return expect(refused.json?.error?.detail).toContain('endpoint');
      await cause(strict, person);
      const [row] = (await person.api('notification.list', {})).result;
      const [subscription] = await subscriptionsOf(person);
      if (row === undefined || subscription === undefined) throw new Error('nothing to send');
      const address = { userId: person.user.id, notificationId: row.id, sessionId: subscription.id };
      await createJobHandlers(strict.context)['notification.push'].run(address);
      expect(await subscriptionsOf(person)).toEqual([]);
    } finally {
      await strict.close();
    }
    return undefined;
  });
});

describe('the key of a server', () => {
  it('is the same in every process, and that of the configuration where it has one', async () => {
    const person = await newPerson();
    const keyAt = async (other: World) =>
      (await createRaw(other, person.token)('GET', '/v1/push/key')).json?.result;
    const twin = await createWorld({ database: world.database });
    const configured = {
      VAPID_PUBLIC_KEY:
        'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
      VAPID_PRIVATE_KEY: 'tBHItJI5svbpez7KI4CCXg',
    };
    try {
      expect(await keyAt(twin)).toEqual(await keyAt(world));
      await expect(createWorld({ env: configured })).rejects.toThrow('VAPID_PRIVATE_KEY');
    } finally {
      await twin.close();
    }
  });
});
