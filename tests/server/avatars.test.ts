/** Avatars of the public site, which tell nothing. */
import { describe, expect, it } from 'vitest';
import { createRaw, signUp } from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
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
