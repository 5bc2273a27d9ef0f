/** Whatever is sent to any call, the answer is JSON of the house and never a fault of ours. */
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { BODY_LIMITS } from '#shared/constants.ts';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { failureSchema } from '#shared/define/failure-schema.ts';
import { newId } from '#shared/ids.ts';
import { openSession } from '#server/accounts/sessions.ts';
import { createRaw, signUp, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const rows: readonly [string, AnyEndpoint][] = Object.entries(ENDPOINTS);
const MEGABYTE = 1024 * 1024;

let visitors = 0;
const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } });
const cast = await createCast(world);
const build = createBuild(cast);
const [memory, space, thread] = [await build.memory(), await build.space(), await build.thread()];
const ids: Record<string, string> = { memory: memory.id, space: space.id, thread: thread.id };

/** A fresh session, because calls are counted per session; none for calls that need none. */
async function fresh(row: AnyEndpoint): Promise<RawRequest> {
  if (row.auth === 'public') return createRaw(world);
  const { db, clock } = world.context;
  // Not by a log-in: those are counted for the address, which all here have in common.
  const origin = { address: null, userAgent: undefined };
  return createRaw(world, await openSession(db, { userId: cast.alice.user.id, origin, now: clock.now() }));
}

/** The path of a row with ids that exist, so that input is looked at. */
function pathOf(name: string, row: AnyEndpoint): string {
  const kind = name.split('.')[0] ?? '';
  const values: Record<string, string | undefined> = {
    workspaceId: cast.workspaceId,
    workspaceSlug: cast.slug,
    slug: 'x-y',
    spaceId: ids.space,
    threadId: ids.thread,
    id: ids[kind] ?? newId(kind === 'session' ? 'session' : 'memory'),
  };
  return row.path.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? 'x');
}

const deep = `${'['.repeat(49_000)}${']'.repeat(49_000)}`;
const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n])));

/** Bodies that are wrong in ways a schema must not stumble over. */
function hostileBodies(): string[] {
  const workspaceId = cast.workspaceId;
  const everywhere = (value: unknown) =>
    JSON.stringify({
      workspaceId,
      ...Object.fromEntries(
        [
          'id',
          'title',
          'name',
          'notes',
          'content',
          'query',
          'tags',
          'url',
          'email',
          'password',
          'spaceId',
          'memoryId',
        ]
          .concat([
            'position',
            'visibility',
            'slug',
            'seen',
            'page',
            'perPage',
            'archived',
            'domain',
            'reason',
          ])
          .map((key) => [key, value]),
      ),
    });
  const values: unknown[] = [
    '\u0000',
    '\ud800',
    1e308,
    -1,
    [[]],
    ['a'],
    {},
    { toString: 1 },
    true,
    null,
    'x'.repeat(200_000),
    '\u202e',
    "'; drop table memory; --",
  ];
  return [
    '', 'null', '[]', '"text"', '7', '{', '{"a":}', '\ufeff{}', deep, wide, `{"a":${deep}}`,
    '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}',
    ...values.map(everywhere),
  ]; // prettier-ignore
}

function expectAnswer(
  name: string,
  answer: { status: number; json: unknown; text: string },
  body: string,
): void {
  expect([name, body.slice(0, 60), answer.status < 500 ? 'fine' : answer.text]).toEqual([
    name,
    body.slice(0, 60),
    'fine',
  ]);
  if (answer.status >= 400) expect(failureSchema.safeParse(answer.json).success).toBe(true);
}

describe('hostile bodies', () => {
  // Leaving, deleting and signing out take no body, and would end the test.
  it.each(rows.filter(([, row]) => row.body && row.method !== 'DELETE'))(
    'of %s are refused, not stumbled over',
    async (name, row) => {
      const raw = await fresh(row);
      for (const body of hostileBodies()) {
        const answer = await raw(row.method, pathOf(name, row), { body });
        expectAnswer(name, answer, body);
      }
    },
  );
});

describe('hostile addresses', () => {
  const queries = [
    'perPage=0',
    'perPage=101',
    'perPage=NaN',
    'page=99999999999999999999',
    'orderBy=__proto__',
    'order[]=asc',
    'id=%00',
    'created=..',
    'created=9999-99-99',
    'title=%ED%A0%80',
    `title=${'x'.repeat(3_000)}`,
    'tags=,,,,',
    '__proto__=1',
    'constructor=1',
    'a=%',
    'limit=0',
  ];

  it.each(rows.filter(([, row]) => row.query))('of %s get an answer', async (name, row) => {
    const raw = await fresh(row);
    for (const query of queries) {
      const answer = await raw(row.method, `${pathOf(name, row)}?${query}`);
      expect([name, query, answer.status < 500 ? 'fine' : answer.text]).toEqual([name, query, 'fine']);
    }
  });

  it.each(rows)('of %s with NUL are refused', async (name, row) => {
    const raw = await fresh(row);
    // Visitors are counted by address.
    const get = (path: string) =>
      raw(row.method, path, { headers: { 'x-forwarded-for': `10.3.${visitors >> 8}.${visitors++ & 255}` } });
    for (const parameter of Object.keys(row.query?.shape ?? {})) {
      const { status, json } = await get(`${pathOf(name, row)}?${parameter}=%00`);
      if (status === 404) continue;
      expect([status, json?.error?.detail]).toEqual([400, `${parameter}: Must not hold a null byte`]);
    }
    const [first] = row.path.match(/\{\w+\}/) ?? [];
    if (first === undefined) return;
    const { status, json } = await get(row.path.replace(first, '%00').replace(/\{\w+\}/g, 'x'));
    expect([status, failureSchema.safeParse(json).success]).toEqual([404, true]);
  });

  it.each([
    '/v1/%',
    '/v1/memories/%E0%A4%A',
    '/v1/memories/%00/%00',
    '/v1/%2e%2e/%2e%2e/etc',
    '/v1//',
    '/v1/workspaces/slug/%FF',
    `/v1/${'x/'.repeat(500)}`,
  ])('%s is a plain 400 or 404', async (path) => {
    const { status, json } = await cast.alice.raw('GET', path);
    expect([400, 404]).toContain(status);
    expect(failureSchema.safeParse(json).success).toBe(true);
  });
});

it('a file that cannot be read is refused with words, before it begins', async () => {
  const own = await createWorld({ env: { LOG_LEVEL: 'silent' } });
  const ann = await signUp(own, 'ann');
  await sql`alter table "passkey" rename to "gone"`.execute(own.context.db);
  const { status, json } = await ann.raw('GET', '/v1/auth/export');
  expect([status, json?.error?.code]).toEqual([500, 'internal']);
  await own.close();
});

describe('large bodies', () => {
  it('with too many levels or keys get 400', async () => {
    for (const body of [deep, wide]) {
      const { status } = await cast.alice.raw('POST', '/v1/memories', { body });
      expect(status).toBe(400);
    }
  });
});

describe('bodies of unknown callers', () => {
  const anonymous = rows.filter(([, row]) => row.auth === 'public' && row.method !== 'GET');

  it('are the calls that need no log-in', () => {
    expect(anonymous.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'public_thread.create',
        'public_message.rate',
        'newsletter.create',
        'auth.login',
      ]),
    );
  });

  it.each(anonymous)('of %s may have 4 kB, also when they travel small', async (name, row) => {
    const send = (bytes: number, isPacked: boolean) => {
      const body = JSON.stringify({ filling: 'x'.repeat(bytes - '{"filling":""}'.length) });
      return fetch(world.url + pathOf(name, row), {
        method: row.method,
        headers: {
          'content-type': 'application/json',
          ...(isPacked && { 'content-encoding': 'gzip' }),
        },
        body: isPacked ? new Uint8Array(gzipSync(body)) : body,
      });
    };
    const answers = [
      await send(BODY_LIMITS.anonymous + 1, false),
      await send(BODY_LIMITS.anonymous + 1, true),
      await send(MEGABYTE, true),
    ];
    for (const answer of answers) {
      expect([name, answer.status]).toEqual([name, 413]);
      expect(await answer.json()).toEqual({
        success: false,
        error: {
          message: 'Content Too Large',
          code: 'too_large',
          detail: 'The request body may have 4 kB at most',
        },
      });
    }
    expect([name, (await send(BODY_LIMITS.anonymous, false)).status]).not.toEqual([name, 413]);
  });
});

describe('too many calls', () => {
  it('get 429 with the seconds to wait, per session', async () => {
    const zoe = await signUp(world, 'zoe');
    const { result } = await zoe.api('workspace.create', { body: { name: 'Zoe' } });
    const body = { workspaceId: result.id, query: 'x' };
    let last = await zoe.raw('POST', '/v1/memories/search', { body });
    expect(last.headers.get('ratelimit-limit')).toBe('60');
    for (let n = 0; n < 60; n += 1) last = await zoe.raw('POST', '/v1/memories/search', { body });
    expect([last.status, last.json?.error?.code]).toEqual([429, 'rate_limited']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await cast.alice.raw('GET', '/v1/auth/whoami')).status).toBe(200);
  });
});
