/**
 * A whole server for measurements: its own durable PostgreSQL, the real app on a free port in this process, a person
 * with a session, and workspaces filled with synthetic memories. It measures nothing itself.
 */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import express, { type Express } from 'express';
import { sql } from 'kysely';
import { createApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { createContext, type Context } from '#server/context.ts';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { createEffects } from '#server/effects.ts';
import { createLog } from '#server/log.ts';
import { createWorkspace } from '#server/workspaces/membership.ts';
import { newId, type Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { apiAt, STORY_PASSWORD } from '../support/person.ts';
import { syntheticMemories } from './synthetic-memories.ts';

const CHUNK = 500;

/** What benchmarks of the server work with. */
export interface BenchWorld {
  context: Context;
  url: string;
  databaseUrl: string;
  /** Routes of a benchmark, served by the same process before the app. */
  routes: Express;
  userId: Id<'user'>;
  token: string;
  /** One more session of the same person, since limits count per session. */
  logIn(): Promise<string>;
  close(): Promise<void>;
}

/** Starts everything; `web` serves pages too and needs a build. */
export async function openBenchWorld({ web = false } = {}): Promise<BenchWorld> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-bench-'));
  chmodSync(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  await migrate({ url: postgres.url });
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bench server has no port');
  const url = `http://localhost:${address.port}`;
  const env = { LOCI_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: dataDir, APP_ORIGIN: url };
  const config = parseConfig(env);
  const owned = createContext({
    ...{ config, databaseUrl: postgres.url, log: createLog('error'), effects: createEffects },
  });
  const app = await createApp(owned.context, { server, web });
  const routes = express();
  routes.disable('x-powered-by');
  server.on('request', (req, res) => (req.url?.startsWith('/bench/') ? routes : app.express)(req, res));
  const email = 'bench@example.org';
  const { result } = await apiAt(url)('auth.signup', { body: { email, password: STORY_PASSWORD } });
  await apiAt(url, result.token)('auth.update', { body: { forename: 'Bench' } });
  return {
    ...{ context: owned.context, url, databaseUrl: postgres.url, routes },
    ...{ userId: result.user.id, token: result.token },
    logIn: async () =>
      (await apiAt(url)('auth.login', { body: { email, password: STORY_PASSWORD } })).result.token,
    async close() {
      owned.beginStop();
      server.close();
      server.closeAllConnections();
      await app.close();
      await owned.close();
      await postgres.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A workspace of the person with so many memories, written through the one door that every write takes. */
export async function seedWorkspace(
  { context, userId }: BenchWorld,
  { slug, count }: { slug: string; count: number },
): Promise<Id<'workspace'>> {
  const workspaceId = newId('workspace');
  await writeInRealm(context, workspaceId, systemActor, (tx) =>
    createWorkspace(tx, userId, { id: workspaceId, slug, name: slug }),
  );
  const documents = syntheticMemories(count);
  for (let start = 0; start < count; start += CHUNK) {
    const rows = documents.slice(start, start + CHUNK).map((document): MemoryHead => {
      const created = new Date(document.created).toISOString();
      const { title, tags, description, summary } = document;
      return {
        ...{ id: newId('memory'), workspaceId, ownerId: userId, createdBy: userId, lastEditedBy: userId },
        ...{ spaceId: null, type: 'note', origin: 'import', contentStatus: 'completed', metadata: {} },
        ...{ title, tags: [...tags], description, summary, url: document.url || null },
        ...bodyFields(document.notes),
        ...{ screenshot: null, filename: null, uploadId: null, archived: false },
        ...{ created, updated: created, deletedAt: null },
      };
    });
    await writeInRealm(context, workspaceId, systemActor, (tx) => tx.insertMany('memory', rows));
  }
  await sql`vacuum analyze`.execute(context.db);
  return workspaceId;
}
