/** Bundles the service worker, and gives it the list of the files that it keeps in place of `self.__WB_MANIFEST`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import type { PrecacheEntry } from 'workbox-precaching';
import { clientOut, inClient } from '#client/build/paths.ts';

/** The application's files except those of the PDF viewer, which only a person who opens a PDF needs. */
const KEPT = /^(?:index\.html|assets\/(?!pdf-).*\.(?:js|css|svg|woff2|bin))$/;

/** Names of assets change with their content; of other files the content itself must be compared. */
function entryOf(url: string): PrecacheEntry {
  const content = () => readFileSync(join(clientOut, url));
  return {
    url,
    revision: url.startsWith('assets/')
      ? null
      : createHash('sha256').update(content()).digest('hex').slice(0, 32),
  };
}

/** Writes service-worker.js beside the finished files of the build. */
export function serviceWorker(): Plugin {
  return {
    name: 'loci:service-worker',
    apply: 'build',
    async writeBundle(_options, bundle) {
      const kept = Object.keys(bundle).filter((file) => KEPT.test(file));
      await build({
        configFile: false,
        root: inClient('.'),
        publicDir: false,
        logLevel: 'warn',
        define: { 'self.__WB_MANIFEST': JSON.stringify(kept.map(entryOf)) },
        build: {
          outDir: clientOut,
          emptyOutDir: false,
          modulePreload: { polyfill: false },
          rolldownOptions: {
            input: inClient('service-worker/service-worker.ts'),
            output: { entryFileNames: 'service-worker.js', codeSplitting: false },
          },
        },
      });
    },
  };
}
