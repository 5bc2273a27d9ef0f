/** The newsletter call on a landing host of its own and on a single host. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '#tests/support/front.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const LANDING = 'https://landing.api.example';
const APP = 'http://localhost:4000';

let apart: World;
let single: World;

beforeAll(async () => {
  await ensureBuilt();
  [apart, single] = await Promise.all([
    createWorld({ web: true, env: { LANDING_ORIGIN: LANDING } }),
    createWorld({ web: true }),
  ]);
});
afterAll(() => Promise.all([apart.close(), single.close()]));

const signUp = ({ url }: World, email: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email }),
  });
const registered = async ({ context }: World) =>
  (await context.db.selectFrom('newsletter_signup').select('email').execute()).map(({ email }) => email);

describe('with a landing host', () => {
  it('a page names it, and its policy lets the form call it', async () => {
    const page = await fetch(`${apart.url}/pricing`);
    expect(await page.text()).toContain(`<meta name="landing" content="${LANDING}">`);
    expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${LANDING};`);
  });

  it('the host takes the call from pages of the app, and says so to browsers that ask first', async () => {
    const asked = await fetch(`${apart.url}/signup`, {
      method: 'OPTIONS',
      headers: {
        origin: APP,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, APP]);
    const taken = await signUp(apart, 'ada@example.com', { origin: APP });
    expect([taken.status, taken.headers.get('access-control-allow-origin')]).toEqual([200, APP]);
    expect(await registered(apart)).toEqual(['ada@example.com']);
  });

  it('gives other origins no leave to read', async () => {
    const answer = await signUp(apart, 'eve@example.com', { origin: 'https://evil.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('on a single host', () => {
  it('a page names no other host and the call is there', async () => {
    const page = await fetch(`${single.url}/pricing`);
    expect(await page.text()).not.toContain('name="landing"');
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self';");
    expect((await signUp(single, 'grace@example.com')).status).toBe(200);
    expect((await signUp(single, 'grace@example.com')).status).toBe(200);
    expect(await registered(single)).toEqual(['grace@example.com']);
    expect((await signUp(single, 'no address')).status).toBe(400);
  });
});
