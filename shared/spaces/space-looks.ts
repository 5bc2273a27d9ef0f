// How a space looks: its hue and its cover. Without zod, because public pages load these too.
import { fnv1a, stirred } from '../fnv.ts';

/** Names of the hues a space may wear; styles.css has their colours for both modes. */
export const SPACE_COLORS = ['clay', 'ochre', 'olive', 'emerald', 'lake', 'iris', 'plum', 'slate'] as const;
export type SpaceColor = (typeof SPACE_COLORS)[number];

const hashOf = (text: string): number => stirred(fnv1a(text));

/** The hue of a new space of this name; never grey. */
export function hueOf(name: string): SpaceColor {
  return SPACE_COLORS[hashOf(name) % 7] ?? 'emerald';
}

/** Numbers from 0 to 1 that are always the same for a seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Height of every arcade, and the width of the part that a card shows. */
export const ARCADE = { height: 116, width: 260 } as const;
const GAP = 9;

/** Outline of one arch, how strong it is drawn, and the dot in the one that is lit. */
interface Arch {
  path: string;
  opacity: number;
  dot?: { x: number; y: number; r: number };
}

/**
 * The arcade of a name: three to six arches of one rhythm on the width of a card, one of them lit unless the place is empty. A
 * wider one continues in the same rhythm. The same name has the same arcade everywhere.
 */
export function arcadeOf(name: string, width: number = ARCADE.width, isLit = true): Arch[] {
  const next = numbers(hashOf(name));
  const count = 3 + Math.floor(next() * 4);
  const lit = Math.floor(next() * count);
  const span = (ARCADE.width - GAP) / count - GAP;
  const r = span / 2;
  return Array.from({ length: Math.ceil((width - GAP) / (span + GAP)) }, (_, index) => {
    const x = GAP + index * (span + GAP);
    const top = ARCADE.height * (0.16 + 0.42 * next());
    const path = `M${round(x)} ${ARCADE.height}V${round(top + r)}a${round(r)} ${round(r)} 0 0 1 ${round(span)} 0V${ARCADE.height}Z`;
    const opacity = round(0.15 + 0.15 * next());
    const dot = { x: round(x + r), y: round(top + r), r: round(Math.max(4, span / 11)) };
    return isLit && index === lit ? { path, opacity: 1, dot } : { path, opacity };
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
