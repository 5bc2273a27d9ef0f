/**
 * Servers of stories: the real program, each on a copy of the template's database in the one PostgreSQL of the run. They
 * trust the address that a story's browser names, so that each story has the quotas of a visitor of its own.
 */
import { randomBytes } from 'node:crypto';
import { query } from '../../support/embedded-rig.ts';
import { STORY_TEMPLATE } from '../../support/ready-people.ts';
import { startServerProcess, type ServerProcess } from '../../support/server-process.ts';

/** A server with a database of its own, which goes with it. */
export interface StoryServer extends ServerProcess {
  databaseUrl: string;
}

/** Those that this worker started, for the report of a story that fails. */
export const startedServers = new Set<StoryServer>();
const ended = new Set<StoryServer>();

/** Forgets the servers of stories before this one. */
export function forgetEndedServers(): void {
  for (const server of ended) startedServers.delete(server);
  ended.clear();
}

/** Starts a server; `env` is what it has beside its database. */
export async function startStoryServer(env: Readonly<Record<string, string>> = {}): Promise<StoryServer> {
  const template = new URL(process.env[STORY_TEMPLATE] ?? '');
  const name = `story_${randomBytes(6).toString('hex')}`;
  const asAdmin = (statement: string) =>
    query(Object.assign(new URL(template), { pathname: 'postgres' }).href, statement);
  // Files are copied in a third of the time that the preset way takes, which writes every page to the log.
  await asAdmin(`create database ${name} template ${template.pathname.slice(1)} strategy file_copy`);
  const databaseUrl = Object.assign(new URL(template), { pathname: name }).href;
  const started = await startServerProcess({
    env: {
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: 'a key of thirty-two characters, or more',
      TRUST_PROXY: 'loopback',
      ...env,
    },
  });
  const server: StoryServer = Object.assign(started, {
    databaseUrl,
    dispose: endOf(started, async () => {
      ended.add(server);
      await asAdmin(`drop database if exists ${name} with (force)`);
    }),
  });
  startedServers.add(server);
  return server;
}

/** The server's own end, and then what remains of it outside. */
function endOf({ dispose }: ServerProcess, after: () => Promise<void>): () => Promise<void> {
  return async () => {
    await dispose();
    await after();
  };
}
