/**
 * Every row of the table of calls against the running server: 401 without a token, 403 for strangers, and a real answer
 * that is exactly what the row documents. A new row without a scene here fails.
 */
import { describe, expect, it } from 'vitest';
import { isMemberCall, listMeta, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { fillPath } from '#shared/define/fill-path.ts';
import { ENDPOINTS, type EndpointName } from '#shared/endpoints.ts';
import { newId } from '#shared/ids.ts';
import { createRaw, type RawAnswer, type RawRequest } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { MAIL_ENV } from '#tests/support/mail-sender.ts';
import { createPublicScenes } from '#tests/support/public-scenes.ts';
import { anyParams, createScenes, ELSEWHERE, idFor, type Scene } from '#tests/support/scenes.ts';
import { openWorld } from '#tests/support/world.ts';

const rows: readonly [string, AnyEndpoint][] = Object.entries(ENDPOINTS);

const world = await openWorld({ env: { EGRESS: 'public', ...MAIL_ENV } });
const cast = await createCast(world);

async function send(
  raw: RawRequest,
  name: string,
  { params = {}, query = '', body }: Scene,
): Promise<RawAnswer> {
  const row: AnyEndpoint | undefined = rows.find(([each]) => each === name)?.[1];
  if (!row) throw new Error(`There is no ${name}`);
  return raw(
    row.method,
    `${fillPath(row.path, { ...anyParams(cast), id: idFor(name), ...params })}${query}`,
    {
      body,
    },
  );
}

describe('without a token', () => {
  it.each(rows.filter(([, { auth }]) => auth !== 'public'))(
    '%s answers 401 to a token that is none',
    async (name) => {
      const { status } = await send(createRaw(world, 'x'.repeat(43)), name, {});
      expect(status).toBe(401);
    },
  );
});

describe('from outside the workspace', () => {
  it.each(rows.filter(([, row]) => isMemberCall(row)))(
    '%s answers 403, for unknown ones too',
    async (name, row) => {
      if (!row.path.includes('{workspaceId}')) return expectRefusedBody(name);
      const real = await send(cast.eve.raw, name, {});
      const unknown = await send(cast.eve.raw, name, { params: { workspaceId: newId('workspace') } });
      expect(real.status).toBe(403);
      expect(unknown.text).toBe(real.text);
    },
  );

  /** The workspace stands in the body, so the body has to be complete before it is looked at. */
  async function expectRefusedBody(name: string): Promise<void> {
    const ids = { spaceId: newId('space'), memoryId: newId('memory'), threadId: newId('thread') };
    const given = {
      title: 'x',
      name: 'x',
      query: 'x',
      scopes: ['profile'],
      redirectUris: ['https://app.example/callback'],
      messageId: newId('message'),
      email: 'x@example.com',
      position: 'member',
      value: 1,
      ...ids,
    };
    const { status } = await send(cast.eve.raw, name, { body: { ...given, workspaceId: cast.workspaceId } });
    expect(status).toBe(403);
  }
});

describe('each call', () => {
  it('answers exactly what its row documents', async () => {
    const answered = new Set<string>();
    for (const [name, scene] of [...(await createPublicScenes(cast)), ...(await createScenes(world, cast))]) {
      const { by = cast.alice } = scene;
      const answer = await send(by.raw, name, scene);
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
    // A job begins with 202, and no replica holds it.
    if (name.endsWith('create') && row.auth === 'member' && row.status !== 202)
      expect(answer.json?.meta?.syncVersion).toBeGreaterThan(0);
    return undefined;
  }
});
