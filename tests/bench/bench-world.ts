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
import { Client } from 'pg';
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
import type { SearchDocument } from '#shared/search/search-document.ts';
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

/** Starts everything; `web` serves pages too and needs a build; `env` configures more. */
export async function openBenchWorld({
  web = false,
  env: given = {},
}: { web?: boolean; env?: Readonly<Record<string, string>> } = {}): Promise<BenchWorld> {
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
  const env = {
    LOCI_ENV: 'test',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    APP_ORIGIN: url,
    EGRESS: 'none',
    ...given,
  };
  const config = parseConfig(env);
  const owned = createContext({
    config,
    databaseUrl: postgres.url,
    log: createLog('error'),
    effects: createEffects,
  });
  const app = await createApp(owned.context, { server, web });
  const routes = express();
  routes.disable('x-powered-by');
  server.on('request', (req, res) => (req.url?.startsWith('/bench/') ? routes : app.express)(req, res));
  const email = 'bench@example.org';
  const { result } = await apiAt(url)('auth.signup', { body: { email, password: STORY_PASSWORD } });
  await apiAt(url, result.token)('auth.update', { body: { forename: 'Bench' } });
  return {
    context: owned.context,
    url,
    databaseUrl: postgres.url,
    routes,
    userId: result.user.id,
    token: result.token,
    logIn: async () =>
      (
        await apiAt(url)('auth.login', {
          body: {
            email,
            password: STORY_PASSWORD,
          },
        })
      ).result.token,
    async close() {
      owned.beginStop();
      server.close();
      server.closeAllConnections();
      await app.close();
      await owned.close();
      await postgres.close();
      rmSync(dataDir, {
        recursive: true,
        force: true,
      });
    },
  };
}

/** An empty workspace of the person. */
export async function openWorkspace({ context, userId }: BenchWorld, slug: string): Promise<Id<'workspace'>> {
  const workspaceId = newId('workspace');
  await writeInRealm(context, workspaceId, systemActor, (tx) =>
    createWorkspace(tx, userId, { id: workspaceId, slug, name: slug }),
  );
  return workspaceId;
}

/** Memories that are written through the door; what is more is copied from them inside the database. */
const WRITTEN_MAX = 5_000;

/** A workspace of the person with so many memories, all of them in the feed; copies share text and time with others. */
export async function seedWorkspace(
  world: BenchWorld,
  { slug, count }: { slug: string; count: number },
): Promise<Id<'workspace'>> {
  const workspaceId = await openWorkspace(world, slug);
  const written = Math.min(count, WRITTEN_MAX);
  const documents = syntheticMemories(written);
  await writeDocuments(world, workspaceId, documents);
  await multiply(world, workspaceId, Math.ceil(count / written));
  await sql`vacuum analyze`.execute(world.context.db);
  return workspaceId;
}

/** Writes documents as notes of the person and returns their ids, in the same order. */
export async function writeDocuments(
  { context, userId }: BenchWorld,
  workspaceId: Id<'workspace'>,
  documents: readonly SearchDocument[],
): Promise<Id<'memory'>[]> {
  const ids: Id<'memory'>[] = [];
  for (let start = 0; start < documents.length; start += CHUNK) {
    const rows = documents.slice(start, start + CHUNK).map((document): MemoryHead => {
      const created = new Date(document.created).toISOString();
      const { title, tags, description, summary } = document;
      return {
        id: newId('memory'),
        workspaceId,
        ownerId: userId,
        createdBy: userId,
        lastEditedBy: userId,
        spaceId: null,
        type: 'note',
        origin: 'import',
        contentStatus: 'completed',
        metadata: {},
        title,
        tags: [...tags],
        description,
        summary,
        url: document.url || null,
        ...bodyFields(document.notes),
        screenshot: null,
        filename: null,
        uploadId: null,
        archived: false,
        created,
        updated: created,
        deletedAt: null,
      };
    });
    await writeInRealm(context, workspaceId, systemActor, (tx) => tx.insertMany('memory', rows));
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** Copies every memory of a workspace with its search document and its feed entry, so many times in all. */
async function multiply({ databaseUrl }: BenchWorld, workspaceId: string, times: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  try {
    const { rows } = await run(
      `select column_name as name from information_schema.columns where table_name = 'memory' order by ordinal_position`,
    );
    const columns = rows.map(({ name }) => `"${String(name)}"`);
    // Ids of the right alphabet and length, made of the original's and the number of the copy.
    const copyId = `'mem_' || translate(md5(m."id" || $2), '0abcdef', 'zghjkmn')`;
    const others = columns.filter((name) => name !== '"id"').join(', ');
    await run(`create temp table original as select "id" from "memory" where "workspaceId" = $1`, [
      workspaceId,
    ]);
    for (let copy = 1; copy < times; copy += 1) {
      await run('begin');
      await run(`select set_config('app.sync_version', '1', true)`);
      await run(
        `insert into "memory" ("id", ${others}) select ${copyId}, ${others} from "memory" m
         where m."workspaceId" = $1 and m."id" in (select "id" from original)`,
        [workspaceId, String(copy)],
      );
      await run(
        `insert into "memory_search" select d."workspaceId", ${copyId.replaceAll('m."id"', 'd."memoryId"')}, d."spaceId",
           d."archived", d."deleted", d."created", d."tags", d."document" from "memory_search" d
         where d."workspaceId" = $1 and d."memoryId" in (select "id" from original)`,
        [workspaceId, String(copy)],
      );
      await run(
        `insert into "sync_entry" select e."realmId", e."audienceId", replace(e."key", m."id", ${copyId}), e."kind",
           ${copyId}, e."ver", e."live", e."born"
         from "sync_entry" e join original m on m."id" = e."entityId" where e."realmId" = $1`,
        [workspaceId, String(copy)],
      );
      await run('commit');
    }
  } finally {
    await client.end();
  }
}
