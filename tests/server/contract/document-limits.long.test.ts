/**
 * The limits of calls in the OpenAPI document against the running server: each operation counts in the class that the document
 * names, says so in the documented headers, and answers 429 in the documented form once the quota of the class is used up.
 */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createRaw, type RawAnswer, type RawRequest } from '#tests/support/agent.ts';
import { readDocument, type Operation } from '#tests/support/api-document.ts';
import { createCast } from '#tests/support/build.ts';
import { createFaults, createFresh, sendOperation } from '#tests/support/document-calls.ts';
import { type World, openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
const operations = (await readDocument(world)).filter(({ statuses }) => statuses.includes('429'));

/** More calls than any class allows. */
const MANY = 1_000_000;

/** These would end the session or the account with which the others are called. */
const ENDS_CALLER = new Set(['auth.logout', 'auth.remove']);

/** Every operation once, without what it needs: calls are counted before anything else of them is looked at. */
async function callAll(server: World): Promise<[Operation, RawAnswer][]> {
  const owner = createRaw(server, cast.alice.token);
  const visitor = createRaw(server);
  const answers: [Operation, RawAnswer][] = [];
  for (const operation of operations) {
    const raw: RawRequest = operation.isPublic || operation.isProtocol ? visitor : owner;
    answers.push([
      operation,
      await sendOperation(raw, operation, { params: { workspaceId: cast.workspaceId } }),
    ]);
  }
  return answers;
}
/** The class that a header of an answer names. */
function classIn({ headers }: RawAnswer, name: string): string | undefined {
  return /^"(\w+)";/.exec(headers.get(name) ?? '')?.[1];
}

it('answer every call with 429, Retry-After and the quota of its class when they are reached', async () => {
  const { list, note } = createFaults();
  const full = await createFresh(world);
  await fillCounters(full);
  await reportCounts(full);
  const classes = new Set<string>();
  for (const [operation, answer] of await callAll(full)) {
    note(operation, answer.status === 429 ? operation.faultOf(answer) : `${answer.status} instead of 429`);
    const named = [classIn(answer, 'ratelimit-policy'), classIn(answer, 'ratelimit')];
    if (named.some((each) => each === undefined || each !== operation.rateLimit))
      note(operation, `counts as ${named.join(' and ')} instead of ${operation.rateLimit}`);
    const left = /;r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '');
    const wait = Number(answer.headers.get('retry-after'));
    if (left?.[1] !== '0' || !(wait > 0) || Number(left[2]) !== wait)
      note(operation, `${answer.headers.get('ratelimit')} with Retry-After ${wait}`);
    const said = answer.json?.error?.detail ?? String(Object(answer.json).detail);
    note(
      operation,
      /^Too many requests, try again in \d+ (?:seconds|minutes)$/.test(said) ? undefined : said,
    );
    for (const each of named) classes.add(each ?? '');
  }
  await full.close();
  expect(list).toEqual([]);
  expect([...classes].toSorted()).toEqual(EXPECTED);
});

/** Every class that the operations of the document count in; pulls, pushes and the MCP endpoint are not in it. */
const EXPECTED = [
  ...'archive ask_on capture export login media oauth oauth_register question rating'.split(' '),
  ...'read report search signup write'.split(' '),
];

/** As if another server of the database had counted a great many calls of these callers. */
async function fillCounters(server: World): Promise<void> {
  const { db } = server.context;
  const { rows } = await sql<{ sessionId: string }>`
    select "id" as "sessionId" from "session" where "userId" = ${cast.alice.user.id}`.execute(db);
  const [session] = rows;
  const expire = Date.now() + 3_600_000;
  const counters = [...new Set(operations.map(({ rateLimit }) => rateLimit))].flatMap((rate) => [
    `${rate}-session:${session?.sessionId}`,
    `${rate}-anonymous:127.0.0.1`,
  ]);
  await sql`
    insert into "rate_limit" ("key", "points", "expire")
    select key, ${MANY}, ${expire} from unnest(${sql.val(counters)}::text[]) as key`.execute(db);
}

/** A server asks the others once in a block of calls, of which a class has at most twenty. */
const BLOCK_MAX = 110;

async function reportCounts(server: World): Promise<void> {
  for (const rate of new Set(operations.map(({ rateLimit }) => rateLimit))) {
    for (const isOpen of [true, false]) {
      const operation = operations.find(
        (each) =>
          each.rateLimit === rate &&
          (each.isPublic || each.isProtocol) === isOpen &&
          !ENDS_CALLER.has(each.name),
      );
      if (!operation) continue;
      const raw = isOpen ? createRaw(server) : createRaw(server, cast.alice.token);
      const statuses = [];
      while (statuses.length < BLOCK_MAX && statuses.at(-1) !== 429)
        statuses.push((await sendOperation(raw, operation)).status);
      expect([rate, statuses.at(-1)]).toEqual([rate, 429]);
    }
  }
}
