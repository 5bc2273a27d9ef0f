/** Programs of tests/tools, which only a bench or a long test needs: installed when one of them runs first. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = path.resolve(import.meta.dirname, '../tools');
const LOCK = path.join(FOLDER, 'package-lock.json');
/** The lock file that the installed versions are from. */
const STAMP = path.join(FOLDER, 'node_modules/.installed');

const isInstalled = (wanted: string): boolean => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;

/** The folder of the installed packages. Needs a network once for each version of the lock file. */
export function installTools(): string {
  const wanted = readFileSync(LOCK, 'utf8');
  if (!isInstalled(wanted)) {
    // Apart and then moved as a whole: two tests may begin at once, and a run may be killed.
    const place = mkdtempSync(path.join(FOLDER, '.installing-'));
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(path.join(FOLDER, file), path.join(place, file));
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', args, { cwd: place, stdio: 'inherit', shell: process.platform === 'win32' });
    const modules = path.join(place, 'node_modules');
    writeFileSync(path.join(modules, path.basename(STAMP)), wanted);
    if (!isInstalled(wanted)) {
      rmSync(path.dirname(STAMP), { recursive: true, force: true });
      renameSync(modules, path.dirname(STAMP));
    }
    rmSync(place, { recursive: true });
  }
  return path.dirname(STAMP);
}

/** A package of them; `T` is what the caller uses of it, since its own types are not there when types are checked. */
export async function loadTool<T>(name: string): Promise<T> {
  installTools();
  return (await import(pathToFileURL(createRequire(LOCK).resolve(name)).href)) as T;
}
