/**
 * Once before all browser stories: builds the client of the sources that are here now, and starts one PostgreSQL with the
 * database that the server of each story copies in the time of a few requests.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { STORY_PEOPLE, STORY_TEMPLATE } from './ready-people.ts';

const TEMPLATE_DATABASE = 'story_template';

export default async function prepareStories(): Promise<() => Promise<void>> {
  run('../../server/build.ts', [], 'inherit');
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-stories-'));
  // The database may run as another OS user, who must be able to pass through.
  chmodSync(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => undefined,
    durable: false,
    settings: { max_connections: '300' },
  });
  const tearDown = async () => {
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const people = path.join(dataDir, 'people.json');
    writeFileSync(people, run('./story-template.ts', [postgres.url, TEMPLATE_DATABASE], 'pipe'));
    const template = new URL(postgres.url);
    template.pathname = TEMPLATE_DATABASE;
    process.env[STORY_TEMPLATE] = template.href;
    process.env[STORY_PEOPLE] = people;
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}

/** Runs a program of ours to its end; returns what it printed, where that is not shown. */
function run(program: string, args: readonly string[], stdout: 'inherit' | 'pipe'): string {
  const ended = spawnSync(process.execPath, [path.resolve(import.meta.dirname, program), ...args], {
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (ended.status !== 0) throw new Error(`${path.basename(program)} failed.`);
  return ended.stdout;
}
