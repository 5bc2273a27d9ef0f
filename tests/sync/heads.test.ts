/** Values of a pull, written by the database: each is the row as the rest of the server reads it, of every kind. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { loadHeads } from '#server/sync/heads.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { ENTITIES, SYNCED, type SyncedKind } from '#shared/entities.ts';
import { entityIdOf } from '#shared/kinds.ts';
import { newId } from '#shared/ids.ts';
import { memoryHead } from '#shared/memories/memory.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);
const space = await build.space({ name: 'Quotes " and \\ and \u2028' });
const memory = await build.memory({ title: 'A "title"\n\t\u0001', notes: 'ä€🙂', tags: ['a "b', '{c}'] });
await build.memory({ notes: '🙂'.repeat(SYNC.inlineNotesBytes) });
await build.link(space.id, memory.id);
const thread = await build.thread({});
await cast.alice.api('message.create', {
  params: { workspaceId: cast.workspaceId, threadId: thread.id },
  body: { content: 'Hello' },
});
const { user, raw } = cast.alice;
const at = world.clock.now().toISOString();
await raw('POST', `/v1/sync/${cast.workspaceId}/push`, {
  body: {
    pushVersion: 1,
    schemaVersion: SYNC.schemaVersion,
    profileID: 'p',
    clientGroupID: newId('session'),
    mutations: [
      {
        clientID: 'the-client',
        id: 1,
        timestamp: 1,
        name: 'sidebar.pin',
        args: {
          at,
          spaceIds: [space.id],
        },
      },
    ],
  },
});
expect(await world.context.db.selectFrom('sidebar').select('userId').execute()).toEqual([
  { userId: user.id },
]);

const kinds = Object.keys(SYNCED).filter((kind): kind is SyncedKind => kind in SYNCED);

it.each(kinds)('a %s is sent as its row', async (kind) => {
  const { db } = world.context;
  const here = kind === 'workspace_member' ? sql`where "workspaceId" = ${cast.workspaceId}` : sql``;
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(kind)} ${here}`.execute(db);
  const refs = rows.map((row) => ({ kind, entityId: entityIdOf(kind, row) }));
  const values = await loadHeads(db, cast.workspaceId, refs);
  const fields = Object.keys(kind === 'memory' ? memoryHead.shape : ENTITIES[kind].row.shape);
  for (const [index, row] of rows.entries()) {
    const value: unknown = JSON.parse(values[index] ?? 'null');
    const expected = Object.fromEntries(fields.map((field) => [field, row[field]]));
    if (kind === 'memory') {
      const isLong = Number(row['bodyBytes']) > SYNC.inlineNotesBytes;
      expected['beginning'] = isLong
        ? [...String(row['notes'])].slice(0, SYNC.beginningLength).join('')
        : null;
      if (isLong) expected['notes'] = null;
    }
    expect(value).toMatchObject(expected);
  }
  expect([kind, values.filter((json) => json !== null).length]).toEqual([kind, rows.length]);
});
