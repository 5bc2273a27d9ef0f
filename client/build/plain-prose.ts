/** Takes the colours of `prose-invert` out of the styles: `.prose` follows the mode by itself, and no page inverts it. */
import type { Plugin } from 'vite';

const INVERTED = /\s*--tw-prose-invert-[\w-]+:[^;}]+;?/gu;

/** Stands after Tailwind, whose rules it reads. */
export function plainProse(): Plugin {
  return {
    name: 'loci:plain-prose',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css(?:$|\?)/u },
      handler: (code) => ({ code: code.replaceAll(INVERTED, ''), map: null }),
    },
  };
}
