/**
 * The repository as the architecture tests see it: every source file with its text and the modules it names.
 * It reads the working tree once per process and resolves relative paths and the `#room/` aliases.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of package.json. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** The folders that hold TypeScript of ours. */
export const ROOMS = ['shared', 'server', 'client', 'tests'] as const;

/** Folders that tools write and git ignores. */
export const GENERATED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  '.content-collections',
  'test-results',
  'playwright-report',
]);

/** One module named by a file; `file` is set when it is one of ours, `package` when it is not. */
export interface Import {
  specifier: string;
  file?: string;
  package?: string;
  dynamic: boolean;
}

/** One TypeScript file; paths are relative to the root with forward slashes. */
export interface SourceFile {
  path: string;
  text: string;
  imports: Import[];
}

/** Every file below a folder, relative to the root. */
export function filesBelow(folder: string): string[] {
  const absolute = path.join(ROOT, folder);
  return readdirSync(absolute, { withFileTypes: true }).flatMap((entry) => {
    const relative = `${folder}/${entry.name}`;
    if (GENERATED.has(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(relative) : [relative];
  });
}

const STATIC_IMPORT = /^(?:import|export)\s+(?:[\w\s{},*$]*?\bfrom\s*)?(['"])([^'"\n]+)\1/gm;
const DYNAMIC_IMPORT = /(?<![.\w])import\(\s*(?:\/\*[^*]*\*\/\s*)?(?:(['"`])([^'"`]+)\1)?/g;

/** Comments can quote code; they are blanked so that only code is searched. */
export const withoutComments = (text: string): string =>
  text.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/^\s*\/\/.*$/gm, '');

function importsOf(file: string, text: string): Import[] {
  const code = withoutComments(text);
  const statics = [...code.matchAll(STATIC_IMPORT)].map((match) => ({
    specifier: match[2] ?? '',
    dynamic: false,
  }));
  const dynamics = [...code.matchAll(DYNAMIC_IMPORT)].map((match) => ({
    specifier: match[2] ?? '(computed)',
    dynamic: true,
  }));
  return [...statics, ...dynamics].map((found) => ({ ...found, ...resolve(file, found.specifier) }));
}

function resolve(from: string, specifier: string): Pick<Import, 'file' | 'package'> {
  const clean = specifier.replace(/\?.*$/, '');
  if (clean.startsWith('.')) return { file: path.posix.join(path.posix.dirname(from), clean) };
  if (clean.startsWith('#')) return { file: clean.slice(1) };
  if (clean.startsWith('(')) return {};
  return { package: clean.split('/', clean.startsWith('@') ? 2 : 1).join('/') };
}

function readSource(file: string): SourceFile {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return { path: file, text, imports: importsOf(file, text) };
}

/** Every .ts and .tsx file of the four rooms. */
export const sourceFiles: readonly SourceFile[] = ROOMS.flatMap((room) => filesBelow(room))
  .filter((file) => /\.tsx?$/.test(file))
  .map(readSource);
