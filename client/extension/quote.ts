// The small texts of the extension. Pure.
import { LIMITS } from '#shared/constants.ts';

/** Joins two texts with a blank line between them; empty ones are left out. */
export function together(first: string, second: string): string {
  return [first.trimEnd(), second.trim()].filter((text) => text !== '').join('\n\n');
}

/** The tags in a line: separated by commas, with or without `#`, each once. */
export function tagsIn(line: string): string[] {
  const tags = line
    .split(',')
    .map((part) => part.trim().replace(/^#+/, '').trim().toLowerCase().slice(0, LIMITS.tag));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, LIMITS.tagCount);
}

/**
 * The origin of a server as a person types it: with https by default, and with http on this device.
 * @throws Error with a sentence for the person
 */
export function serverOrigin(typed: string): string {
  const text = typed.trim();
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/i.test(text);
  const url = URL.parse(
    /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${isHere ? 'http' : 'https'}://${text}`,
  );
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('This is not the address of a server');
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isLocal)
    throw new Error('Use https: without it, others on the way could read your pages');
  return url.origin;
}
