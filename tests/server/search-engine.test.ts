/**
 * The index on the server: it finds what devices find, sees every acknowledged write, never what a person may not read,
 * and is not needed for an answer.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';
import { searchDocumentOf } from '#shared/search/memory-document.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import { IndexCache } from '#server/search/index-cache.ts';
import { readReaderRealm } from '#server/search/search-rows.ts';
import { readWordVectors } from '#server/search/word-vectors.ts';
import { TIMEOUTS } from '#server/limits.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { enlarge } from '#server/sync/readers/dependants.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createApi, TEST_PASSWORD, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { corpusNotes, KEYWORD_QUERIES, QUESTIONS } from '#tests/support/note-corpus.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';
import { describeLong } from '#tests/support/long-test.ts';

const wordVectors = readWordVectors();

const QUERIES = 500;

const world = await openWorld();

/** A page of titles as the indexes find it; undefined when no worker answered. */
async function fromIndex(
  { workspaceId }: Cast,
  { user }: Agent,
  query: string,
  at = world,
  indexMs?: number,
) {
  const plan = planSearch(parseSearchQuery(query));
  const request = { workspaceId, userId: user.id, plan, conditions: {}, page: 1, perPage: 10 };
  const found = await at.context.search.find(request, indexMs);
  return found?.hits.map(({ id }) => id);
}

/** The same as soon as a worker answers: the first search may find it still starting. */
async function surelyFromIndex(cast: Cast, who: Agent, query: string, at = world): Promise<string[]> {
  for (;;) {
    const found = await fromIndex(cast, who, query, at);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describeLong('server and device', () => {
  it(`have the same ten first for ${QUERIES} queries`, async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    const index = SearchIndex.build([]);
    for (const { title, notes, tags, url } of corpusNotes()) {
      const row = await build.memory({ title, notes, tags, url: url ?? null });
      index.upsert(searchDocumentOf({ ...row, notes }, []));
    }
    await surelyFromIndex(cast, cast.alice, 'warm');
    const queries = someQueries(QUERIES);
    expect(queries).toHaveLength(QUERIES);
    let api = cast.alice.api;
    for (const [turn, query] of queries.entries()) {
      // Searches are counted per session.
      if (turn % 55 === 54) {
        const { email } = cast.alice.user;
        const { result } = await createApi(world)('auth.login', { body: { email, password: TEST_PASSWORD } });
        api = createApi(world, result.token);
      }
      const there = async () => {
        const { result } = await api('memory.search', {
          body: { workspaceId: cast.workspaceId, query, perPage: 10 },
        });
        return result.map(({ id }) => id);
      };
      const here = index.search(query, { limit: 10, wordVectors }).hits.map(({ id }) => id);
      // While no worker is free, the database answers in its own order.
      await expect.poll(there, { message: query, interval: 500 }).toEqual(here);
    }
  });
});

/** Keywords, questions, beginnings and slips, drawn from the notes in a fixed order. */
function someQueries(count: number): string[] {
  const fixed = [...KEYWORD_QUERIES, ...QUESTIONS].map(([query]) => query);
  const drawn = corpusNotes().flatMap(({ notes, title }) => {
    const words = [...new Set(termsOf(notes))].filter((word) => word.length > 3);
    const at = (place: number): string => words[place % Math.max(1, words.length)] ?? 'nothing';
    return [
      at(3),
      `${at(5)} ${at(11)}`,
      `${at(7)} ${at(1)} ${at(13)}`,
      `what did I write about ${at(2)} ${at(9)}`,
      `how do I ${title}`,
      at(17).slice(0, 4),
      `${at(4).slice(1, 2)}${at(4).slice(0, 1)}${at(4).slice(2)}`,
      `"${words.slice(6, 8).join(' ')}"`,
      `title:${termsOf(title)[0] ?? 'note'} ${at(8)}`,
      `${at(6)} -${at(3)}`,
    ];
  });
  const asks = (query: string): boolean => planSearch(parseSearchQuery(query)).required.length > 0;
  const queries = [...new Set([...fixed, ...drawn])].filter(asks);
  return Array.from({ length: count }, (_, turn) => queries[turn % queries.length] ?? '');
}

describe('a write', () => {
  it('is found by the next search on another server', async () => {
    const other = await createWorld({ database: world.database });
    try {
      const cast = await createCast(world);
      const build = createBuild(cast);
      await surelyFromIndex(cast, cast.bob, 'x', other);
      for (let turn = 0; turn < 40; turn += 1) {
        const { id } = await build.memory({ title: `Lighthouse number ${turn}` });
        expect(await fromIndex(cast, cast.bob, `"lighthouse number ${turn}"`, other)).toEqual([id]);
        if (turn % 4 !== 0) continue;
        const params = { workspaceId: cast.workspaceId, id };
        await cast.alice.api('memory.update', { params, body: { title: `Beacon ${turn}` } });
        expect(await fromIndex(cast, cast.bob, `"lighthouse number ${turn}"`, other)).toEqual([]);
        expect(await fromIndex(cast, cast.bob, `"beacon ${turn}"`, other)).toEqual([id]);
      }
    } finally {
      await other.close();
    }
  });
});

describe('what a person may not read', () => {
  it.each(['private', 'custom', 'private_and_guests'] as const)(
    'is not found in a %s space, and is or is no more at the next search after a change',
    async (visibility) => {
      const cast = await createCast(world);
      const build = createBuild(cast);
      const { workspaceId, alice, bob } = cast;
      const space = await build.space({ name: 'Drawer', visibility });
      const { id } = await build.memory({ title: 'Quicksilver ledger', spaceId: space.id });
      expect(await surelyFromIndex(cast, bob, 'quicksilver')).toEqual([]);
      expect(await surelyFromIndex(cast, alice, 'quicksilver')).toEqual([id]);
      const params = { workspaceId, id: space.id };
      await alice.api('space.update', { params, body: { visibility: 'workspace' } });
      expect(await fromIndex(cast, bob, 'quicksilver')).toEqual([id]);
      await alice.api('space.update', { params, body: { visibility } });
      expect(await fromIndex(cast, bob, 'quicksilver')).toEqual([]);
      expect(await fromIndex(cast, alice, 'quicksilver')).toEqual([id]);
      const { result, meta } = await bob.api('memory.search', {
        body: { workspaceId, query: 'quicksilver' },
      });
      expect([result, meta.total]).toEqual([[], 0]);
    },
  );

  it('is found once in large spaces, which have indexes of their own, and not when they are closed', async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    const { workspaceId, alice, bob } = cast;
    const [home, shelf] = [await build.space({ name: 'Home' }), await build.space({ name: 'Shelf' })];
    const { id } = await build.memory({ title: 'Meridian line', spaceId: home.id });
    const common = await build.memory({ title: 'Meridian common' });
    for (const memoryId of [id, common.id]) await build.link(shelf.id, memoryId);
    await writeInRealm(world.context, workspaceId, systemActor, async (tx) => {
      for (const space of [home, shelf]) await enlarge(tx, workspaceId, space.id);
    });
    const both = [id, common.id].sort();
    const filed = async (who: Agent) => {
      const body = { workspaceId, query: 'meridian', spaceIds: [shelf.id] };
      const { result, meta } = await who.api('memory.search', { body });
      return [result.map((row) => row.id).sort(), meta.total];
    };
    for (const who of [alice, bob]) {
      expect((await surelyFromIndex(cast, who, 'meridian')).sort()).toEqual(both);
      expect(await filed(who)).toEqual([both, 2]);
    }
    const close = (spaceId: Id<'space'>) =>
      alice.api('space.update', { params: { workspaceId, id: spaceId }, body: { visibility: 'private' } });
    await close(home.id);
    expect((await fromIndex(cast, bob, 'meridian'))?.sort()).toEqual(both);
    await close(shelf.id);
    expect(await fromIndex(cast, bob, 'meridian')).toEqual([common.id]);
    expect(await filed(bob)).toEqual([[], 0]);
    expect((await fromIndex(cast, alice, 'meridian'))?.sort()).toEqual(both);
    expect(await filed(alice)).toEqual([both, 2]);
  });

  it('changes no score: what a person finds is ranked by what that person reads', async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    await build.memory({ title: 'Kelp forest' });
    await build.memory({ title: 'Tide table' });
    const scores = async () => {
      const plan = planSearch(parseSearchQuery('kelp'));
      const { workspaceId, bob } = cast;
      const request = { workspaceId, userId: bob.user.id, plan, conditions: {}, page: 1, perPage: 10 };
      return (await world.context.search.find(request))?.hits.map(({ score }) => score);
    };
    await surelyFromIndex(cast, cast.bob, 'kelp');
    const before = await scores();
    const diary = await build.space({ name: 'Diary', visibility: 'private' });
    for (let n = 0; n < 5; n += 1) await build.memory({ title: `Kelp secret ${n}`, spaceId: diary.id });
    expect(await scores()).toEqual(before);
  });

  it('includes everything once the person has left', async () => {
    const cast = await createCast(world);
    await createBuild(cast).memory({ title: 'Farewell speech' });
    expect(await surelyFromIndex(cast, cast.bob, 'farewell')).toHaveLength(1);
    const params = { workspaceId: cast.workspaceId, id: cast.bob.user.id };
    await cast.alice.api('workspace_member.remove', { params });
    expect(await fromIndex(cast, cast.bob, 'farewell')).toEqual([]);
  });
});

describe('without an index', () => {
  it('a search is answered: when a worker is killed under it, and while it is down', async () => {
    const cast = await createCast(world);
    await createBuild(cast).memory({ title: 'Phoenix feather' });
    await surelyFromIndex(cast, cast.bob, 'phoenix');
    const body = { workspaceId: cast.workspaceId, query: 'phoenix' };
    const running = Array.from({ length: 5 }, () => cast.bob.api('memory.search', { body }));
    for (const thread of world.context.search.threads()) void thread.terminate();
    for (const { result } of await Promise.all(running)) expect(result).toHaveLength(1);
    expect((await cast.bob.api('memory.search', { body })).result).toHaveLength(1);
    expect(await surelyFromIndex(cast, cast.bob, 'phoenix')).toHaveLength(1);
  });

  it('a search for an answer waits longer for it than one for a person who types', async () => {
    const cast = await createCast(world);
    await createBuild(cast).memory({ title: 'Slow snail' });
    await surelyFromIndex(cast, cast.bob, 'warm');
    await createBuild(cast).memory({ title: 'Late snail' });
    const answer = await world.context.db.transaction().execute(async (trx) => {
      // Read by the index before it follows the feed.
      await sql`lock table "sync_audience_member" in access exclusive mode`.execute(trx);
      const found = fromIndex(cast, cast.bob, 'snail', world, TIMEOUTS.answerIndex);
      expect(await fromIndex(cast, cast.bob, 'snail')).toBeUndefined();
      return { found };
    });
    expect(await answer.found).toHaveLength(2);
  });

  it('a search is answered, with the same access, where no memory is allowed for indexes', async () => {
    const small = await createWorld({ database: world.database, env: { SEARCH_MEMORY_MB: '0' } });
    try {
      const cast = await createCast(world);
      const build = createBuild(cast);
      const diary = await build.space({ name: 'Diary', visibility: 'private' });
      await build.memory({ title: 'Gravel path', notes: 'with lavender' });
      await build.memory({ title: 'Gravel secret', spaceId: diary.id });
      expect(await fromIndex(cast, cast.bob, 'gravel', small)).toBeUndefined();
      const api = createApi(small, cast.bob.token);
      for (const query of ['gravel', 'gravel lavender', 'lavender zebra']) {
        const { result, meta } = await api('memory.search', {
          body: { workspaceId: cast.workspaceId, query },
        });
        expect([query, result.map(({ title }) => title), meta.total]).toEqual([query, ['Gravel path'], 1]);
      }
    } finally {
      await small.close();
    }
  });
});

describeLong('the cache of indexes', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loci-indexes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('releases what was used longest ago, and stores what is large without words of what was removed', async () => {
    const db = world.context.db;
    const casts = [await createCast(world), await createCast(world)];
    const realms: {
      audienceId: string;
      realm: NonNullable<Awaited<ReturnType<typeof readReaderRealm>>>;
    }[] = [];
    for (const cast of casts) {
      await seedMany(cast, 2_100);
      const realm = await readReaderRealm(db, cast.workspaceId, cast.alice.user.id);
      if (!realm) throw new Error('The workspace has no realm');
      realms.push({ audienceId: `w:${cast.workspaceId}`, realm });
    }
    const roomy = new IndexCache({ db, folder, capacity: 1e9 });
    for (const { audienceId, realm } of realms) await roomy.current(audienceId, realm);
    const both = roomy.byteLength;
    const tight = new IndexCache({ db, folder, capacity: both * 0.75 });
    for (const { audienceId, realm } of [...realms, ...realms]) {
      expect(await tight.current(audienceId, realm)).toBeDefined();
      expect(tight.byteLength).toBeLessThanOrEqual(both * 0.75);
    }
    await roomy.maintain();
    expect(readdirSync(folder)).toHaveLength(2);
    // From the file, without the rows: a database that holds no memory of the audience does not matter.
    const reopened = new IndexCache({ db, folder, capacity: 1e9 });
    const [first] = realms;
    if (!first) throw new Error('There are two realms');
    const index = await reopened.current(first.audienceId, first.realm);
    expect(index?.segments.reduce((sum, segment) => sum + segment.liveCount, 0)).toBe(2_100);
    const tiny = new IndexCache({ db, folder, capacity: 10_000 });
    expect(await tiny.current(first.audienceId, first.realm)).toBeUndefined();
  });

  it('removes the file of an audience without readers', async () => {
    expect(readdirSync(folder)).toHaveLength(2);
    await world.context.db.deleteFrom('sync_audience_member').execute();
    await new IndexCache({ db: world.context.db, folder, capacity: 1e9 }).sweep();
    expect(readdirSync(folder)).toEqual([]);
  });
});

async function seedMany({ workspaceId, alice }: Cast, count: number): Promise<void> {
  const created = '2026-01-01T00:00:00.000Z';
  const userId = alice.user.id;
  await writeInRealm(world.context, workspaceId, systemActor, (tx) =>
    tx.insertMany(
      'memory',
      Array.from({ length: count }, (_, n) => ({
        id: newId('memory'),
        workspaceId,
        ownerId: userId,
        createdBy: userId,
        lastEditedBy: userId,
        ...({
          spaceId: null,
          type: 'note',
          origin: 'import',
          contentStatus: 'completed',
          metadata: {},
        } as const),
        title: `Stone ${n}`,
        tags: [],
        description: null,
        summary: null,
        url: null,
        notes: null,
        bodyHash: null,
        bodyBytes: 0,
        screenshot: null,
        filename: null,
        uploadId: null,
        archived: false,
        created,
        updated: created,
        deletedAt: null,
      })),
    ),
  );
}
