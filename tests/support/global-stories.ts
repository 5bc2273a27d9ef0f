/**
 * Once before all browser stories: builds the client of the sources that are here now, and starts one server on an empty
 * folder, so that servers of stories begin with a copy of its schema and sample instead of making them again.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SERVER_TEMPLATE, startServerProcess } from './server-process.ts';

export default async function prepareStories(): Promise<() => void> {
  const script = path.resolve(import.meta.dirname, '../../server/build.ts');
  const run = spawnSync(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (run.status !== 0) throw new Error('The client could not be built.');
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-template-'));
  chmodSync(dataDir, 0o711);
  const server = await startServerProcess({ dataDir });
  await server.stop();
  const settings = path.join(dataDir, 'postgres/data/postgresql.auto.conf');
  // Where its user cannot reach the folder, the cluster lies elsewhere and a copy would share it.
  if (existsSync(settings)) {
    // Stories kill programs, not machines: what was committed is in the files either way.
    appendFileSync(settings, 'fsync = off\nfull_page_writes = off\n');
    process.env[SERVER_TEMPLATE] = dataDir;
  }
  return () => rmSync(dataDir, { recursive: true, force: true });
}
