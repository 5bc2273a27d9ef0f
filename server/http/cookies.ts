// Cookies that this server sets. None is a credential; each only shows that a request comes from a browser seen before.
import type { Config } from '../config.ts';

/** The value of a cookie in a `Cookie` header; the first one where a name is there twice. */
export function findCookie(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  const pairs = (header ?? '').split('; ');
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

/** Cookies are marked Secure wherever the public address is. */
export function isSecure({ appOrigin }: Pick<Config, 'appOrigin'>): boolean {
  return appOrigin.startsWith('https:');
}
