/**
 * Writes over REST while connections to the database break around COMMIT. What is not known to be undone is never run
 * again, a request with a key converges on one write, and a rule that reruns too much is caught.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCast, type Cast } from '#tests/support/build.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createDatabaseProxy, type CommitCut, type DatabaseProxy } from '#tests/support/database-proxy.ts';
import { itLong } from '#tests/support/long-test.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import { Random } from '#tests/sync/random.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const ATTEMPTS = 8;
/** Half of all COMMITs pass. */
const CUTS: readonly (CommitCut | undefined)[] = ['before', 'after', undefined, undefined];

let target: TestDatabase;
let proxy: DatabaseProxy;
let world: World;
let cast: Cast;
beforeAll(async () => {
  target = await createTestDatabase();
  proxy = await createDatabaseProxy(target);
  world = await createWorld({ database: proxy.database, env: { LOG_LEVEL: 'silent' } });
  cast = await createCast(world);
});
afterAll(async () => {
  proxy.onCommit(() => undefined);
  await world.close();
  await proxy.close();
  await target.drop();
});

const post = (title: string, headers: Record<string, string> = {}) =>
  cast.alice.raw('POST', '/v1/memories', { body: { workspaceId: cast.workspaceId, title }, headers });

async function stored(title: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as "count" from "memory" where "title" = ${title}`.execute(target.db);
  return rows[0]?.count ?? 0;
}

/** Cuts the next COMMITs in this order. */
function cutNext(...cuts: CommitCut[]): void {
  proxy.onCommit(() => cuts.shift());
}

describe('a POST whose connection breaks', () => {
  it('after COMMIT is stored once and reported as uncertain', async () => {
    cutNext('after');
    const answer = await post('No key, after');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await stored('No key, after')).toBe(1);
  });

  it('at COMMIT is not run again without a key', async () => {
    cutNext('before');
    expect((await post('No key, before')).status).toBe(503);
    expect(await stored('No key, before')).toBe(0);
  });

  it('after COMMIT returns what was stored, with a key', async () => {
    cutNext('after');
    const first = await post('Key, after', { 'idempotency-key': 'after' });
    expect(first.status).toBe(201);
    expect(await stored('Key, after')).toBe(1);
    const second = await post('Key, after', { 'idempotency-key': 'after' });
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  it('at COMMIT succeeds at once when it is sent again with its key', async () => {
    cutNext('before');
    const headers = { 'idempotency-key': 'before' };
    expect((await post('Key, before', headers)).status).toBe(503);
    expect((await post('Key, before', headers)).status).toBe(201);
    expect(await stored('Key, before')).toBe(1);
  });

  it('everywhere succeeds with its key as soon as the database is back', async () => {
    proxy.pause();
    const first = post('Key, hung', { 'idempotency-key': 'hung' });
    proxy.cut();
    expect((await first).status).toBe(503);
    proxy.resume();
    expect((await post('Key, hung', { 'idempotency-key': 'hung' })).status).toBe(201);
    expect(await stored('Key, hung')).toBe(1);
  });
});

describe('many writers with cuts at random', () => {
  /** Sends one write as a client does: again after 409 and 503 when it has a key, never without one. */
  async function send(title: string, key: string | undefined): Promise<'written' | 'unknown'> {
    for (let attempt = 0; attempt < (key === undefined ? 1 : ATTEMPTS); attempt += 1) {
      const { status } = await post(title, key === undefined ? {} : { 'idempotency-key': key });
      if (status === 201) return 'written';
      expect([409, 503]).toContain(status);
    }
    return 'unknown';
  }

  /** Titles that are stored another number of times than their writer may expect. */
  async function wrongTitles(seed: number): Promise<string[]> {
    const random = new Random(seed);
    proxy.onCommit(() => CUTS[random.between(0, 3)]);
    const wrong: string[] = [];
    const writes = Array.from({ length: 24 }, async (_, index) => {
      const title = `seed ${seed} write ${index}`;
      const outcome = await send(title, index % 2 === 0 ? `${seed}-${index}` : undefined);
      const count = await stored(title);
      if (count > 1 || (outcome === 'written' && count !== 1)) wrong.push(`${title}: ${count}`);
    });
    await Promise.all(writes);
    proxy.onCommit(() => undefined);
    return wrong;
  }

  it.each(IS_WHOLE ? [1, 2, 3] : [1])(
    'stores every acknowledged write once and none twice (seed %i)',
    async (seed) => {
      expect(await wrongTitles(seed)).toEqual([]);
    },
  );

  itLong('is a test that catches a server which runs a write again without proof of a rollback', async () => {
    const { context } = world;
    context.mayRunAgain = () => true;
    try {
      expect(await wrongTitles(4)).not.toEqual([]);
    } finally {
      delete context.mayRunAgain;
    }
  });
});
