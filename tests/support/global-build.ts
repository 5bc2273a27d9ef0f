/** Makes sure that browser stories see the client of the sources that are here now. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

export default function buildClient(): void {
  const script = path.resolve(import.meta.dirname, '../../server/build.ts');
  const run = spawnSync(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (run.status !== 0) throw new Error('The client could not be built.');
}
