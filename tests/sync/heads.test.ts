/** Values of a pull, written by the database: each is the row as the rest of the server reads it, of every kind. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadHeads } from '#server/sync/heads.ts';
import { SYNC } from '#shared/constants.ts';
import { ENTITIES, SYNCED, type SyncedKind } from '#shared/entities.ts';
import { memoryHead } from '#shared/memories/memory.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createWorld, type World } from '#tests/support/world.ts';

let world: World;
let cast: Cast;
beforeAll(async () => {
  world = await createWorld();
  cast = await createCast(world);
  const build = createBuild(cast);
  const space = await build.space({ name: 'Quotes " and \\ and \u2028' });
  const memory = await build.memory({ title: 'A "title"\n\t\u0001', notes: 'ä€🙂', tags: ['a "b', '{c}'] });
  await build.memory({ notes: 'x'.repeat(SYNC.inlineNotesBytes + 1) });
  await build.link(space.id, memory.id);
  const thread = await build.thread({});
  await cast.alice.api('message.create', {
    params: { workspaceId: cast.workspaceId, threadId: thread.id },
    body: { content: 'Hello' },
  });
});
afterAll(() => world.close());

const kinds = Object.keys(SYNCED).filter((kind): kind is SyncedKind => kind in SYNCED);

it.each(kinds)('a %s is sent as its row', async (kind) => {
  const { db } = world.context;
  const here = kind === 'workspace_member' ? sql`where "workspaceId" = ${cast.workspaceId}` : sql``;
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(kind)} ${here}`.execute(db);
  const idOf = (row: Record<string, unknown>) =>
    kind === 'space_memory'
      ? `${String(row['spaceId'])}/${String(row['memoryId'])}`
      : String(kind === 'workspace_member' ? row['userId'] : row['id']);
  const refs = rows.map((row) => ({ kind, entityId: idOf(row) }));
  const values = await loadHeads(db, cast.workspaceId, refs);
  const fields = Object.keys(kind === 'memory' ? memoryHead.shape : ENTITIES[kind].row.shape);
  for (const [index, row] of rows.entries()) {
    const value: unknown = JSON.parse(values[index] ?? 'null');
    const expected = Object.fromEntries(fields.map((field) => [field, row[field]]));
    if (kind === 'memory' && Number(row['bodyBytes']) > SYNC.inlineNotesBytes) expected['notes'] = null;
    expect(value).toMatchObject(expected);
  }
  expect([kind, values.filter((json) => json !== null).length]).toEqual([kind, rows.length]);
});
