// Build of the browser extension into dist/extension, a folder that a browser loads as it is.
import { createWriteStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import sharp from 'sharp';
import { defineConfig, type Plugin } from 'vite';
import { ZipFile } from 'yazl';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { EXTENSION_CALLS } from './call-names.ts';
import { ICON_SIZES, iconFile, MANIFEST } from './manifest.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const out = here('../../dist/extension');

/** The server of a fresh installation; people can name another one. */
const server = new URL(process.env['EXTENSION_SERVER'] ?? 'http://localhost:4000').origin;

/** The transport of the extension's calls, from the table of endpoints; the table itself, with its schemas, stays out. */
const callRows = Object.fromEntries(
  EXTENSION_CALLS.map((name) => {
    const { method, path, answer = 'json' }: AnyEndpoint = ENDPOINTS[name];
    return [name, [method, path, answer === 'json']];
  }),
);

/** Writes the manifest and the icons beside the scripts. */
function manifestAndIcons(): Plugin {
  return {
    name: 'loci:extension-manifest',
    async writeBundle() {
      writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`);
      for (const size of ICON_SIZES) {
        const file = join(out, iconFile(size));
        mkdirSync(dirname(file), { recursive: true });
        await sharp(here('../public/icon-512.png')).resize(size).png().toFile(file);
      }
    },
  };
}

/** Of all files, so that the same sources produce the same bytes. */
const PACKED = { mtime: new Date(1980, 0, 1), mode: 0o100_644, forceDosTimestamp: true } as const;

/** Packs the folder into one file, as browser stores require it. */
function packedExtension(): Plugin {
  return {
    name: 'loci:extension-zip',
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        const zip = new ZipFile();
        const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((file) =>
          file.isFile(),
        );
        const paths = files.map((file) => join(file.parentPath, file.name)).sort();
        for (const path of paths) {
          // Written as bytes: a stream writes its length after the entry.
          zip.addBuffer(readFileSync(path), relative(out, path).replaceAll(sep, '/'), PACKED);
        }
        zip.end();
        await pipeline(zip.outputStream, createWriteStream(`${out}.zip`));
      },
    },
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  publicDir: false,
  cacheDir: here('../../node_modules/.cache/vite-extension'),
  plugins: [tailwindcss(), react(), manifestAndIcons(), packedExtension()],
  define: {
    EXTENSION_SERVER: JSON.stringify(server),
    EXTENSION_CALL_ROWS: JSON.stringify(callRows),
  },
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'chrome123',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { popup: here('popup.html'), background: here('background.ts') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name].js',
        assetFileNames: 'parts/[name][extname]',
      },
    },
  },
});
