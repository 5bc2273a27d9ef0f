/** Pages far down a long list of memories, which begin at a row that is known from an earlier walk over the list. */
import { expect, it } from 'vitest';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();

it('shows far pages as the same parts of the list in both orders, also right after a write', async () => {
  const own = await createCast(world);
  const { workspaceId } = own;
  const made = createBuild(own);
  const one = await made.memory({ title: 'The first of many' });
  const row = await world.context.db
    .selectFrom('memory')
    .selectAll()
    .where('id', '=', one.id)
    .executeTakeFirstOrThrow();
  // Three memories share each moment, so that places are decided by the id too.
  const rows = Array.from({ length: 1_300 }, (_, n) => ({
    ...row,
    id: newId('memory'),
    title: `Copy ${n}`,
    created: new Date(Date.parse(row.created) - Math.floor(n / 3) * 1e3).toISOString(),
  }));
  await writeInRealm(world.context, workspaceId, systemActor, (tx) => tx.insertMany('memory', rows));
  const page = async (number: number, query: Record<string, string> = {}) => {
    const given = { perPage: '100', page: String(number), ...query };
    const { result, meta } = await own.bob.api('memory.list', { params: { workspaceId }, query: given });
    expect([number, meta.total]).toEqual([number, await countNow()]);
    return result.map(({ id }) => id);
  };
  const countNow = async () => {
    const found = await world.context.db
      .selectFrom('memory')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('workspaceId', '=', workspaceId)
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow();
    return found.total;
  };
  for (const order of ['asc', 'desc'] as const) {
    const all = await world.context.db
      .selectFrom('memory')
      .select('id')
      .where('workspaceId', '=', workspaceId)
      .orderBy('created', order)
      .orderBy('id', order)
      .execute();
    for (const number of [1, 6, 7, 13, 14, 15])
      expect(await page(number, { order })).toEqual(
        all.slice((number - 1) * 100, number * 100).map(({ id }) => id),
      );
  }
  const [before = '', after = ''] = [(await page(12))[99], (await page(13))[0]];
  const newest = (await page(1))[0] ?? '';
  await own.alice.api('memory.remove', { params: { workspaceId, id: newest as Id<'memory'> } });
  expect([(await page(12))[99], (await page(12))[98]]).toEqual([after, before]);
});
