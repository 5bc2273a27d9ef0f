/**
 * Every row of the table of calls against the running server: 401 without a token, 403 for strangers, and a real answer
 * that is exactly what the row documents. A new row without a scene here fails.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPath, listMeta, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '#shared/endpoints.ts';
import { failureSchema } from '#shared/define/failure-schema.ts';
import { newId } from '#shared/ids.ts';
import { createRaw, TEST_PASSWORD, type RawAnswer, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const rows: readonly [string, AnyEndpoint][] = Object.entries(ENDPOINTS);

let world: World;
let cast: Cast;
beforeAll(async () => {
  world = await createWorld();
  cast = await createCast(world);
});
afterAll(() => world.close());

/** Something of the right form for every path parameter. */
function anyParams(): Record<string, string> {
  return {
    workspaceId: cast.workspaceId,
    workspaceSlug: 'x-y',
    slug: 'x-y',
    spaceId: newId('space'),
    threadId: newId('thread'),
  };
}

function idFor(name: string): string {
  const kinds = { memory: 'memory', space: 'space', thread: 'thread', message: 'message' } as const;
  if (name.startsWith('session')) return newId('session');
  if (name.startsWith('notification')) return newId('notification');
  if (name.startsWith('import')) return newId('upload');
  if (name.startsWith('workspace_member')) return newId('user');
  if (name.startsWith('space_memory')) return newId('memory');
  const kind = Object.values(kinds).find((each) => name.split('.')[0]?.endsWith(each));
  return newId(kind ?? 'memory');
}

async function send(
  raw: RawRequest,
  name: string,
  { params = {}, query = '', body }: Scene,
): Promise<RawAnswer> {
  const row: AnyEndpoint | undefined = rows.find(([each]) => each === name)?.[1];
  if (!row) throw new Error(`There is no ${name}`);
  return raw(row.method, `${fillPath(row.path, { ...anyParams(), id: idFor(name), ...params })}${query}`, {
    body,
  });
}

interface Scene {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
}

describe('without a token', () => {
  it.each(rows.filter(([, { auth }]) => auth !== 'public'))('%s answers 401', async (name) => {
    const { status, json } = await send(createRaw(world), name, {});
    expect(status).toBe(401);
    expect(failureSchema.parse(json).error.code).toBe('unauthorized');
  });

  it.each(rows.filter(([, { auth }]) => auth !== 'public'))(
    '%s answers 401 to a token that is none',
    async (name) => {
      const { status } = await send(createRaw(world, 'x'.repeat(43)), name, {});
      expect(status).toBe(401);
    },
  );
});

describe('from outside the workspace', () => {
  it.each(rows.filter(([, { auth }]) => auth === 'member'))(
    '%s answers 403, for unknown ones too',
    async (name, row) => {
      if (!row.path.includes('{workspaceId}')) return expectRefusedBody(name);
      const real = await send(cast.eve.raw, name, {});
      const unknown = await send(cast.eve.raw, name, { params: { workspaceId: newId('workspace') } });
      expect(real.status).toBe(403);
      expect(unknown.text).toBe(real.text);
    },
  );

  /** The workspace stands in the body, so the body has to be complete before anybody looks. */
  async function expectRefusedBody(name: string): Promise<void> {
    const ids = { spaceId: newId('space'), memoryId: newId('memory'), threadId: newId('thread') };
    const given = { title: 'x', name: 'x', query: 'x', messageId: newId('message'), value: 1, ...ids };
    const { status } = await send(cast.eve.raw, name, { body: { ...given, workspaceId: cast.workspaceId } });
    expect(status).toBe(403);
  }
});

/** Rows that other test files call with success, because they need more than a request. */
const ELSEWHERE = /^(public_|report\.|import\.|space\.clone|export\.|message\.(rate|export)|thread\.follow)/;

describe('each call', () => {
  it('answers exactly what its row documents', async () => {
    const answered = new Set<string>();
    for (const [name, scene] of await scenes()) {
      const { raw = cast.alice.raw, ...request } = scene;
      const answer = await send(raw, name, request);
      checkAnswer(name, answer);
      answered.add(name);
    }
    const missing = rows.map(([name]) => name).filter((name) => !answered.has(name) && !ELSEWHERE.test(name));
    expect(missing).toEqual([]);
  });

  function checkAnswer(name: EndpointName, answer: RawAnswer): void {
    const row: AnyEndpoint = ENDPOINTS[name];
    expect([name, answer.status, answer.json?.error?.detail]).toEqual([name, row.status ?? 200, undefined]);
    if (row.answer === 'file') return expect(row.result.parse(answer.text)).toBe(answer.text);
    const wrapped = row.answer === undefined || row.answer === 'json';
    const result: unknown = wrapped ? answer.json?.result : answer.json;
    expect([name, row.result.parse(result)]).toEqual([name, result]);
    if (wrapped) expect(answer.json?.success).toBe(true);
    if (row.list) listMeta.parse(answer.json?.meta);
    if (name.endsWith('create') && row.auth === 'member')
      expect(answer.json?.meta?.syncVersion).toBeGreaterThan(0);
    return undefined;
  }

  /** In an order in which each finds what it needs. */
  async function scenes(): Promise<[EndpointName, Scene & { raw?: RawRequest }][]> {
    const { workspaceId, alice, bob } = cast;
    const build = createBuild(cast);
    const [space, shelf, doomed] = [
      await build.space(),
      await build.space(),
      await build.space({ name: 'Doomed' }),
    ];
    const [memory, linked, lost] = [
      await build.memory({ notes: 'text', tags: ['tag'] }),
      await build.memory(),
      await build.memory(),
    ];
    const [thread, other] = [await build.thread(), await build.thread()];
    await build.link(shelf.id, linked.id);
    const message = await alice.api('message.create', {
      params: { workspaceId, threadId: thread.id },
      body: { content: 'hello' },
    });
    await alice.api('workspace_member.update', {
      params: { workspaceId, id: bob.user.id },
      body: { position: 'admin' },
    });
    const notice = (await bob.api('notification.list', {})).result[0]?.id ?? '';
    const sessions = await bob.api('session.list', {});
    const inThread = { threadId: thread.id, id: message.result.message.id };
    const email = `scene-${newId('session').slice(0, 6)}@example.com`;
    return [
      ['auth.signup', { body: { email, password: TEST_PASSWORD } }],
      ['auth.login', { body: { email, password: TEST_PASSWORD } }],
      ['auth.whoami', {}],
      ['auth.update', { body: { forename: 'Alice' } }],
      ['session.list', {}],
      ['session.get', { raw: bob.raw, params: { id: sessions.result[0]?.id ?? '' } }],
      ['workspace.list', {}],
      ['workspace.create', { body: { name: 'Second' } }],
      ['workspace.get', {}],
      ['workspace.get_by_slug', { params: { slug: cast.slug } }],
      ['workspace.usage', {}],
      ['workspace.replace', { body: { name: 'Acme', slug: cast.slug } }],
      ['workspace.update', { body: { name: 'Acme' } }],
      ['workspace_member.list', {}],
      ['workspace_member.get', { params: { id: bob.user.id } }],
      ['workspace_member.update', { params: { id: bob.user.id }, body: { position: 'member' } }],
      ['memory.list', {}],
      ['memory.random', {}],
      ['memory.create', { body: { workspaceId, url: 'https://example.com/contract' } }],
      ['memory.search', { body: { workspaceId, query: 'memory' } }],
      ['memory.get', { params: { id: memory.id } }],
      ['memory.body', { params: { id: memory.id } }],
      ['memory.replace', { params: { id: memory.id }, body: { title: 'x' } }],
      ['memory.update', { params: { id: memory.id }, body: { tags: ['y'] } }],
      ['memory.remove', { params: { id: lost.id } }],
      ['tag.list', {}],
      ['space.list', {}],
      ['space.get_by_slug', { params: { workspaceSlug: cast.slug, slug: space.slug } }],
      ['space.create', { body: { workspaceId, name: 'Third' } }],
      ['space.search', { body: { workspaceId, query: 'space' } }],
      ['space.get', { params: { id: space.id } }],
      ['space.replace', { params: { id: space.id }, body: { name: 'x', slug: 'x-1' } }],
      ['space.update', { params: { id: space.id }, body: { color: 'sky' } }],
      ['space.remove', { params: { id: doomed.id } }],
      ['space_memory.list', {}],
      ['space_memory.create', { body: { workspaceId, spaceId: space.id, memoryId: memory.id } }],
      ['space_memory.remove', { params: { spaceId: shelf.id, id: linked.id } }],
      ['visibility.list', {}],
      ['thread.list', {}],
      ['thread.create', { body: { workspaceId, content: 'first' } }],
      ['thread.search', { body: { workspaceId, query: 'hello' } }],
      ['thread.get', { params: { id: thread.id } }],
      ['thread.replace', { params: { id: thread.id }, body: { name: 'x' } }],
      ['thread.update', { params: { id: thread.id }, body: { name: 'y' } }],
      ['thread.remove', { params: { id: other.id } }],
      ['message.list', { params: inThread }],
      ['message.create', { params: inThread, body: { content: 'again' } }],
      ['message.get', { params: inThread }],
      ['notification.list', { raw: bob.raw }],
      ['notification.get', { raw: bob.raw, params: { id: notice } }],
      ['notification.update', { raw: bob.raw, params: { id: notice }, body: { seen: true } }],
      ['notification.remove', { raw: bob.raw, params: { id: notice } }],
      ['scope.list', {}],
      ['openapi.get', {}],
      ['avatar.get', { query: '?email=a@example.com' }],
      ['newsletter.create', { body: { email } }],
      ['workspace_member.remove', { params: { id: bob.user.id } }],
      ['session.remove', { raw: bob.raw, params: { id: sessions.result[0]?.id ?? '' } }],
      ['workspace.remove', {}],
      ['workspace.list_deleted', {}],
      ['workspace.restore', {}],
      ['auth.logout', {}],
      ['auth.remove', { raw: cast.rita.raw }],
    ]; // prettier-ignore
  }
});
