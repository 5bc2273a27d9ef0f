/**
 * Every operation of the OpenAPI document against the running server, driven by the document alone: right answers, missing
 * and wrong fields by name, 401, 403, 404. It fails when the two disagree. Beside it, document-lists, document-queries and
 * document-limits drive paging, filters and order, the parameters of addresses, and 429.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { createRaw, type RawAnswer, type RawRequest } from '#tests/support/agent.ts';
import { readDocument, type DocumentSchema, type Operation } from '#tests/support/api-document.ts';
import { createCast } from '#tests/support/build.ts';
import { createFaults, createFresh, sendOperation, type Given } from '#tests/support/document-calls.ts';
import { createPublicScenes } from '#tests/support/public-scenes.ts';
import { createScenes } from '#tests/support/scenes.ts';
import { MAIL_ENV } from '#tests/support/mail-sender.ts';
import { type World, openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: { EGRESS: 'public', ...MAIL_ENV } });
const cast = await createCast(world);
// Those of standards are driven beside this, in protocol.test.ts.
const operations = (await readDocument(world)).filter(({ isProtocol }) => !isProtocol);

/** Each group of calls has limits of its own. */
async function withFreshLimits(run: (fresh: World) => Promise<void>): Promise<void> {
  const fresh = await createFresh(world, MAIL_ENV);
  try {
    await run(fresh);
  } finally {
    await fresh.close();
  }
}

function send(raw: RawRequest, operation: Operation, given: Given = {}): Promise<RawAnswer> {
  const { workspaceId } = cast;
  return sendOperation(raw, operation, { ...given, params: { workspaceId, ...given.params } });
}

describe('refusals', () => {
  it('401 comes without a token, in the documented form', () =>
    withFreshLimits(async (fresh) => {
      const { list, note } = createFaults();
      for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
        const answer = await send(createRaw(fresh), operation);
        note(
          operation,
          answer.status === 401 ? operation.faultOf(answer) : `${answer.status} instead of 401`,
        );
      }
      expect(list).toEqual([]);
    }));

  it('404 comes for ids that name nothing and for ids of another kind, in the documented form', () =>
    withFreshLimits(async (fresh) => {
      const { list, note } = createFaults();
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
      const { list, note } = createFaults();
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
    anonymous ??= await createFresh(world, MAIL_ENV);
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

describe('right answers', () => {
  it('are what the document promises', async () => {
    await world.context.db.deleteFrom('rate_limit').execute();
    const { list, note } = createFaults();
    const answered = new Set<string>();
    for (const [name, { by = cast.alice, ...request }] of [
      ...(await createPublicScenes(cast)),
      ...(await createScenes(world, cast)),
    ]) {
      const operation = operations.find((each) => each.name === name);
      if (!operation) throw new Error(`The document has no ${name}`);
      const answer = await send(by.raw, operation, request);
      note(operation, answer.status < 300 ? operation.faultOf(answer) : `${answer.status} ${answer.text}`);
      answered.add(name);
    }
    expect(list).toEqual([]);
    expect(answered.size).toBeGreaterThan(70);
    expect(new Set(operations.map(({ name }) => name))).toEqual(new Set(Object.keys(ENDPOINTS)));
  });
});
