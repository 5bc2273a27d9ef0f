/**
 * The query parameters of the OpenAPI document against the running server: every value that the document does not allow is
 * refused by name, every value that it allows is answered, and what the document does not have is refused by name.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { RawRequest } from '#tests/support/agent.ts';
import { readDocument, type DocumentParameter, type Operation } from '#tests/support/api-document.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createEndlessCaller, createFaults, sendOperation } from '#tests/support/document-calls.ts';
import { createStaff, STAFF_ENV } from '#tests/support/staff.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: { ...STAFF_ENV, EGRESS: 'public' } });
const cast = await createCast(world);
const staff = await createStaff(world);
const callers = {
  visitor: createEndlessCaller(world),
  owner: createEndlessCaller(world, { token: cast.alice.token }),
  staff: createEndlessCaller(world, { token: staff.token, env: STAFF_ENV }),
};
const build = createBuild(cast);
const space = await build.space({ visibility: 'public' });
const thread = await build.thread({ visibility: 'public' });
const { workspaceId } = cast;
const hook = await cast.alice.raw('POST', `/v1/webhooks/${workspaceId}`, {
  body: { url: 'https://example.com/hook' },
});
const webhookId = String(Object(hook.json?.result).id);
const params = { workspaceId, spaceId: space.id, threadId: thread.id, webhookId };
// Those of standards have their own rules for parameters, in protocol.test.ts.
const operations = (await readDocument(world)).filter(
  ({ isProtocol, parameters }) => !isProtocol && parameters.some((each) => each.in === 'query'),
);
afterAll(async () => {
  for (const { close } of Object.values(callers)) await close();
});

const rawFor = ({ isPublic, path }: Operation): RawRequest =>
  callers[
    isPublic ? 'visitor' : /^\/v1\/(?:reports|access_requests|public_clients)/.test(path) ? 'staff' : 'owner'
  ].raw;

/** The one row that `view_as` is about. */
const paramsOf = ({ name }: Operation): Record<string, string> => ({
  ...params,
  id: (name.startsWith('thread') ? params['threadId'] : params['spaceId']) ?? '',
});

const HOSTILE = [
  '',
  'nothing-of-this',
  '-1',
  '1.5',
  '99999999999999999999',
  'null',
  ',',
  '2026-13-45',
  '[]',
  '{"a":',
  '\0',
  'a\0b',
  '{"a":"\\u0000"}',
  '%',
  '‮abc😀',
];

/** Longer addresses are refused before they are read. */
const ADDRESS_MAX = 8_000;

function valuesFor({ schema: { maxLength, maximum } }: DocumentParameter): string[] {
  return [
    ...HOSTILE,
    ...(maxLength !== undefined && maxLength < ADDRESS_MAX ? ['x'.repeat(maxLength + 1)] : []),
    ...(maximum === undefined ? [] : [String(maximum + 1)]),
  ];
}

describe('a query parameter', () => {
  it('is refused by name with a value that the document does not allow, and answered with any other', async () => {
    const { list, note } = createFaults();
    const tried = { refused: 0, answered: 0 };
    for (const operation of operations) {
      for (const parameter of operation.parameters.filter((each) => each.in === 'query')) {
        for (const value of valuesFor(parameter)) {
          const query = `?${parameter.name}=${encodeURIComponent(value)}`;
          const answer = await sendOperation(rawFor(operation), operation, {
            query,
            params: paramsOf(operation),
          });
          const { status } = answer;
          const said = `${query.slice(0, 60)}: ${status} ${answer.json?.error?.detail ?? ''}`;
          const isNamed = answer.json?.error?.detail.startsWith(parameter.name) === true;
          if (operation.allows(parameter, value)) {
            // The form is right, but not every text of the form is a value: the thirteenth month, a cursor of nowhere.
            tried.answered += 1;
            note(operation, [200, 400].includes(status) ? operation.faultOf(answer) : said);
          } else {
            tried.refused += 1;
            note(operation, status === 400 && isNamed ? operation.faultOf(answer) : said);
          }
        }
      }
    }
    expect(list).toEqual([]);
    expect(tried.refused).toBeGreaterThan(2_500);
    expect(tried.answered).toBeGreaterThan(300);
  });

  it('that is given twice is refused by name, unless it is a list of values', async () => {
    const { list, note } = createFaults();
    for (const operation of operations) {
      for (const { name, in: place, schema } of operation.parameters) {
        if (place !== 'query') continue;
        const query = `?${name}=1&${name}=2`;
        const ask = (asked: string) =>
          sendOperation(rawFor(operation), operation, { query: asked, params: paramsOf(operation) });
        const answer = await ask(query);
        if (schema.type === 'array') {
          const { status } = await ask(`?${name}=1,2`);
          note(operation, answer.status === status ? operation.faultOf(answer) : `${query}: ${answer.text}`);
          continue;
        }
        const isNamed = answer.json?.error?.detail.startsWith(name) === true;
        note(
          operation,
          answer.status === 400 && isNamed
            ? operation.faultOf(answer)
            : `${query}: ${answer.status} ${answer.text}`,
        );
      }
    }
    expect(list).toEqual([]);
  });

  it('that the document does not have is refused by name', async () => {
    const { list, note } = createFaults();
    const required = ({ parameters }: Operation) =>
      parameters.flatMap(({ name, in: place, required: isRequired, example }) =>
        place === 'query' && isRequired === true ? [`${name}=${encodeURIComponent(String(example))}&`] : [],
      );
    for (const operation of operations) {
      const query = `?${required(operation).join('')}`;
      const ask = (more: string) =>
        sendOperation(rawFor(operation), operation, {
          query: `${query}${more}`,
          params: paramsOf(operation),
        });
      const plain = await ask('');
      note(operation, plain.status === 200 ? operation.faultOf(plain) : `${plain.status} ${plain.text}`);
      for (const name of ['nothing-of-this', '__proto__', 'constructor', 'page[x]', 'workspaceId2']) {
        const { status, json } = await ask(`${name}=1`);
        const isNamed = json?.error?.detail === `${name}: This call has no such parameter`;
        note(operation, status === 400 && isNamed ? undefined : `?${name}: ${status}`);
      }
    }
    expect(list).toEqual([]);
  });
});
