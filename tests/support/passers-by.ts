/**
 * Visitors without an account, each from an address of its own: calls of one address are counted, and a test that looks
 * at every public form makes many. The world needs `TRUST_PROXY: 'loopback'`.
 */
import { createRaw, type RawRequest } from './agent.ts';
import type { World } from './world.ts';

let visitors = 0;

/** Headers of a new visitor. */
export function passerBy(): { 'x-forwarded-for': string; 'user-agent': string } {
  visitors += 1;
  return {
    'x-forwarded-for': `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
  };
}

/** Like a RawRequest without an account, by another visitor each time. */
export function createPassersBy(world: World): RawRequest {
  const raw = createRaw(world);
  return (method, path, init = {}) =>
    raw(method, path, { ...init, headers: { ...passerBy(), ...init.headers } });
}
