/** Programs of tests/tools, which only a bench or a long test needs: installed when one of them runs first. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = path.resolve(import.meta.dirname, '../tools');
const LOCK = path.join(FOLDER, 'package-lock.json');
/** The lock file that the installed versions are from. */
const STAMP = path.join(FOLDER, 'node_modules/.installed');

/** The folder of the installed packages. Needs a network once for each version of the lock file. */
export function installTools(): string {
  const wanted = readFileSync(LOCK, 'utf8');
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
    const [file, args] = ['npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']] as const;
    execFileSync(file, args, { cwd: FOLDER, stdio: 'inherit', shell: process.platform === 'win32' });
    writeFileSync(STAMP, wanted);
  }
  return path.dirname(STAMP);
}

/** A package of them; `T` is what the caller uses of it, since its own types are not there when types are checked. */
export async function loadTool<T>(name: string): Promise<T> {
  installTools();
  return (await import(pathToFileURL(createRequire(LOCK).resolve(name)).href)) as T;
}
