// Plugins of every build of pages: styles, JSX, the common head of both documents; and the content of the site.
import { readFileSync } from 'node:fs';
import contentCollections from '@content-collections/vite';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, PluginOption } from 'vite';
import { FIRST_PAINT_SCRIPT } from '#client/shell/first-paint-script.ts';
import { refuseChunkCycles } from '#client/build/chunk-cycles.ts';
import { inClient } from '#client/build/paths.ts';

/** Puts head.html into the head of the document, and the script that sets its colours before the first paint. */
function commonHead(): Plugin {
  return {
    name: 'loci:common-head',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html
          .replace('<!--common-->', () => readFileSync(inClient('head.html'), 'utf8').trimEnd())
          // Verbatim: its hash is in the security policy.
          .replace('<!--first-paint-->', () => `<script>${FIRST_PAINT_SCRIPT}</script>`),
    },
  };
}

/** Writes the documents of the site to `contentFile` and beside it; the builds after that of the site read them there. */
export function siteContent(): PluginOption {
  return contentCollections({ configPath: inClient('content-collections.ts') });
}

export function pagePlugins(): PluginOption[] {
  return [tailwindcss(), react(), commonHead(), refuseChunkCycles()];
}
