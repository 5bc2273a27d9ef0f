/**
 * Server search at 50,000 memories through the service that REST calls, permission filter included, beside a substring
 * scan of the same rows in the same database.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { insertUser } from '#server/accounts/service.ts';
import { parseConfig } from '#server/config.ts';
import { createContext, type Context } from '#server/context.ts';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { createEffects } from '#server/effects.ts';
import { searchMemories } from '#server/memories/search.ts';
import type { Reader } from '#server/memories/store.ts';
import { createWorkspace } from '#server/workspaces/membership.ts';
import { newId } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { judge, timed, timingOf, type BenchRow } from './bench-row.ts';
import { createRandom, syntheticMemories } from './synthetic-memories.ts';

const MEMORIES = 50_000;
const CHUNK = 500;
const QUERIES = 60;
const SCANS = 5;
const LIMIT = 0.25;

type Documents = ReturnType<typeof syntheticMemories>;

/** Seeds a database of its own and measures each kind of query. */
export async function run(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-bench-'));
  chmodSync(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false });
  await migrate({ url: postgres.url });
  const config = parseConfig({ LOCI_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: dataDir });
  const owned = createContext({ config, databaseUrl: postgres.url, effects: createEffects });
  try {
    const documents = syntheticMemories(MEMORIES);
    return await measure(owned.context, documents);
  } finally {
    await owned.close();
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(context: Context, documents: Documents): Promise<BenchRow[]> {
  const reader = await seed(context, documents);
  await sql`vacuum analyze`.execute(context.db);
  const scans: number[] = [];
  for (const query of queriesOf(documents, 'one word').slice(0, SCANS)) {
    scans.push(await timed(() => scan(context, reader, query)));
  }
  const reference = { name: 'substring scan', ...timingOf(scans) };
  const rows: BenchRow[] = [];
  for (const kind of ['one word', 'two words', 'prefix', 'phrase', 'any of three', 'filter only'] as const) {
    const durations: number[] = [];
    for (const query of queriesOf(documents, kind)) {
      durations.push(await timed(() => searchMemories(context.db, reader, { ...body(reader), query })));
    }
    const subject = timingOf(durations);
    const scenario = `server search, ${MEMORIES} memories, ${kind} (p95)`;
    rows.push(judge({ id: `srv ${kind}`, scenario, subject, reference }, subject.p95 / reference.p95, LIMIT));
  }
  return rows;
}

function body({ workspaceId }: Reader) {
  return { workspaceId, archived: false, mode: 'text', page: 1, perPage: 20 } as const;
}

async function seed(context: Context, documents: Documents): Promise<Reader> {
  const workspaceId = newId('workspace');
  const { value: userId } = await writeInRealm(context, workspaceId, systemActor, async (tx) => {
    const user = await insertUser(tx.trx, 'bench@example.com', tx.now);
    if (!user) throw new Error('The bench user exists');
    await createWorkspace(tx, user.id, { id: workspaceId, slug: 'bench', name: 'Bench' });
    return user.id;
  });
  for (let start = 0; start < documents.length; start += CHUNK) {
    await writeInRealm(context, workspaceId, systemActor, (tx) =>
      tx.insertMany(
        'memory',
        documents.slice(start, start + CHUNK).map((document) => {
          const created = new Date(document.created).toISOString();
          const { title, tags, description, summary } = document;
          return {
            ...{ id: newId('memory'), workspaceId, ownerId: userId, createdBy: userId, lastEditedBy: userId },
            ...{ spaceId: null, type: 'note', origin: 'import', contentStatus: 'completed', metadata: {} },
            ...{ title, tags: [...tags], description, summary, url: document.url || null },
            ...bodyFields(document.notes),
            ...{ screenshot: null, filename: null, uploadId: null, archived: false },
            ...{ created, updated: created, deletedAt: null },
          } as const;
        }),
      ),
    );
  }
  return { userId, workspaceId };
}

type Kind = 'one word' | 'two words' | 'prefix' | 'phrase' | 'any of three' | 'filter only';

/** Queries with words of one memory each, common and rare ones as they come. */
function queriesOf(documents: Documents, kind: Kind): string[] {
  const random = createRandom(kind.length);
  const pick = <T>(list: readonly T[], fallback: T): T =>
    list[Math.floor(random() * list.length)] ?? fallback;
  return Array.from({ length: QUERIES }, () => {
    const document = documents[Math.floor(random() * documents.length)];
    const words = (document?.notes ?? '').split(' ');
    const one = pick(words, 'word');
    switch (kind) {
      case 'one word':
        return one;
      case 'two words':
        return `${one} ${pick(words, 'word')}`;
      case 'prefix':
        return one.slice(0, 4);
      case 'phrase':
        return `"${words.slice(3, 5).join(' ')}"`;
      case 'any of three':
        return `${one} ${pick(words, 'word')} qqqqxxxx`;
      default:
        return `tag:${pick(document?.tags ?? [], 'tag1')}`;
    }
  });
}

function scan(context: Context, { workspaceId }: Reader, word: string) {
  const pattern = `%${word}%`;
  return sql`
    select "id" from "memory" where "workspaceId" = ${workspaceId} and (lower("title") like ${pattern}
      or lower("notes") like ${pattern} or lower("summary") like ${pattern} or lower("description") like ${pattern})
    order by "created" desc`.execute(context.db);
}
