/**
 * Every operation of the OpenAPI document against the running server, driven by the document alone: right answers, missing
 * and wrong fields by name, 401, 403, 404, paging, filters and order. It fails when the two disagree.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPath } from '#shared/define/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { createRaw, type RawAnswer, type RawRequest } from '#tests/support/agent.ts';
import { readDocument, type DocumentSchema, type Operation } from '#tests/support/api-document.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { createScenes } from '#tests/support/scenes.ts';
import { createWorld, type World } from '#tests/support/world.ts';

let world: World;
let cast: Cast;
let operations: Operation[];
beforeAll(async () => {
  world = await createWorld({ env: { EGRESS: 'public' } });
  cast = await createCast(world);
  // Those of standards are driven beside this, in protocol.test.ts.
  operations = (await readDocument(world)).filter(({ isProtocol }) => !isProtocol);
});
afterAll(() => world.close());

/** A class of calls that one person may make often is counted per server, so each group has one of its own. */
async function withFreshLimits(run: (fresh: World) => Promise<void>): Promise<void> {
  const fresh = await createWorld({ database: world.database });
  try {
    await run(fresh);
  } finally {
    await fresh.close();
  }
}

function send(raw: RawRequest, operation: Operation, given: Given = {}): Promise<RawAnswer> {
  const { params = {}, query = '', body } = given;
  // The ids of the document's examples name nothing.
  const shown = operation.parameters.flatMap(({ name, in: place, example }) =>
    place === 'path' ? [[name, example]] : [],
  );
  const { workspaceId } = cast;
  const path = fillPath(operation.path, { ...Object.fromEntries(shown), workspaceId, ...params });
  return raw(operation.method, `${path}${query}`, { body });
}

interface Given {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
}

/** Collects what differs, so that one run names every fault. */
function faults(): { list: string[]; note(operation: Operation, fault: string | undefined): void } {
  const list: string[] = [];
  return {
    list,
    note({ name }, fault) {
      if (fault !== undefined) list.push(`${name}: ${fault}`);
    },
  };
}

describe('refusals', () => {
  it('401 comes without a token, in the documented form', () =>
    withFreshLimits(async (fresh) => {
      const { list, note } = faults();
      for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
        const answer = await send(createRaw(fresh), operation);
        note(
          operation,
          answer.status === 401 ? operation.faultOf(answer) : `${answer.status} instead of 401`,
        );
      }
      expect(list).toEqual([]);
    }));

  it('403 comes to strangers of a workspace, in the documented form', () =>
    withFreshLimits(async (fresh) => {
      const { list, note } = faults();
      const ofWorkspaces = operations.filter(
        ({ isPublic, parameters, name }) =>
          !isPublic &&
          name !== 'invite.get' &&
          !/^(connected_app|workspace\.restore)/.test(name) &&
          parameters.some((each) => each.in === 'path' && each.name === 'workspaceId'),
      );
      expect(ofWorkspaces.length).toBeGreaterThan(40);
      const raw = createRaw(fresh, cast.eve.token);
      for (const operation of ofWorkspaces) {
        const answer = await send(raw, operation, { body: operation.body && {} });
        note(
          operation,
          answer.status === 403 ? operation.faultOf(answer) : `${answer.status} instead of 403`,
        );
      }
      expect(list).toEqual([]);
    }));

  it('404 comes for ids that name nothing and for ids of another kind, in the documented form', () =>
    withFreshLimits(async (fresh) => {
      const { list, note } = faults();
      const ofRows = operations.filter(({ parameters }) =>
        parameters.some((each) => each.in === 'path' && each.name === 'id'),
      );
      expect(ofRows.length).toBeGreaterThan(35);
      const raw = createRaw(fresh, cast.alice.token);
      for (const operation of ofRows) {
        const wrongKind = await send(raw, operation, { params: { id: `upload_${'a'.repeat(31)}` } });
        note(
          operation,
          wrongKind.status === 404 ? operation.faultOf(wrongKind) : `${wrongKind.status} for a wrong id`,
        );
        const unknown = await send(raw, operation, { body: operation.example });
        const isRefused = [404, 403].includes(unknown.status);
        note(operation, isRefused ? operation.faultOf(unknown) : `${unknown.status} for an unknown id`);
      }
      expect(list).toEqual([]);
    }));
});

describe('bodies', () => {
  it('without a required field, or with a wrong one, get 400 with the name of the field', () =>
    withFreshLimits(async (fresh) => {
      const { list, note } = faults();
      let tried = 0;
      for (const operation of operations.filter(({ body }) => body?.properties !== undefined)) {
        const example: Record<string, unknown> = Object(operation.example);
        const base =
          'workspaceId' in (operation.body?.properties ?? {}) ? { workspaceId: cast.workspaceId } : {};
        for (const [field, body] of brokenBodies(operation.body ?? {}, { ...example, ...base })) {
          tried += 1;
          // Few calls are allowed to callers without an account, so each server takes a few of them.
          const answer = operation.isPublic
            ? await sendToNew(operation, body)
            : await send(createRaw(fresh, cast.alice.token), operation, { body });
          const named = answer.json?.error?.detail.startsWith(field) ?? false;
          if (answer.status !== 400 || !named)
            note(operation, `${field}: ${answer.status} ${answer.json?.error?.detail ?? ''}`);
          else note(operation, operation.faultOf(answer));
        }
      }
      expect(list).toEqual([]);
      expect(tried).toBeGreaterThan(150);
    }));

  async function sendToNew(operation: Operation, body: unknown): Promise<RawAnswer> {
    anonymous ??= await createWorld({ database: world.database });
    const answer = await send(createRaw(anonymous), operation, { body });
    if (answer.status !== 429) return answer;
    await anonymous.close();
    anonymous = undefined;
    return sendToNew(operation, body);
  }
  let anonymous: World | undefined;
  afterAll(() => anonymous?.close());
});

/** One body for each field that is missing or of a type that nothing takes. */
function brokenBodies(schema: DocumentSchema, whole: Record<string, unknown>): [string, unknown][] {
  const required = schema.required ?? [];
  return Object.keys(schema.properties ?? {}).flatMap((field): [string, unknown][] => {
    const without = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
    const isObject = Object(schema.properties?.[field]).type === 'object';
    const wrong = { ...whole, [field]: isObject ? 'a text' : { no: { field: 'takes this' } } };
    return [...(required.includes(field) ? [[field, without] as [string, unknown]] : []), [field, wrong]];
  });
}

describe('queries', () => {
  it('with a value that the document does not allow get 400 with the name of the parameter', () =>
    withFreshLimits(async (fresh) => {
      const { list, note } = faults();
      let tried = 0;
      for (const operation of operations) {
        for (const { name, in: place, schema } of operation.parameters) {
          if (place !== 'query') continue;
          for (const value of wrongValues(schema)) {
            tried += 1;
            const raw = operation.isPublic ? createRaw(fresh) : createRaw(fresh, cast.alice.token);
            const answer = await send(raw, operation, { query: `?${name}=${encodeURIComponent(value)}` });
            const named = answer.json?.error?.detail.startsWith(name) ?? false;
            if (answer.status === 429) continue;
            if (answer.status !== 400 || !named)
              note(
                operation,
                `${name}=${value.slice(0, 10)}: ${answer.status} ${answer.json?.error?.detail ?? ''}`,
              );
            else note(operation, operation.faultOf(answer));
          }
        }
      }
      expect(list).toEqual([]);
      expect(tried).toBeGreaterThan(120);
    }));
});

const ADDRESS_MAX = 8_000;

function wrongValues({ type, enum: values, ...schema }: DocumentSchema): string[] {
  if (values) return ['nothing-of-this'];
  if (type === 'integer') return ['x', '-1', '1.5', '99999999'];
  const max = schema['maxLength'];
  // Longer addresses are refused before they are read.
  return typeof max === 'number' && max < ADDRESS_MAX ? ['x'.repeat(max + 1)] : [];
}

describe('lists', () => {
  it('page, sort both ways by every documented order, and filter by every documented field', () =>
    withFreshLimits(async (fresh) => {
      const { list, note } = faults();
      const build = createBuild(cast);
      for (let n = 0; n < 3; n += 1) {
        world.clock.advance(1_000);
        const [space, memory] = [
          await build.space({ name: `Place ${n}` }),
          await build.memory({ title: `Note ${n}` }),
        ];
        await build.link(space.id, memory.id);
        await build.thread({ name: `Talk ${n}` });
        await createKey(world, cast.alice, { workspaceId: cast.workspaceId, scopes: ['profile'] });
      }
      fresh.clock.set(world.clock.now());
      const raw = createRaw(fresh, cast.alice.token);
      let filtered = 0;
      const lists = operations.filter(
        ({ isList, method, isPublic }) => isList && method === 'GET' && !isPublic,
      );
      expect(lists.length).toBeGreaterThan(8);
      for (const operation of lists) {
        const ask = (query: string) => send(raw, operation, { query });
        const all = await ask('?perPage=100');
        // Who is no member of staff, and a thread that is unknown, are told elsewhere.
        if (all.status === 403 || all.status === 404) continue;
        note(operation, operation.faultOf(all));
        const rows = rowsOf(all);
        note(operation, (await pagingFault(ask, rows)) ?? undefined);
        for (const orderBy of valuesOf(operation, 'orderBy')) {
          note(operation, await orderFault(ask, orderBy));
        }
        const [first] = rows;
        for (const { name, in: place } of operation.parameters) {
          if (place !== 'query' || first === undefined || !(name in first)) continue;
          const value = first[name];
          if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
          if (String(value).includes(',')) continue;
          filtered += 1;
          const answer = await ask(`?perPage=100&${name}=${encodeURIComponent(String(value))}`);
          const found = rowsOf(answer);
          const expected = rows.filter((row) => row[name] === value);
          if (found.length !== expected.length)
            note(operation, `${name}=${String(value)} found ${found.length} instead of ${expected.length}`);
        }
      }
      expect(list).toEqual([]);
      expect(filtered).toBeGreaterThan(40);
    }));
});

type Row = Record<string, unknown>;

function rowsOf({ json }: RawAnswer): Row[] {
  return Array.isArray(json?.result) ? json.result.map((row: unknown): Row => Object(row)) : [];
}

function valuesOf({ parameters }: Operation, name: string): string[] {
  return (parameters.find((each) => each.name === name)?.schema.enum ?? []).map(String);
}

type Ask = (query: string) => Promise<RawAnswer>;

async function pagingFault(ask: Ask, rows: readonly Row[]): Promise<string | undefined> {
  const seen: Row[] = [];
  for (let page = 1; page <= rows.length; page += 1) {
    const answer = await ask(`?perPage=1&page=${page}`);
    const { meta } = answer.json ?? {};
    if (meta?.['page'] !== page || meta['perPage'] !== 1 || meta['total'] !== rows.length)
      return `page ${page} of ${rows.length} says ${JSON.stringify(meta)}`;
    seen.push(...rowsOf(answer));
  }
  if (JSON.stringify(seen) !== JSON.stringify(rows)) return 'its pages are not the list';
  const beyond = await ask(`?perPage=1&page=${rows.length + 1}`);
  return rowsOf(beyond).length === 0 ? undefined : 'the page after the last has rows';
}

async function orderFault(ask: Ask, orderBy: string): Promise<string | undefined> {
  const up = rowsOf(await ask(`?perPage=100&orderBy=${orderBy}&order=asc`)).map((row) => row[orderBy]);
  const down = rowsOf(await ask(`?perPage=100&orderBy=${orderBy}&order=desc`)).map((row) => row[orderBy]);
  const known = (list: unknown[]) => list.filter((value) => value !== null).map(String);
  const [rising, falling] = [known(up), known(down)];
  if (rising.length !== falling.length) return `orderBy=${orderBy} loses rows`;
  if (JSON.stringify(rising) !== JSON.stringify(falling.toReversed()))
    return `orderBy=${orderBy} is not one order`;
  const isTime = rising.every((value) => /^\d{4}-.*Z$/.test(value));
  const sorted = rising.toSorted((a, b) => (a < b ? -1 : 1));
  return !isTime || JSON.stringify(rising) === JSON.stringify(sorted)
    ? undefined
    : `orderBy=${orderBy} is not sorted`;
}

describe('right answers', () => {
  it('are what the document promises', async () => {
    const { list, note } = faults();
    const answered = new Set<string>();
    for (const [name, { raw = cast.alice.raw, ...request }] of await createScenes(world, cast)) {
      const operation = operations.find((each) => each.name === name);
      if (!operation) throw new Error(`The document has no ${name}`);
      const answer = await send(raw, operation, request);
      note(operation, answer.status < 300 ? operation.faultOf(answer) : `${answer.status} ${answer.text}`);
      answered.add(name);
    }
    expect(list).toEqual([]);
    expect(answered.size).toBeGreaterThan(70);
    expect(new Set(operations.map(({ name }) => name))).toEqual(new Set(Object.keys(ENDPOINTS)));
  });
});
