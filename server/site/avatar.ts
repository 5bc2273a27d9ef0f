/**
 * Draws a picture for an e-mail address: initials on a colour, both made of the address alone, so that it is the same
 * for addresses with and without an account.
 */
import { createHash } from 'node:crypto';

/** Background pairs, dark enough for white letters. */
const COLORS = [
  ['#047857', '#0f766e'],
  ['#0e7490', '#1d4ed8'],
  ['#4338ca', '#6d28d9'],
  ['#7e22ce', '#a21caf'],
  ['#be123c', '#b91c1c'],
  ['#b45309', '#9a3412'],
  ['#4d7c0f', '#15803d'],
  ['#334155', '#475569'],
] as const;

/** One or two letters of the part before the @. */
function initialsOf(email: string): string {
  const words = (email.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = '', second = ''] = words;
  const letters = second === '' ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase() || '?';
}

/** The picture as SVG of 96 by 96; only letters and digits of the address get into it. */
export function drawAvatar(email: string): string {
  const digest = createHash('sha256').update(email).digest();
  const [from, to] = COLORS[(digest[0] ?? 0) % COLORS.length] ?? COLORS[0];
  const angle = ((digest[1] ?? 0) * 360) >> 8;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96" role="img" aria-hidden="true">' +
    `<defs><linearGradient id="a" gradientTransform="rotate(${angle} .5 .5)">` +
    `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>` +
    '<rect width="96" height="96" fill="url(#a)"/>' +
    '<text x="48" y="50" fill="#fff" font-family="Inter,system-ui,sans-serif" font-size="38" font-weight="600" ' +
    `text-anchor="middle" dominant-baseline="central">${initialsOf(email)}</text></svg>`
  );
}
