// A quick hash, for choices that look random and must be the same everywhere. It keeps nothing secret.

/** FNV-1a over UTF-16 units; `from` continues the hash of an earlier text. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
export function fnv1a(text: string, from = 0x811c9dc5): number {
  let hash = from;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Stirs a hash, so that texts which differ in one letter are far apart: from 0 to 2³². */
export function stirred(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}
