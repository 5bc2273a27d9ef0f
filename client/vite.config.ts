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
import { DARK_STYLES_PATH, DARK_WITHOUT_SCRIPT } from '#shared/site/dark-styles.ts';
import { darkRules } from './build/dark-rules.ts';
import { createFirstListNames, FIRST_LIST } from './build/first-list-chunk.ts';
import { plainProse } from './build/plain-prose.ts';
import { slimRouter } from './build/slim-router.ts';
import { COLOR_MODE_SCRIPT } from './shell/color-mode-script.ts';
import { FIRST_LIST_SCRIPT } from './shell/first-list-script.ts';
import { WEB_FONT_SCRIPT } from './shell/web-font-script.ts';

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;
type Chunk = Extract<Bundle[string], { type: 'chunk' }>;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const clientOut = here('../dist/client');
const buildRecord = join(clientOut, '.vite/builds.json');
/** Builds whose files stay on the server. */
const BUILDS_KEPT = 3;

/** What every page runs, in one file: together these small modules compress better than apart. */
const APPLICATION_MODULES =
  /client[\\/](?:application\.tsx|api[\\/](?:cookies|guard-decision)|replica[\\/]early-worker|ui[\\/](?:button-style|control-style|lazy-part|link-button)|shell[\\/](?:external-store|modals|unsaved|toasts|local-setting|site-icon|icons)|site[\\/](?:site-search-store|newsletter-form|logo|dates|browser-content)|layouts[\\/]default)|shared[\\/](?:constants|pages|workspace-slug)\./;
/** Parts of the pages that people share: one file instead of a dozen of a few hundred bytes each. */
const SHARED_PAGE_MODULES =
  /client[\\/](?:ui[\\/](?:safe-link|relative-time|relative-age|minute-clock)|shell[\\/]page-links|layouts[\\/](?:public|lazy-public-modals)|spaces[\\/](?:save-space-store|plain-report-card)|workspaces[\\/]place-name-card)/;
/** How a space looks: threads that people share do without. */
const SPACE_LOOKS_MODULES =
  /client[\\/]spaces[\\/](?:space-cover-card|space-color|public-space-card)|shared[\\/]spaces[\\/]space-looks/;

/**
 * Tables without schemas that the dashboard needs before its first list, and no public page: one file, because the names
 * of the files that are fetched ahead are part of every page.
 */
const TABLE_MODULES =
  /shared[\\/](?:ids|errors|permissions|accounts[\\/]display-name|memories[\\/]memory-kinds|threads[\\/]rating-reasons|spaces[\\/]visibility)\./;

/** Names the build by the hash of its files: build.json for the hourly check, a meta tag so that the running page knows its own. */
function buildStamp(): Plugin {
  let id = 'dev';
  return {
    name: 'loci:build-stamp',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle)
          id = createHash('sha256').update(Object.keys(bundle).sort().join('\n')).digest('hex').slice(0, 16);
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
        (file) => file.startsWith('assets/') && ['.js', '.css', '.svg'].includes(extname(file)),
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

/** The server's list of documents travels with its bundle. */
function contentForServer(): Plugin {
  return {
    name: 'loci:content-for-server',
    generateBundle() {
      const source = readFileSync(here('.content-collections/site/sources.json'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'content.json', source });
    },
  };
}

/** Only the server asks which file of the manifest a page is: the browser needs no second copy of these paths. */
function withoutSources(): Plugin {
  return {
    name: 'loci:without-sources',
    apply: 'build',
    transform: {
      filter: { id: /client[\\/](?:page|layout)-routes\.ts$/ },
      handler(code) {
        if (this.environment.name !== 'client') return null;
        return { code: code.replace(/\bsource: ['"][^'"]+['"],/g, ''), map: null };
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

/**
 * The shell has nothing to show before the application is there: its document names the application's files, and for
 * who is signed in those of the first list. Without script its one sentence is dark where the system prefers that.
 */
function shellPreloads(): Plugin {
  return {
    name: 'loci:shell-preloads',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const isNew = (file: string): boolean => !html.includes(file);
        const application = filesOf(bundle, ({ name }) => name === 'application').filter(isNew);
        const list = filesOf(bundle, ({ facadeModuleId }) => BEFORE_LIST.has(facadeModuleId ?? ''))
          .filter((file) => isNew(file) && !application.includes(file))
          .map((file) => `/${file}`);
        const meta = `<meta name="first-list" content="${list.join(' ')}">`;
        return {
          html: html
            .replace(
              '<!--shell-->',
              () => `<!--shell-->${meta}<script>${FIRST_LIST_SCRIPT}</script><!--/shell-->`,
            )
            .replace('<!--app-->', () => `<!--app-->${DARK_WITHOUT_SCRIPT}`),
          tags: application.map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}`, 'data-shell': true },
            injectTo: 'head' as const,
          })),
        };
      },
    },
  };
}

/** Puts the inline scripts into the template, verbatim: their hashes stand in the security policy. */
function inlineScripts(): Plugin {
  return {
    name: 'loci:inline-scripts',
    transformIndexHtml: (html) =>
      html
        .replace('<!--color-mode-->', () => `<script>${COLOR_MODE_SCRIPT}</script>`)
        .replace('<!--web-font-->', () => `<script>${WEB_FONT_SCRIPT}</script>`),
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
      // Files of earlier builds lie in the same folder and must not be fetched again.
      manifestTransforms: [
        async (entries) => ({
          manifest: entries.filter(
            ({ url }) =>
              !url.startsWith('assets/') || (latestBuild().includes(url) && !/public-[^/]+\.css$/.test(url)),
          ),
        }),
      ],
      dontCacheBustURLsMatching: /^assets\//,
      maximumFileSizeToCacheInBytes: 1_000_000,
    },
  });
}

/** Content documents get their own folder, so that the service worker can tell them from the application. */
function chunkName({ facadeModuleId, name }: { facadeModuleId?: string | null; name: string }): string {
  // By itself the name would tell every page that shares the file.
  if (name.startsWith('parts~')) return 'assets/parts-[hash].js';
  return facadeModuleId?.includes('/.content-collections/')
    ? 'assets/content/[name]-[hash].js'
    : 'assets/[name]-[hash].js';
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

/** Below this, one more way through the service worker costs more than bytes that a page does not need. */
const PART_BYTES = 80_000;
// What these modules share with other pages is in no circle with them: those pages would need them too.
const FIRST_LIST_GROUP = { includeDependenciesRecursively: false };
const firstList = createFirstListNames(here('.'));
/** With the guard of its route. */
const BEFORE_LIST = new Set([...FIRST_LIST, 'api/guard-session.ts'].map(here));

export default defineConfig(({ isSsrBuild, command }) => ({
  root: here('.'),
  publicDir: here('public'),
  cacheDir: here('../node_modules/.cache/vite'),
  plugins: [
    contentCollections({ configPath: here('content-collections.ts') }),
    tailwindcss(),
    plainProse(),
    react(),
    withoutSources(),
    slimRouter(here('build/router-without-framework.ts')),
    inlineScripts(),
    buildStamp(),
    ...(isSsrBuild
      ? [contentForServer()]
      : [shellPreloads(), keepBuilds(), compressAssets(), darkWithoutScript(), serviceWorker()]),
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
          // The list of every route's files would be part of every page; the service worker has them anyway.
          resolveDependencies: (_file, files, { hostType }) =>
            hostType === 'js' ? files.filter((dependency) => dependency.endsWith('.css')) : files,
        },
        rolldownOptions: {
          input: [here('index.html'), here('public.css')],
          output: {
            chunkFileNames: chunkName,
            postBanner: compileHint,
            codeSplitting: {
              groups: [
                // Alone, so that the entry pulls nothing else along: rendered pages fetch the rest after their first paint.
                { name: 'fetch', priority: 3, test: /preload-helper|shell[\\/]quiet-moment/ },
                {
                  name: 'vendor',
                  priority: 2,
                  test: /node_modules[\\/](?:react|react-dom|scheduler|react-router|clsx)[\\/]|router-without-framework/,
                },
                { name: 'application', priority: 1, test: APPLICATION_MODULES },
                { name: 'shared-page', priority: 1, test: SHARED_PAGE_MODULES },
                { name: 'space-looks', priority: 1, test: SPACE_LOOKS_MODULES },
                { name: 'tables', priority: 1, test: TABLE_MODULES },
                { ...FIRST_LIST_GROUP, debugName: 'first-list', name: firstList.alone, priority: 1 },
                {
                  ...FIRST_LIST_GROUP,
                  ...{ debugName: 'parts', name: firstList.shared },
                  ...{ entriesAware: true, entriesAwareMergeThreshold: PART_BYTES },
                },
              ],
            },
          },
        },
      },
}));
