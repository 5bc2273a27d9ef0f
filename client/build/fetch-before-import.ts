/**
 * Makes dynamic imports of the built client fetch their files first (client/start/fetch-before-import.ts), instead of the
 * bundler's own function, which imports at once and so makes a failed file fail for the life of the page.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Name of that function's module, and of what it exports. */
const HELPER = '\0vite/preload-helper.js';
const HELPER_EXPORT = '__vitePreload';

const ownModule = fileURLToPath(new URL('../start/fetch-before-import.ts', import.meta.url));

export function fetchBeforeImport(): Plugin {
  let isUsed = false;
  return {
    name: 'loci:fetch-before-import',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== HELPER) return undefined;
      isUsed = true;
      return `export { importFetched as ${HELPER_EXPORT} } from ${JSON.stringify(ownModule)};`;
    },
    generateBundle() {
      if (!isUsed) this.error('The bundler no longer asks for its own function around dynamic imports.');
    },
  };
}
