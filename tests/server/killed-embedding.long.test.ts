/** The program is killed while an embedding model works: after the next start every memory has its vectors, each made once. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import {
  embeddingEnv,
  sendVectors,
  startEmbeddingService,
  toyVector,
  type EmbeddingService,
} from '#tests/support/embedding-service.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { joinServer, type Person } from '#tests/support/person.ts';
import { startServerProcess, type ServerProcess } from '#tests/support/server-process.ts';

const MEMORIES = 40;
const TITLE = 'Boat number ';

let service: EmbeddingService;
let database: TestDatabase;
let server: ServerProcess;
let person: Person;
/** From the second request on nothing is answered until the server that asked is dead. */
let isHolding = true;
let answered: string[] = [];

beforeAll(async () => {
  await ensureBuilt();
  service = await startEmbeddingService();
  service.behave((res, { body }) => {
    const input = body.input ?? [];
    if (isHolding && answered.length > 0) return;
    // A new workspace has memories of its own.
    answered.push(...input.filter((text) => text.startsWith(TITLE)));
    sendVectors(
      res,
      input.map((text) => toyVector(text)),
    );
  });
  database = await createTestDatabase();
  server = await startServerProcess({ env: { DATABASE_URL: database.url } });
  person = await joinServer(server.url, 'marie');
  const { api, workspaceId } = person;
  for (let n = 0; n < MEMORIES; n += 1)
    await api('memory.create', { body: { workspaceId, title: `${TITLE}${n}` } });
  await server.kill();
  await server.dispose();
  server = await startServerProcess({ env: { DATABASE_URL: database.url, ...embeddingEnv(service) } });
});
afterAll(async () => {
  await server.dispose();
  await service.close();
  await database.drop();
});

async function embedded(): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select m."title" from "memory_embedding" e
    join "memory" m on m."workspaceId" = e."workspaceId" and m."id" = e."memoryId"
    join "memory_vector" v on v."workspaceId" = e."workspaceId" and v."memoryId" = e."memoryId"
      and v."fingerprint" = e."fingerprint"
    where e."workspaceId" = ${person.workspaceId} and starts_with(m."title", ${TITLE}) order by m."title"`.execute(
    database.db,
  );
  return rows.map(({ title }) => title);
}

it('no vector is lost, and none is made twice', async () => {
  await expect.poll(() => service.requests.length).toBeGreaterThan(1);
  const before = await embedded();
  expect(before.length).toBeGreaterThan(0);
  expect(before).toEqual(answered.toSorted());
  await server.kill();
  isHolding = false;
  answered = [...before];
  service.requests.length = 0;
  // The database notices the end of a connection a moment later.
  const signs = sql`select 1 from pg_stat_activity
      where "datname" = current_database() and "application_name" = 'loci jobs alive'`;
  await expect.poll(async () => (await signs.execute(database.db)).rows).toEqual([]);
  await server.start();
  const all = Array.from({ length: MEMORIES }, (_, n) => `${TITLE}${n}`).toSorted();
  await expect.poll(embedded).toEqual(all);
  expect(service.texts().filter((text) => before.includes(text))).toEqual([]);
  expect(answered.toSorted()).toEqual(all);
});
