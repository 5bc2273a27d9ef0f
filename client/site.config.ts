// Build of the script and the styles of public pages, apart from the application's: `vite build client -c client/site.config.ts`.
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { PAGES } from '#shared/pages.ts';
import { WITHOUT_LIST } from '#shared/site/explore-address.ts';
import { compressAssets, recordSite } from './build/built-files.ts';
import { fetchBeforeImport } from './build/fetch-before-import.ts';
import { pagePlugins, siteContent } from './build/page-plugins.ts';
import { clientOut, contentFile, inClient } from './build/paths.ts';

/** Pages that the browser may fetch when a visitor is about to follow a link: those on which no visit is counted, and no files. */
const SPECULATION = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: ['/', '/explore', '/pricing', '/request-access', '/blog{/*}?', '/docs{/*}?'] },
          { not: { href_matches: '/*.*' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});

/** Adds the rules to the document, verbatim: their hash is in the security policy. */
function speculation(): Plugin {
  return {
    name: 'loci:speculation',
    transformIndexHtml: (html) =>
      html.replace('<!--speculation-->', () => `<script type="speculationrules">${SPECULATION}</script>`),
  };
}

/** The server alone draws the icons of public pages; browsers fetch them with the files of their build. */
function siteIcons(): Plugin {
  const file = inClient('shell/icons.svg');
  return {
    name: 'loci:site-icons',
    buildStart() {
      this.emitFile({ type: 'asset', name: 'icons.svg', originalFileName: file, source: readFileSync(file) });
    },
  };
}

/** For the service worker: the pages of the site that are readable offline without a visit, their script, and their search. */
function offlinePages(): Plugin {
  return {
    name: 'loci:offline-pages',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const documents: { path: string }[] = JSON.parse(readFileSync(contentFile, 'utf8'));
        const files = Object.keys(bundle).filter((file) => /(?:page|search)-[^/]+\.js(?:on)?$/.test(file));
        const paths = documents.map(({ path }) => path).filter((path) => path !== PAGES.explore.path);
        const urls = [
          ...paths,
          PAGES.request_access.path,
          PAGES.offline.path,
          `${PAGES.explore.path}?${WITHOUT_LIST}`,
          ...files.map((file) => `/${file}`),
        ];
        this.emitFile({ type: 'asset', fileName: 'offline-pages.json', source: JSON.stringify(urls) });
      },
    },
  };
}

/** In a folder that the service worker of the application does not fetch ahead (fetch-before-import.ts). */
const SCRIPT = 'assets/site/[name]-[hash].js';

export default defineConfig({
  root: inClient('.'),
  publicDir: false,
  plugins: [
    siteContent(),
    ...pagePlugins(),
    speculation(),
    fetchBeforeImport(),
    siteIcons(),
    offlinePages(),
    recordSite(),
    compressAssets(),
  ],
  build: {
    outDir: clientOut,
    emptyOutDir: false,
    manifest: '.vite/site-manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: inClient('page.html'),
      output: { entryFileNames: SCRIPT, chunkFileNames: SCRIPT },
    },
  },
});
