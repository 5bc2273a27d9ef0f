/** Letting more people into a thread whose answers quote memories that these people cannot read. */
import { describe, expect, test } from 'vitest';
import { writeInRealm } from '#server/db/transaction.ts';
import { runMutation } from '#server/db/run-mutation.ts';
import { writeAnswer } from '#server/threads/answers.ts';
import { asPerson } from '#server/sync/readable.ts';
import type { Id } from '#shared/ids.ts';
import type { GrantInput } from '#shared/spaces/grant.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);
const { alice, bob, rita, workspaceId } = cast;

const SECRET = 'The key lies under the third stone.';

async function memoryIn(visibility: Visibility, title: string, notes = SECRET) {
  const space = await build.space({ name: title, visibility });
  return build.memory({ title, notes, spaceId: space.id });
}

/** A private thread with an answer as it is made of passages. */
async function talk(...cited: { id: Id<'memory'> }[]) {
  const { id: threadId } = await build.thread({ name: 'Where is the key?' });
  const say = (citations: typeof cited) =>
    writeInRealm(world.context, workspaceId, asPerson(alice.user.id), (tx) =>
      writeAnswer(tx, {
        threadId,
        content: ['Closest:', ...citations.map((_, index) => `> ${SECRET} \\[${index + 1}\\]`)].join('\n\n'),
        citations: citations.map(({ id }) => ({ memoryId: id, quote: SECRET })),
      }),
    );
  const { value: messageId } = await say(cited);
  return { threadId, messageId, say };
}

interface Change {
  visibility?: Visibility;
  publicUntil?: Id<'message'> | null;
  grants?: GrantInput[];
  quotes?: 'keep' | 'remove';
}

const change = (id: Id<'thread'>, body: Change) =>
  alice.raw('PATCH', `/v1/threads/${workspaceId}/${id}`, { body });

async function answerIn(threadId: Id<'thread'>) {
  const { result } = await alice.api('message.list', { params: { workspaceId, threadId }, query: {} });
  return result.at(-1);
}

const open: [string, Change][] = [
  ['everyone on the web', { visibility: 'public' }],
  ['anyone with the link', { visibility: 'unlisted' }],
  ['the workspace', { visibility: 'workspace' }],
  ['its domain', { visibility: 'internal' }],
  ['a member', { visibility: 'custom', grants: [{ userId: bob.user.id, level: 'read' }] }],
  ['a position', { visibility: 'custom', grants: [{ position: 'read-only', level: 'read' }] }],
  [
    'a stranger',
    { visibility: 'private_and_guests', grants: [{ email: 'guest@example.org', level: 'read' }] },
  ],
];

describe('a private passage', () => {
  test.each(open)('is not shown to %s without a choice', async (_name, body) => {
    const memory = await memoryIn('private', 'Key of the shed');
    const { threadId } = await talk(memory);
    const refused = await change(threadId, body);
    expect([refused.status, refused.json?.error]).toMatchObject([
      409,
      { code: 'quotes_private', memories: [{ memoryId: memory.id, title: 'Key of the shed' }] },
    ]);
    expect(refused.text).toContain('“Key of the shed”');
    const { result } = await alice.api('thread.get', { params: { workspaceId, id: threadId } });
    expect(result).toMatchObject({ visibility: 'private', grants: [] });
    expect((await change(threadId, { ...body, quotes: 'keep' })).status).toBe(200);
    expect((await answerIn(threadId))?.content).toContain(SECRET);
  });

  test('is left out on request, and nothing else is', async () => {
    const own = await memoryIn('private', 'Key of the shed');
    const shared = await memoryIn('public', 'Key of the gate');
    const { threadId } = await talk(shared, own);
    expect((await change(threadId, { visibility: 'public', quotes: 'remove' })).status).toBe(200);
    expect(await answerIn(threadId)).toMatchObject({
      content: `Closest:\n\n> ${SECRET} \\[1\\]\n\n*A passage was left out.*`,
      citations: [
        { memoryId: shared.id, quote: SECRET },
        { memoryId: own.id, quote: null },
      ],
    });
  });

  test('is what the new readers cannot read: not what they can', async () => {
    const { threadId } = await talk(await memoryIn('workspace', 'Key of the gate'));
    expect((await change(threadId, { visibility: 'workspace' })).status).toBe(200);
    const published = await talk(await memoryIn('public', 'Key of the gate'));
    expect((await change(published.threadId, { visibility: 'public' })).status).toBe(200);
  });

  test('is also one of a memory that is deleted, whose title is not told', async () => {
    const memory = await memoryIn('workspace', 'Key of the gate');
    const { threadId } = await talk(memory);
    await alice.api('memory.remove', { params: { workspaceId, id: memory.id } });
    const { status, text } = await change(threadId, { visibility: 'workspace' });
    expect([status, text.includes('Key of the gate')]).toEqual([409, false]);
  });

  test('is looked for among later messages when a frozen view goes on', async () => {
    const { threadId, messageId, say } = await talk(await memoryIn('public', 'Key of the gate'));
    await change(threadId, { visibility: 'public' });
    await change(threadId, { publicUntil: messageId });
    world.clock.advance(1_000);
    await say([await memoryIn('private', 'Key of the shed')]);
    expect((await change(threadId, { publicUntil: null })).status).toBe(409);
    expect((await change(threadId, { publicUntil: null, quotes: 'keep' })).status).toBe(200);
  });

  test('is asked about for each further person who cannot read it', async () => {
    const { threadId } = await talk(await memoryIn('private', 'Key of the shed'));
    const grants: GrantInput[] = [{ userId: bob.user.id, level: 'read' }];
    await change(threadId, { visibility: 'custom', grants, quotes: 'keep' });
    const levels: GrantInput[] = [{ userId: bob.user.id, level: 'write' }];
    expect((await change(threadId, { grants: levels })).status).toBe(200);
    const more: GrantInput[] = [...levels, { userId: rita.user.id, level: 'read' }];
    expect((await change(threadId, { grants: more })).status).toBe(409);
  });

  test('is refused to devices, too, and named to those who may change who reads', async () => {
    const { threadId: id } = await talk(await memoryIn('private', 'Key of the shed'));
    const share = (quotes?: 'keep') =>
      runMutation(world.context, {
        actor: asPerson(alice.user.id),
        realmId: workspaceId,
        name: 'thread.update',
        args: {
          id,
          visibility: 'workspace',
          quotes,
          at: world.clock.now().toISOString(),
        },
      });
    await expect(share()).rejects.toMatchObject({ code: 'quotes_private' });
    const ask = { params: { workspaceId, id }, body: { visibility: 'workspace' } } as const;
    expect((await alice.api('thread.private_quotes', ask)).result).toMatchObject([
      { title: 'Key of the shed' },
    ]);
    await expect(bob.api('thread.private_quotes', ask)).rejects.toMatchObject({ status: 404 });
    await share('keep');
    expect((await alice.api('thread.private_quotes', ask)).result).toEqual([]);
    await expect(bob.api('thread.private_quotes', ask)).rejects.toMatchObject({ status: 403 });
  });
});
