/**
 * Removes the typography plugin's own colours from the styles: `.prose` has those of the product, which follow the color mode,
 * and no page inverts it.
 */
import type { Plugin } from 'vite';

/** The product's colours are variables; the shadow of a key is the one colour that it leaves as it is. */
const COLORS = /\s*--tw-prose-(?!kbd-shadows)[\w-]+:\s*(?!var\()[^;}\s][^;}]*;?/gu;

/** Must come after Tailwind, whose rules it reads. */
export function plainProse(): Plugin {
  return {
    name: 'loci:plain-prose',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css(?:$|\?)/u },
      handler: (code) => ({ code: code.replaceAll(COLORS, ''), map: null }),
    },
  };
}
