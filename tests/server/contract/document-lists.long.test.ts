/**
 * The lists of the OpenAPI document against the running server, those of members, of staff and of the public: pages, order both
 * ways by every documented field, every documented filter, and what a stranger and a person of another workspace are told.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import type { RawAnswer, RawRequest } from '#tests/support/agent.ts';
import { readDocument, type Operation } from '#tests/support/api-document.ts';
import { createEndlessCaller, createFaults, sendOperation } from '#tests/support/document-calls.ts';
import { fillLists } from '#tests/support/filled-lists.ts';
import { STAFF_ENV } from '#tests/support/staff.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: { ...STAFF_ENV, EGRESS: 'public' } });
const filled = await fillLists(world);
const { cast } = filled;
const as = ({ token }: { token: string }) => createEndlessCaller(world, { token });
const callers = {
  visitor: createEndlessCaller(world),
  owner: as(cast.alice),
  reader: as(cast.rita),
  stranger: as(cast.eve),
  staff: createEndlessCaller(world, { token: filled.staff.token, env: STAFF_ENV }),
};
const lists = (await readDocument(world)).filter(({ isList, method }) => isList && method === 'GET');
afterAll(async () => {
  for (const { close } of Object.values(callers)) await close();
});

const isOfStaff = ({ path }: Operation) => /^\/v1\/(?:reports|access_requests|public_clients)/.test(path);
const rawFor = (operation: Operation): RawRequest =>
  callers[operation.isPublic ? 'visitor' : isOfStaff(operation) ? 'staff' : 'owner'].raw;
const namesWorkspace = ({ parameters }: Operation) =>
  parameters.some((each) => each.in === 'path' && each.name === 'workspaceId');
/** Path parameters beside the workspace: the row that the list belongs to. */
const parentOf = ({ parameters }: Operation) =>
  parameters.find((each) => each.in === 'path' && each.name !== 'workspaceId');

describe('every list', () => {
  it('has rows here, pages through them, and sorts both ways by every documented order', async () => {
    const { list, note } = createFaults();
    for (const operation of lists) {
      const ask = (query: string) =>
        sendOperation(rawFor(operation), operation, { query, params: filled.params });
      const all = await ask('?perPage=100');
      const rows = rowsOf(all);
      note(operation, all.status === 200 ? operation.faultOf(all) : `${all.status} ${all.text}`);
      note(operation, rows.length > 1 ? undefined : `${rows.length} rows are no list`);
      note(operation, await pagingFault(ask, rows));
      const orders = valuesOf(operation, 'orderBy');
      note(operation, orders.length > 0 ? undefined : 'no order is documented');
      for (const orderBy of orders) {
        note(operation, await orderFault(ask, orderBy));
        const hasCursor = operation.parameters.some(({ name }) => name === 'cursor');
        if (hasCursor) note(operation, await cursorFault(ask, orderBy));
        else
          note(
            operation,
            'nextCursor' in Object(all.json?.meta) ? 'a cursor that it does not take' : undefined,
          );
      }
    }
    expect(list).toEqual([]);
    expect(lists.filter(({ isPublic }) => isPublic).length).toBeGreaterThan(6);
    expect(lists.filter(isOfStaff)).toHaveLength(3);
  });

  it('filters by every documented field that its rows show', async () => {
    const { list, note } = createFaults();
    let filtered = 0;
    for (const operation of lists) {
      const ask = (query: string) =>
        sendOperation(rawFor(operation), operation, { query, params: filled.params });
      // A filter that has a value without being asked, such as what is open, is said in every question.
      const rows = rowsOf(await ask('?perPage=100'));
      for (const { name, in: place } of operation.parameters) {
        if (place !== 'query') continue;
        for (const value of new Set(rows.map((row) => row[name]))) {
          const text = filterText(value);
          if (text === undefined) continue;
          filtered += 1;
          const found = rowsOf(await ask(`?perPage=100&${name}=${encodeURIComponent(text)}`));
          const expected = rows.filter((row) => row[name] === value);
          if (found.length !== expected.length)
            note(operation, `${name}=${text} found ${found.length} instead of ${expected.length}`);
        }
      }
    }
    expect(list).toEqual([]);
    expect(filtered).toBeGreaterThan(150);
  });

  it('of a workspace is 403 for a stranger, also with a parent of the stranger’s own workspace', async () => {
    const { list, note } = createFaults();
    let tried = 0;
    for (const operation of lists.filter((each) => !each.isPublic && namesWorkspace(each))) {
      tried += 1;
      const answer = await sendOperation(callers.stranger.raw, operation, { params: filled.params });
      note(operation, answer.status === 403 ? operation.faultOf(answer) : `${answer.status} for a stranger`);
      const parent = parentOf(operation);
      if (!parent) continue;
      // In the own workspace the rows of others are not there, and neither are the own ones in that of others.
      const { evesWorkspaceId: workspaceId } = cast;
      const elsewhere = await sendOperation(callers.stranger.raw, operation, {
        params: { ...filled.params, workspaceId },
      });
      note(
        operation,
        elsewhere.status === 404 ? operation.faultOf(elsewhere) : `${elsewhere.status} elsewhere`,
      );
      const foreign = await sendOperation(callers.owner.raw, operation, {
        params: { ...filled.params, [parent.name]: String(parent.example) },
      });
      note(
        operation,
        foreign.status === 404 ? operation.faultOf(foreign) : `${foreign.status} for no parent`,
      );
    }
    expect(list).toEqual([]);
    expect(tried).toBeGreaterThan(14);
  });

  it('is 403 for members without the right, and empty of what is not theirs', async () => {
    const { list, note } = createFaults();
    const refused: string[] = [];
    for (const operation of lists.filter(({ isPublic }) => !isPublic)) {
      const owners = rowsOf(await sendOperation(rawFor(operation), operation, { params: filled.params }));
      const answer = await sendOperation(callers.reader.raw, operation, { params: filled.params });
      note(operation, operation.faultOf(answer));
      if (answer.status === 403) refused.push(operation.name);
      else if (answer.status !== 404) {
        const known = new Set(owners.map((row) => row['id'] ?? JSON.stringify(row)));
        const others = rowsOf(answer).filter((row) => !known.has(row['id'] ?? JSON.stringify(row)));
        // A list of the person's own things shows none of the owner's.
        if (
          !namesWorkspace(operation) &&
          operation.name !== 'workspace.list' &&
          others.length !== rowsOf(answer).length
        )
          note(operation, 'shows things of another person');
      }
    }
    expect(list).toEqual([]);
    expect(refused.toSorted()).toEqual([
      ...'access_request.list api_key.list audit.list invite.list oauth_client.list'.split(' '),
      ...'public_client.list report.list webhook.list webhook_delivery.list'.split(' '),
    ]);
  });

  it('of the public does not know what is not public, and shows nothing of it', async () => {
    const { list, note } = createFaults();
    for (const operation of lists.filter((each) => each.isPublic && namesWorkspace(each))) {
      const unknown = await sendOperation(callers.visitor.raw, operation, {
        params: { ...filled.params, workspaceId: newId('workspace') },
      });
      const closed = await sendOperation(callers.visitor.raw, operation, {
        params: { ...filled.params, workspaceId: cast.workspaceId, ...filled.closed },
      });
      note(operation, operation.faultOf(unknown));
      note(operation, operation.faultOf(closed));
      if (parentOf(operation)) {
        note(operation, unknown.status === 404 ? undefined : `${unknown.status} for an unknown workspace`);
        note(operation, closed.text === unknown.text ? undefined : `what is closed shows: ${closed.text}`);
      }
      note(operation, closed.text.includes(filled.secret) ? 'shows what is closed' : undefined);
    }
    expect(list).toEqual([]);
  });
});

describe('every search', () => {
  it('pages as documented', async () => {
    const { list, note } = createFaults();
    const searches = (await readDocument(world)).filter(({ isList, method }) => isList && method === 'POST');
    expect(searches).toHaveLength(5);
    for (const operation of searches) {
      const ask = (query: string) => {
        const { workspaceId } = cast;
        const fields = Object.fromEntries(new URLSearchParams(query));
        return sendOperation(rawFor(operation), operation, {
          body: { ...(operation.isPublic ? {} : { workspaceId }), query: filled.word, ...fields },
        });
      };
      const all = await ask('perPage=100');
      note(operation, all.status === 200 ? operation.faultOf(all) : `${all.status} ${all.text}`);
      note(operation, rowsOf(all).length > 1 ? undefined : 'finds no list');
      // Until an index is read the database answers, in an order of its own; a list and its pages come from one of them.
      const paged = async () => pagingFault((query) => ask(query.slice(1)), rowsOf(await ask('perPage=100')));
      await expect.poll(paged, { interval: 2_000, message: operation.name }).toBeUndefined();
    }
    expect(list).toEqual([]);
  });
});

type Row = Record<string, unknown>;
type Ask = (query: string) => Promise<RawAnswer>;

function rowsOf({ json }: RawAnswer): Row[] {
  return Array.isArray(json?.result) ? json.result.map((row: unknown): Row => Object(row)) : [];
}

function valuesOf({ parameters }: Operation, name: string): string[] {
  return (parameters.find((each) => each.name === name)?.schema.enum ?? []).map(String);
}

/** A value as a filter takes it; undefined for those that a comma list cannot say. */
function filterText(value: unknown): string | undefined {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && !value.includes(',') && value !== '' ? value : undefined;
}

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
  const up = rowsOf(await ask(`?perPage=100&orderBy=${orderBy}&order=asc`));
  const down = rowsOf(await ask(`?perPage=100&orderBy=${orderBy}&order=desc`));
  const known = (rows: Row[]) => rows.map((row) => row[orderBy]).filter((value) => value !== null);
  const [rising, falling] = [known(up).map(String), known(down).map(String)];
  if (up.length !== down.length) return `orderBy=${orderBy} loses rows`;
  if (JSON.stringify(rising) !== JSON.stringify(falling.toReversed()))
    return `orderBy=${orderBy} is not one order`;
  const isTime = rising.every((value) => /^\d{4}-.*Z$/.test(value));
  const sorted = rising.toSorted((a, b) => (a < b ? -1 : 1));
  return !isTime || JSON.stringify(rising) === JSON.stringify(sorted)
    ? undefined
    : `orderBy=${orderBy} is not sorted`;
}

/** Follows the cursors from row to row, both ways; then sends some that no list has given. */
async function cursorFault(ask: Ask, orderBy: string): Promise<string | undefined> {
  let given = '';
  for (const order of ['asc', 'desc']) {
    const list = `?orderBy=${orderBy}&order=${order}`;
    const seen: Row[] = [];
    let next: string | undefined = '';
    while (next !== undefined && seen.length <= 100) {
      const answer = await ask(`${list}&perPage=1${next && `&cursor=${next}`}`);
      seen.push(...rowsOf(answer));
      const cursor: unknown = answer.json?.meta?.['nextCursor'];
      if (typeof cursor !== 'string' && cursor !== null)
        return `orderBy=${orderBy} answers ${answer.status} without a cursor`;
      next = cursor ?? undefined;
      given = next ?? given;
    }
    const rows = rowsOf(await ask(`${list}&perPage=100`));
    if (JSON.stringify(seen) !== JSON.stringify(rows))
      return `orderBy=${orderBy} ${order}: cursors lose rows`;
  }
  const values: unknown[] = Object(JSON.parse(Buffer.from(given, 'base64url').toString()));
  const forge = (change: (values: unknown[]) => unknown) =>
    Buffer.from(JSON.stringify(change(values))).toString('base64url');
  const wrong = [
    'x',
    '',
    given.slice(2),
    forge(() => ({})),
    forge((all) => all.slice(0, 2)),
    forge((all) => [...all, 'x']),
  ];
  const other = forge(([, ...rest]) => ['another', ...rest]);
  for (const cursor of [...wrong, other, forge((all) => all.with(2, 7))]) {
    const { status } = await ask(`?orderBy=${orderBy}&order=desc&cursor=${cursor}`);
    if (status !== 400) return `orderBy=${orderBy} answers ${status} to the cursor ${cursor}`;
  }
  // A text where the order has times, and a null byte.
  for (const cursor of [forge((all) => all.with(2, 'x')), forge((all) => all.with(2, '\u0000'))]) {
    const { status } = await ask(`?orderBy=${orderBy}&order=desc&cursor=${cursor}`);
    if (status >= 500) return `orderBy=${orderBy} answers ${status} to a forged cursor`;
  }
  const beside = await ask(`?orderBy=${orderBy}&order=desc&page=2&cursor=${given}`);
  return beside.status === 400 ? undefined : 'takes a page beside a cursor';
}
