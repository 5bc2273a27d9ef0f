/**
 * Once before all browser stories: builds the client of the sources that are here now, and starts one PostgreSQL with the
 * database that the server of each story copies in the time of a few requests.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { STORY_PEOPLE, STORY_TEMPLATE } from './ready-people.ts';
import { startThrowAwayCluster } from './throw-away-cluster.ts';

const TEMPLATE_DATABASE = 'story_template';

export default async function prepareStories(): Promise<() => Promise<void>> {
  run('../../server/build.ts', [], 'inherit');
  const cluster = await startThrowAwayCluster({ max_connections: '300' });
  try {
    const people = path.join(cluster.folder, 'people.json');
    writeFileSync(people, run('./story-template.ts', [cluster.url, TEMPLATE_DATABASE], 'pipe'));
    const template = new URL(cluster.url);
    template.pathname = TEMPLATE_DATABASE;
    process.env[STORY_TEMPLATE] = template.href;
    process.env[STORY_PEOPLE] = people;
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster.close;
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
