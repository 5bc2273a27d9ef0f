// Build of the client: browser bundle (`vite build client`) and page bundle for the server (`vite build client --ssr`).
// Also used as middleware in development. Everything about output files and their names is decided here.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import contentCollections from '@content-collections/vite';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type IndexHtmlTransformContext, type Plugin, type PluginOption } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { PAGES } from '#shared/pages.ts';
import { WITHOUT_LIST } from '#shared/site/explore-address.ts';
import { DARK_STYLES_PATH, DARK_WITHOUT_SCRIPT } from '#shared/site/dark-styles.ts';
import { refuseChunkCycles } from './build/chunk-cycles.ts';
import { darkRules } from './build/dark-rules.ts';
import { createChunkNames, createSharedName, FIRST_LIST, GUARD } from './build/chunk-names.ts';
import { fetchBeforeImport } from './build/fetch-before-import.config.ts';
import { PDF_FILES, pdfParts } from './build/pdf-parts.config.ts';
import { plainProse } from './build/plain-prose.ts';
import { FIRST_PAINT_SCRIPT } from './shell/first-paint-script.ts';
import { FIRST_LIST_SCRIPT } from './shell/first-list-script.ts';

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;
type Chunk = Extract<Bundle[string], { type: 'chunk' }>;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const clientOut = here('../dist/client');
const contentFile = here('.content-collections/site/sources.json');
const buildRecord = join(clientOut, '.vite/builds.json');
/** Builds whose files stay on the server. */
const BUILDS_KEPT = 3;

/** Names the build by the hash of its files and of the content that the server renders: build.json for the hourly check, a meta tag so that the running page knows its own. */
function buildStamp(): Plugin {
  let id = 'dev';
  return {
    name: 'loci:build-stamp',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle)
          id = createHash('sha256')
            .update(Object.keys(bundle).sort().join('\n'))
            .update(readFileSync(contentFile))
            .digest('hex')
            .slice(0, 16);
        return html.replace('<!--head-->', `<meta name="build" content="${id}" /><!--head-->`);
      },
    },
    generateBundle: {
      order: 'post',
      handler() {
        if (this.environment.name === 'client') {
          this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify({ build: id }) });
        }
      },
    },
  };
}

function builds(): string[][] {
  return existsSync(buildRecord) ? JSON.parse(readFileSync(buildRecord, 'utf8')) : [];
}

function latestBuild(): string[] {
  return builds()[0] ?? [];
}

/** Keeps the hashed files of the last builds beside the new ones: pages opened before a deploy still find their chunks. */
function keepBuilds(): Plugin {
  return {
    name: 'loci:keep-builds',
    writeBundle(_options, bundle) {
      if (this.environment.name !== 'client') return;
      const built = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
      const earlier = builds().filter((files) => files.join() !== built.join());
      const kept = [built, ...earlier].slice(0, BUILDS_KEPT);
      writeFileSync(buildRecord, JSON.stringify(kept));
      const wanted = new Set(kept.flat());
      for (const file of readdirSync(join(clientOut, 'assets'), { recursive: true, withFileTypes: true })) {
        const path = join(file.parentPath, file.name);
        const original = relative(clientOut, path).replace(/\.(?:br|gz)$/, '');
        if (file.isFile() && !wanted.has(original)) rmSync(path);
      }
    },
  };
}

/** Smaller files gain nothing. */
const COMPRESSED_FROM_BYTES = 1000;

async function compressFile(path: string): Promise<void> {
  if (existsSync(`${path}.br`)) return;
  const source = readFileSync(path);
  if (source.length < COMPRESSED_FROM_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [small, plain] = await Promise.all([
    promisify(brotliCompress)(source, { params }),
    promisify(gzip)(source, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  writeFileSync(`${path}.gz`, plain);
  writeFileSync(`${path}.br`, small);
}

/** Leaves compressed forms beside the hashed files, so that the server compresses nothing twice and everything well. */
function compressAssets(): Plugin {
  return {
    name: 'loci:compress-assets',
    async writeBundle(_options, bundle) {
      if (this.environment.name !== 'client') return;
      const texts = Object.keys(bundle).filter(
        (file) => file.startsWith('assets/') && ['.js', '.css', '.svg', '.json'].includes(extname(file)),
      );
      await Promise.all(texts.map((file) => compressFile(join(clientOut, file))));
    },
  };
}

/** The dark look for visitors without script, whom no class on the document says what their system prefers. */
function darkWithoutScript(): Plugin {
  return {
    name: 'loci:dark-without-script',
    writeBundle(_options, bundle) {
      if (this.environment.name !== 'client') return;
      const styles = Object.keys(bundle).filter((file) => file.endsWith('.css'));
      const rules = styles.flatMap((file) => darkRules(readFileSync(join(clientOut, file), 'utf8')));
      // Public pages and the application have the same tokens.
      writeFileSync(join(clientOut, DARK_STYLES_PATH), [...new Set(rules)].join('\n'));
    },
  };
}

/** The server alone draws the icons of public pages; browsers fetch them with the files of their build. */
function siteIcons(): Plugin {
  const file = here('shell/icons.svg');
  return {
    name: 'loci:site-icons',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', name: 'icons.svg', originalFileName: file, source: readFileSync(file) });
    },
  };
}

/** The server's list of documents travels with its bundle. */
function contentForServer(): Plugin {
  return {
    name: 'loci:content-for-server',
    generateBundle() {
      const source = readFileSync(contentFile, 'utf8');
      this.emitFile({ type: 'asset', fileName: 'content.json', source });
    },
  };
}

/** For the service worker: the pages of the site that are readable offline without a visit, and the index that searches them. */
function offlinePages(): Plugin {
  return {
    name: 'loci:offline-pages',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const documents: { path: string }[] = JSON.parse(readFileSync(contentFile, 'utf8'));
        const index = Object.keys(bundle).filter((file) => /search-[^/]+\.json$/.test(file));
        const paths = documents.map(({ path }) => path).filter((path) => path !== PAGES.explore.path);
        const urls = [
          ...paths,
          PAGES.request_access.path,
          PAGES.offline.path,
          `${PAGES.explore.path}?${WITHOUT_LIST}`,
          ...index.map((file) => `/${file}`),
        ];
        this.emitFile({ type: 'asset', fileName: 'offline-pages.json', source: JSON.stringify(urls) });
      },
    },
  };
}

/** Files of some chunks and of everything that they import without waiting. */
function filesOf(bundle: Bundle, isWanted: (chunk: Chunk) => boolean): string[] {
  const named = new Set<string>();
  const name = (file: string): void => {
    const chunk = bundle[file];
    if (named.has(file) || chunk?.type !== 'chunk') return;
    named.add(file);
    chunk.imports.forEach(name);
  };
  for (const chunk of Object.values(bundle))
    if (chunk.type === 'chunk' && isWanted(chunk)) name(chunk.fileName);
  return [...named];
}

const FONT_PRELOAD = {
  rel: 'preload',
  as: 'font',
  type: 'font/woff2',
  fetchpriority: 'high',
  crossorigin: true,
} as const;

function fontsOf(bundle: Bundle): string[] {
  return Object.keys(bundle).filter((file) => file.endsWith('.woff2'));
}

/**
 * The shell has nothing to show before the application is there: its document names the application's files, and for
 * who is signed in those of the first list. Without script its one sentence is dark where the system prefers that.
 */
function shellPreloads(): Plugin {
  return {
    name: 'loci:shell-preloads',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, path }) {
        if (path !== '/index.html') return html;
        const isNew = (file: string): boolean => !html.includes(file);
        const application = filesOf(bundle, ({ name }) => name === 'application').filter(isNew);
        const list = filesOf(bundle, ({ moduleIds }) => moduleIds.some((id) => BEFORE_LIST.has(id)))
          .filter((file) => isNew(file) && !application.includes(file))
          .map((file) => `/${file}`);
        const meta = `<meta name="first-list" content="${list.join(' ')}">`;
        return {
          html: html
            .replace('<!--shell-->', () => `${meta}<script>${FIRST_LIST_SCRIPT}</script>`)
            // Behind the styles, which it overrides.
            .replace('<!--dark-->', () => DARK_WITHOUT_SCRIPT),
          tags: [
            ...application.map((file) => ({
              tag: 'link',
              attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
              injectTo: 'head' as const,
            })),
            ...fontsOf(bundle).map((file) => ({
              tag: 'link',
              attrs: { ...FONT_PRELOAD, href: `/${file}` },
              injectTo: 'head-prepend' as const,
            })),
          ],
        };
      },
    },
  };
}

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

/** Puts what both documents begin with (head.html) into their heads. */
function commonHead(): Plugin {
  return {
    name: 'loci:common-head',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace('<!--common-->', () => readFileSync(here('head.html'), 'utf8').trimEnd()),
    },
  };
}

/** Puts the inline scripts into the template, verbatim: their hashes stand in the security policy. */
function inlineScripts(): Plugin {
  return {
    name: 'loci:inline-scripts',
    transformIndexHtml: (html) =>
      html
        .replace('<!--first-paint-->', () => `<script>${FIRST_PAINT_SCRIPT}</script>`)
        .replace('<!--speculation-->', () => `<script type="speculationrules">${SPECULATION}</script>`),
  };
}

/** The worker is written by hand; the plugin only bundles it and hands it the list of built files. */
function serviceWorker(): PluginOption {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: '.',
    filename: 'service-worker.ts',
    injectRegister: null,
    manifest: false,
    injectManifest: {
      globPatterns: ['index.html', 'assets/**/*.{js,css,svg,woff2}'],
      globIgnores: [...PDF_FILES],
      // Files of earlier builds lie in the same folder and must not be fetched again.
      manifestTransforms: [
        async (entries) => ({
          manifest: entries.filter(
            ({ url }) =>
              !url.startsWith('assets/') || (latestBuild().includes(url) && !/page-[^/]+\.css$/.test(url)),
          ),
        }),
      ],
      dontCacheBustURLsMatching: /^assets\//,
      maximumFileSizeToCacheInBytes: 1_000_000,
    },
  });
}

/** Dialogs and what they are made of. */
const DIALOG_MODULES = /layouts[\\/]dashboard-modals|node_modules[\\/](?:cmdk|@radix-ui)[\\/]/;

/**
 * The browser reads the code of dialogs when it arrives, on another thread, instead of function by function when the
 * first of them opens (explicit compile hints of V8; other engines see a comment).
 */
function compileHint({ moduleIds }: { moduleIds: string[] }): string {
  return moduleIds.some((id) => DIALOG_MODULES.test(id)) ? '//# allFunctionsCalledOnLoad' : '';
}

const chunkNames = createChunkNames(here('.'));
const sharedName = createSharedName(here('.'), chunkNames);
/** With the guard of its route. */
const BEFORE_LIST = new Set([...FIRST_LIST, GUARD].map(here));

export default defineConfig(({ isSsrBuild, command }) => ({
  root: here('.'),
  publicDir: here('public'),
  cacheDir: here('../node_modules/.cache/vite'),
  plugins: [
    contentCollections({ configPath: here('content-collections.ts') }),
    tailwindcss(),
    plainProse(),
    pdfParts(),
    react(),
    commonHead(),
    inlineScripts(),
    buildStamp(),
    refuseChunkCycles(),
    ...(isSsrBuild
      ? [contentForServer()]
      : [
          fetchBeforeImport(),
          shellPreloads(),
          siteIcons(),
          offlinePages(),
          keepBuilds(),
          compressAssets(),
          darkWithoutScript(),
          serviceWorker(),
        ]),
  ],
  server: { fs: { allow: [here('../client'), here('../shared'), here('../node_modules')] } },
  ssr: { noExternal: command === 'build' ? true : undefined },
  build: isSsrBuild
    ? {
        outDir: here('../dist/server'),
        emptyOutDir: true,
        rolldownOptions: { input: here('server.tsx') },
        copyPublicDir: false,
      }
    : {
        outDir: clientOut,
        emptyOutDir: false,
        manifest: true,
        assetsInlineLimit: 0,
        modulePreload: {
          polyfill: false,
        },
        rolldownOptions: {
          input: [here('index.html'), here('page.html')],
          output: {
            postBanner: compileHint,
            codeSplitting: {
              groups: [
                { debugName: 'pages', name: chunkNames, includeDependenciesRecursively: false },
                {
                  debugName: 'shared',
                  name: sharedName,
                  includeDependenciesRecursively: false,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
}));
