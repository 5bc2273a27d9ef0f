/**
 * Initials and colour for a name: the same everywhere and every time.
 * Pure; drawing is in avatar.tsx.
 */

/** Up to two letters: first and last word, or the first letter alone; '?' for nothing. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s._-]+/u)
    .filter((word) => word !== '');
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const letters = chosen
    .map((word) =>
      String.fromCodePoint(word?.codePointAt(0) ?? 0x20)
        .toLocaleUpperCase()
        .trim(),
    )
    .join('');
  return letters === '' ? '?' : letters;
}

/** One of twelve hues in degrees (FNV-1a over the text); lightness is fixed in styles.css so that contrast holds. */
export function avatarHue(seed: string): number {
  let hash = 0x811c9dc5;
  for (const letter of seed) {
    hash ^= letter.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return ((hash >>> 0) % 12) * 30;
}
