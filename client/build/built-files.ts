/**
 * Files in dist/client. The site is built before the application, whose build then names, retains and describes the files of
 * both.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { DARK_STYLES_PATH } from '#shared/site/dark-styles.ts';
import { clientOut } from '#client/build/paths.ts';

const siteRecord = join(clientOut, '.vite/site-files.json');
const buildRecord = join(clientOut, '.vite/builds.json');
/** Builds whose files stay on the server. */
const BUILDS_KEPT = 3;

const isAsset = (file: string): boolean => file.startsWith('assets/');
const readRecord = <Kept>(path: string): Kept[] =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];

/** Hashed files of the site as it was built last, below dist/client. */
export const siteFiles = (): string[] => readRecord<string>(siteRecord);

/** Leaves the list of the site's files for the build of the application. */
export function recordSite(): Plugin {
  return {
    name: 'loci:record-site',
    writeBundle(_options, bundle) {
      mkdirSync(dirname(siteRecord), { recursive: true });
      writeFileSync(siteRecord, JSON.stringify(Object.keys(bundle).filter(isAsset)));
    },
  };
}

/** Keeps the hashed files of the last builds beside the new ones: pages opened before a deploy still find their chunks. */
export function keepBuilds(): Plugin {
  return {
    name: 'loci:keep-builds',
    writeBundle(_options, bundle) {
      const built = [...new Set([...Object.keys(bundle).filter(isAsset), ...siteFiles()])];
      const earlier = readRecord<string[]>(buildRecord).filter((files) => files.join() !== built.join());
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

/** Smaller files do not benefit. */
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

/** Writes compressed forms beside the hashed files, so that the server compresses each only once, at the highest level. */
export function compressAssets(): Plugin {
  return {
    name: 'loci:compress-assets',
    async writeBundle(_options, bundle) {
      const texts = Object.keys(bundle).filter(
        (file) => isAsset(file) && ['.js', '.css', '.svg', '.json'].includes(extname(file)),
      );
      await Promise.all(texts.map((file) => compressFile(join(clientOut, file))));
    },
  };
}

/** The dark mode for visitors without script, whose document has no class for the system's preference. */
export function darkWithoutScript(): Plugin {
  return {
    name: 'loci:dark-without-script',
    writeBundle(_options, bundle) {
      const styles = [...siteFiles(), ...Object.keys(bundle)].filter((file) => file.endsWith('.css'));
      const rules = styles.flatMap((file) => darkRules(readFileSync(join(clientOut, file), 'utf8')));
      // Public pages and the application have the same tokens.
      writeFileSync(join(clientOut, DARK_STYLES_PATH), [...new Set(rules)].join('\n'));
    },
  };
}

/** Text up to the next brace, with strings as a whole: what they hold is no end of a rule. */
const PIECE = /((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^{}"'])*)([{}])/g;
/** `.dark` itself, not the class of a utility such as `.dark\:block`. */
const DARK = /\.dark(?![\w\\-])/;
const BELOW_DARK = /:where\(\.dark, ?\.dark \*\)/g;

/**
 * The rules that apply inside `.dark`, rewritten to apply to the whole document, each in the layers and conditions around it.
 * For visitors without script: with it, a script sets the class.
 */
function darkRules(css: string): string[] {
  const around: string[] = [];
  const rules: string[] = [];
  for (const [, text = '', brace] of css.matchAll(PIECE)) {
    if (brace === '{') {
      around.push(text.slice(text.lastIndexOf(';') + 1).trim());
      continue;
    }
    const selector = around.at(-1) ?? '';
    if (text.trim() !== '' && DARK.test(selector)) {
      const rule = `${wholeDocument(selector)}{${text.trim()}}`;
      rules.push(around.slice(0, -1).reduceRight((inside, head) => `${head}{${inside}}`, rule));
    }
    around.pop();
  }
  return rules;
}

function wholeDocument(selector: string): string {
  return selector.replaceAll(BELOW_DARK, '').replaceAll(new RegExp(DARK, 'g'), ':root');
}
