/**
 * Parts that pdf.js loads by name when a file needs them: character maps, standard fonts, decoders for pictures and colours.
 * Their paths contain the version of the library, so they can be cached for ever.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const FOLDERS = ['cmaps', 'standard_fonts', 'wasm', 'iccs'] as const;
/** The sandbox of scripts in PDF files, which never run here. */
const UNUSED = /quickjs/;

const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
const root = path.dirname(manifest);

function versionOf(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}

/** Adds them to the files of the build and defines their path for the code. */
export function pdfParts(): Plugin {
  const folder = `assets/pdf-${versionOf()}`;
  return {
    name: 'loci:pdf-parts',
    config: (_config, { command }) => ({
      define: {
        'import.meta.env.VITE_PDF_PARTS': JSON.stringify(
          command === 'build' ? `/${folder}/` : `/@fs${root}/`,
        ),
      },
    }),
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const part of FOLDERS) {
        for (const file of readdirSync(path.join(root, part))) {
          if (UNUSED.test(file)) continue;
          const source = readFileSync(path.join(root, part, file));
          this.emitFile({ type: 'asset', fileName: `${folder}/${part}/${file}`, source });
        }
      }
    },
  };
}
