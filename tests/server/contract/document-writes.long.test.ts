/**
 * The writes of the OpenAPI document against the running server: every POST is made once for one Idempotency-Key, and no write
 * takes fields that are the server's to set.
 */
import { expect, it } from 'vitest';
import type { RawAnswer } from '#tests/support/agent.ts';
import { readDocument, type Operation } from '#tests/support/api-document.ts';
import { createCast } from '#tests/support/build.ts';
import { createFaults, sendOperation } from '#tests/support/document-calls.ts';
import { createPublicScenes } from '#tests/support/public-scenes.ts';
import { createScenes, type Scene } from '#tests/support/scenes.ts';
import { MAIL_ENV } from '#tests/support/mail-sender.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: { EGRESS: 'public', ...MAIL_ENV } });
const cast = await createCast(world);
const operations = await readDocument(world);
const scenes = [...(await createPublicScenes(cast)), ...(await createScenes(world, cast))].map(
  ([name, scene]): [Operation, Scene] => {
    const operation = operations.find((each) => each.name === name);
    if (!operation) throw new Error(`The document has no ${name}`);
    return [operation, scene];
  },
);

/** In no document: a time before the product, and a person who has nothing to do with the workspace. */
const EARLIER = '2001-02-03T04:05:06.000Z';

/** Fields of rows that no caller sets, with values that would show. */
function plantedIn({ body }: Operation): Record<string, unknown> {
  const { id } = cast.eve.user;
  const planted = {
    created: EARLIER,
    updated: EARLIER,
    deletedAt: EARLIER,
    acceptedAt: EARLIER,
    lastUsedAt: EARLIER,
    createdBy: id,
    lastEditedBy: id,
    ownerId: id,
    userId: id,
    invitedBy: id,
    sub: id,
    emailVerified: true,
    verified: true,
    impersonator: id,
    isStaff: true,
    version: 1,
  };
  const known = new Set(Object.keys(body?.properties ?? {}));
  return Object.fromEntries(Object.entries(planted).filter(([name]) => !known.has(name)));
}

it('every POST is made once for one key, and every write ignores what is not its caller’s to set', async () => {
  const { list, note } = createFaults();
  const tried = { repeated: 0, planted: 0 };
  for (const [operation, { by = cast.alice, ...given }] of scenes) {
    const params = { workspaceId: cast.workspaceId, ...given.params };
    const key = crypto.randomUUID();
    // Repeated requests count too.
    await world.context.db.deleteFrom('rate_limit').execute();
    const headers: Record<string, string> = operation.method === 'POST' ? { 'idempotency-key': key } : {};
    const send = (body: unknown): Promise<RawAnswer> =>
      sendOperation((method, path) => by.raw(method, path, { body, headers }), operation, {
        ...given,
        params,
      });
    const takesFields = operation.body?.properties !== undefined && given.body !== undefined;
    const body: unknown = takesFields ? { ...Object(given.body), ...plantedIn(operation) } : given.body;
    const answer = await send(body);
    note(operation, answer.status < 300 ? undefined : `${answer.status} ${answer.text.slice(0, 200)}`);
    if (takesFields) {
      tried.planted += 1;
      for (const trace of [EARLIER, cast.eve.user.id])
        note(operation, answer.text.includes(trace) ? `takes ${trace} from the body` : undefined);
    }
    // Who has ended the session or deleted the workspace is told so, also by a repeated request.
    if (operation.method !== 'POST' || operation.name === 'auth.logout') continue;
    tried.repeated += 1;
    const again = await send(body);
    note(operation, again.status === answer.status ? undefined : `${answer.status}, then ${again.status}`);
    note(
      operation,
      again.text === answer.text ? undefined : `${answer.text.slice(0, 80)}, then ${again.text.slice(0, 80)}`,
    );
    note(
      operation,
      again.headers.get('idempotent-replayed') === 'true' ? undefined : 'does not say that it is repeated',
    );
    if (!takesFields) continue;
    const other = await send({ ...Object(body), entirely: 'another request' });
    note(operation, other.status === 422 ? operation.faultOf(other) : `${other.status} for another request`);
  }
  expect(list).toEqual([]);
  expect(tried.repeated).toBeGreaterThan(30);
  expect(tried.planted).toBeGreaterThan(30);
});
