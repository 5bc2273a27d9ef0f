/**
 * Draws a picture for an e-mail address: initials on a colour, both derived from the address alone, so that it is the same for
 * addresses with and without an account.
 */
import { createHash } from 'node:crypto';

/** The hues of spaces, dark enough for white letters. */
const COLORS = [
  '#b4532f',
  '#94660f',
  '#5f7426',
  '#047857',
  '#23689a',
  '#5b5bb5',
  '#8d4a86',
  '#56657a',
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
  const color = COLORS[(digest[0] ?? 0) % COLORS.length] ?? COLORS[0];
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96" role="img" aria-hidden="true">' +
    `<rect width="96" height="96" fill="${color}"/>` +
    '<text x="48" y="50" fill="#fff" font-family="Inter,system-ui,sans-serif" font-size="38" font-weight="600" ' +
    `text-anchor="middle" dominant-baseline="central">${initialsOf(email)}</text></svg>`
  );
}
