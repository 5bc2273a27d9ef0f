// Build of the application (`vite build client`, after that of the site) and of the page bundle for the server (`vite build client --ssr`).
// Also used as middleware in development. Everything about output files and their names is decided here.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig, type IndexHtmlTransformContext, type Plugin } from 'vite';
import { DARK_WITHOUT_SCRIPT } from '#shared/site/dark-styles.ts';
import { compressAssets, darkWithoutScript, keepBuilds, siteFiles } from './build/built-files.ts';
import { createChunkNames, createSharedName, FIRST_LIST, GUARD } from './build/chunk-names.ts';
import { fetchBeforeImport } from './build/fetch-before-import.ts';
import { pagePlugins, siteContent } from './build/page-plugins.ts';
import { clientOut, contentFile, inClient } from './build/paths.ts';
import { pdfParts } from './build/pdf-parts.ts';
import { serviceWorker } from './build/service-worker-file.ts';
import { FIRST_LIST_SCRIPT } from './shell/first-list-script.ts';

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;
type Chunk = Extract<Bundle[string], { type: 'chunk' }>;

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
            .update([...Object.keys(bundle), ...siteFiles()].sort().join('\n'))
            .update(readFileSync(contentFile))
            .digest('hex')
            .slice(0, 16);
        return html.replace('<!--head-->', `<meta name="build" content="${id}" /><!--head-->`);
      },
    },
    generateBundle: {
      order: 'post',
      handler() {
        this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify({ build: id }) });
      },
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

/** Of every page; few pages have emphasis. */
function fontsOf(bundle: Bundle): string[] {
  return Object.keys(bundle).filter((file) => file.endsWith('.woff2') && !file.includes('italic'));
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

/** Dialogs and what they are made of. */
const DIALOG_MODULES = /layouts[\\/]dashboard-modals|node_modules[\\/](?:cmdk|@radix-ui)[\\/]/;

/**
 * The browser reads the code of dialogs when it arrives, on another thread, instead of function by function when the
 * first of them opens (explicit compile hints of V8; other engines see a comment).
 */
function compileHint({ moduleIds }: { moduleIds: string[] }): string {
  return moduleIds.some((id) => DIALOG_MODULES.test(id)) ? '//# allFunctionsCalledOnLoad' : '';
}

const chunkNames = createChunkNames(inClient('.'));
const sharedName = createSharedName(chunkNames);
/** With the guard of its route. */
const BEFORE_LIST = new Set([...FIRST_LIST, GUARD].map(inClient));

export default defineConfig(({ isSsrBuild, command }) => ({
  root: inClient('.'),
  publicDir: inClient('public'),
  cacheDir: inClient('../node_modules/.cache/vite'),
  plugins: [
    ...(command === 'serve' ? [siteContent()] : []),
    ...pagePlugins(),
    pdfParts(),
    ...(isSsrBuild
      ? [contentForServer()]
      : [
          buildStamp(),
          fetchBeforeImport(),
          shellPreloads(),
          keepBuilds(),
          compressAssets(),
          darkWithoutScript(),
          serviceWorker(),
        ]),
  ],
  server: { fs: { allow: [inClient('../client'), inClient('../shared'), inClient('../node_modules')] } },
  ssr: { noExternal: command === 'build' ? true : undefined },
  build: isSsrBuild
    ? {
        outDir: inClient('../dist/server'),
        emptyOutDir: true,
        rolldownOptions: { input: inClient('server.tsx') },
        copyPublicDir: false,
      }
    : {
        outDir: clientOut,
        emptyOutDir: false,
        manifest: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: inClient('index.html'),
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
