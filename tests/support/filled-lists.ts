/** A world in which every list of the API has several rows, and beside them things that only their owner may see. */
import { runExport } from '#server/capture/exports/export-run.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { writeAnswer } from '#server/threads/answers.ts';
import { createApi, createRaw, TEST_PASSWORD, type Agent } from './agent.ts';
import { createBuild, createCast, type Cast } from './build.ts';
import { insertFeed } from './feeds.ts';
import { createKey } from './keys.ts';
import { storeToken } from './oauth.ts';
import { uploadArchive } from './person.ts';
import { createStaff } from './staff.ts';
import type { World } from './world.ts';
import { zipOf } from './zip.ts';
import { asPerson } from '#server/sync/readable.ts';

const TIMES = 3;
const SECOND_MS = 1_000;

/** What the lists need to be asked for, and what must not be in them. */
export interface Filled {
  cast: Cast;
  staff: Agent;
  /** Path parameters that lead to the rows. */
  params: Record<string, string>;
  /** Path parameters of things in the same workspace that are not public. */
  closed: Record<string, string>;
  /** Stands in every text of what is not public. */
  secret: string;
  /** Every search finds it several times. */
  word: string;
}

/** Fills the lists of the owner, of staff and of the public; rows are a second apart. */
export async function fillLists(world: World): Promise<Filled> {
  const cast = await createCast(world);
  const staff = await createStaff(world);
  const { workspaceId, alice } = cast;
  const build = createBuild(cast);
  const [word, secret] = ['barnacle', 'withheld'];
  const open = await build.space({ name: `Open ${word}`, visibility: 'public' });
  const talk = await build.thread({ name: `Open talk of a ${word}`, visibility: 'public' });
  const { result: hook } = await alice.api('webhook.create', { params: { workspaceId }, body: HOOK });
  const inTalk = { workspaceId, threadId: talk.id };
  const anonymous = createRaw(world);
  for (let n = 0; n < TIMES; n += 1) {
    world.clock.advance(SECOND_MS);
    const space = await build.space({ name: `Place ${n} of a ${word}`, visibility: 'public' });
    const memory = await build.memory({ title: `Note ${n} of a ${word}`, tags: [`tag-${n}`] });
    for (const { id } of [open, space]) await build.link(id, memory.id);
    for (const title of ['a', 'b']) await build.link(space.id, (await build.memory({ title })).id);
    const thread = await build.thread({ name: `Talk ${n} of a ${word}`, visibility: 'public' });
    await alice.api('message.create', { params: inTalk, body: { content: `Where is the ${word}? ${n}` } });
    const { value: messageId } = await writeInRealm(
      world.context,
      workspaceId,
      asPerson(alice.user.id),
      (tx) => writeAnswer(tx, { threadId: talk.id, content: `On the rock, ${n}` }),
    );
    const rating = { ...inTalk, messageId, value: 1 as const };
    await alice.api('message.rate', { body: rating });
    await createApi(world)('public_message.rate', { body: rating });
    await createKey(world, alice, { workspaceId, scopes: ['profile'] });
    await alice.api('webhook.create', { params: { workspaceId }, body: HOOK });
    await alice.api('webhook.test', { params: { workspaceId, id: hook.id } });
    const invited = { workspaceId, email: `invited-${n}@example.com`, position: 'member' as const };
    await alice.api('invite.create', { body: invited });
    await alice.api('auth.login', { body: { email: alice.user.email, password: TEST_PASSWORD } });
    await alice.api('workspace.create', { body: { name: `Workspace ${n}` } });
    const { result: app } = await alice.api('oauth_client.create', {
      body: { workspaceId, name: `Reader ${n}`, redirectUris: ['https://app.example/callback'] },
    });
    await world.context.db
      .updateTable('oauth_client')
      .set({ verified: true })
      .where('id', '=', app.id)
      .execute();
    await storeToken(world, { userId: alice.user.id, workspaceId });
    await uploadArchive(world.url, { token: alice.token, workspaceId }, await zipOf([NOTE]));
    await insertFeed(world, { workspaceId, ownerId: alice.user.id, spaceId: space.id, title: `Feed ${n}` });
    await finishExport(world, cast);
    const report = { workspaceId, reason: 'spam', details: 'An advertisement' };
    await anonymous('POST', '/v1/public/threads/report', { body: { ...report, id: thread.id } });
    await anonymous('POST', '/signup', { body: { email: `waiting-${n}@example.com` } });
  }
  const closedSpace = await build.space({ name: `${secret} ${word} space`, visibility: 'private' });
  const closedThread = await build.thread({ name: `${secret} ${word} thread`, visibility: 'private' });
  const hidden = await build.memory({ title: `${secret} ${word}`, spaceId: closedSpace.id });
  await build.link(closedSpace.id, hidden.id);
  await alice.api('message.create', {
    params: { workspaceId, threadId: closedThread.id },
    body: { content: secret },
  });
  return {
    cast,
    staff,
    word,
    secret,
    params: { workspaceId, spaceId: open.id, threadId: talk.id, webhookId: hook.id },
    closed: { spaceId: closedSpace.id, threadId: closedThread.id },
  };
}

const HOOK = { url: 'https://example.com/hook' };
const NOTE = { path: 'note.md', bytes: 'A note' };

/** Another export can begin once this one is done. */
async function finishExport(world: World, { alice, workspaceId }: Cast): Promise<void> {
  const { result } = await alice.api('export.create', { body: { workspaceId } });
  await runExport(world.context, result.id);
}
