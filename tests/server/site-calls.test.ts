/** Calls of the public site: avatars that tell nothing, the newsletter, catalogues, other origins. */
import { describe, expect, it } from 'vitest';
import { createRaw, signUp } from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: { LANDING_ORIGIN: 'https://www.loci.example' } });
const anyone = createRaw(world);

describe('an avatar', () => {
  it('is the same picture before and after an account exists', async () => {
    const before = await anyone('GET', '/v1/avatars?email=ada.lovelace@example.com');
    await signUp(world, 'ada.lovelace');
    const after = await anyone('GET', '/v1/avatars?email=Ada.Lovelace@example.com');
    expect(before.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(before.text).toContain('>AL<');
    expect(after.text).toBe(before.text);
    expect(after.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('never contains markup of the address', async () => {
    const { text } = await anyone('GET', `/v1/avatars?email=${encodeURIComponent('<script>@"x')}`);
    expect(text).not.toContain('<script');
  });
});

describe('the newsletter', () => {
  it('answers the same for a new and a known address and stores it once', async () => {
    const first = await anyone('POST', '/signup', { body: { email: 'Reader@example.com' } });
    const again = await anyone('POST', '/signup', { body: { email: 'reader@example.com' } });
    expect([first.status, first.text]).toEqual([200, again.text]);
    const rows = await world.context.db.selectFrom('newsletter_signup').select('email').execute();
    expect(rows).toEqual([{ email: 'reader@example.com' }]);
  });

  it('says what is wrong in fixed words', async () => {
    expect((await anyone('POST', '/signup', { body: { email: 'x' } })).json?.error?.detail).toBe(
      'email: Invalid email',
    );
    expect((await anyone('POST', '/signup', { body: {} })).json?.error?.detail).toBe('email: Required');
  });

  it('is refused after five tries in an hour', async () => {
    await anyone('POST', '/signup', { body: { email: 'five@example.com' } });
    const { status } = await anyone('POST', '/signup', { body: { email: 'six@example.com' } });
    expect(status).toBe(429);
  });
});

describe('other origins', () => {
  const preflight = (origin: string) =>
    anyone('OPTIONS', '/v1/memories', { headers: { origin, 'access-control-request-method': 'POST' } });

  it('are ours and browser extensions, without credentials', async () => {
    for (const origin of ['https://www.loci.example', 'chrome-extension://abcdefgh']) {
      const { status, headers } = await preflight(origin);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('are no strangers', async () => {
    const { headers } = await preflight('https://evil.example');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('lists the scopes', async () => {
  const { json } = await anyone('GET', '/v1/scopes');
  expect(json?.result).toContainEqual({ id: 'memories:read', label: 'Read your memories' });
});
