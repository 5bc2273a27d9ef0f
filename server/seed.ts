/**
 * The first start of a try-out server: a demo account with a small sample workspace. It refuses to run
 * where people besides the owner of the machine could sign in, and never touches a database that has users.
 */
import { DAY_MS, MINUTE_MS } from '#shared/constants.ts';
import { authoredBy } from '#shared/define/authored.ts';
import { type Id, newId } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { NEW_MEMORY, type MemoryHead } from '#shared/memories/memory.ts';
import { space } from '#shared/spaces/space.ts';
import { message } from '#shared/threads/message.ts';
import { thread } from '#shared/threads/thread.ts';
import { DEMO_PASSWORD, hashPassword } from './accounts/passwords.ts';
import { newUser } from './accounts/service.ts';
import type { Context } from './context.ts';
import { systemActor, type ServerTx } from './db/server-tx.ts';
import { writeInRealm } from './db/transaction.ts';
import { storeUrlKey } from './memories/service.ts';
import { SAMPLE_MEMORIES, SAMPLE_SPACES, SAMPLE_THREADS, type SampleMemory } from './seed-content.ts';
import { enqueueAnswer } from './threads/answer-message.ts';
import { createWorkspace } from './workspaces/membership.ts';

/** How to sign in to the sample workspace. */
export const DEMO = { email: 'demo@example.com', password: DEMO_PASSWORD, slug: 'demo' } as const;

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** True for the embedded database without a production setting, reachable from this machine only. */
export function maySeedDemo({ config }: Pick<Context, 'config'>): boolean {
  return config.env !== 'production' && config.databaseUrl === undefined && LOOPBACK.has(config.host);
}

/** Seeds an empty database; false when there was an account already. Safe to call at every start. */
export async function seedDemo(context: Context): Promise<boolean> {
  const anyUser = await context.db.selectFrom('user').select('id').limit(1).executeTakeFirst();
  if (anyUser) return false;
  const hash = await hashPassword(context.config.env, DEMO.password);
  const workspaceId = newId('workspace');
  const { value } = await writeInRealm(context, workspaceId, systemActor, async (tx) => {
    const row = newUser({ email: DEMO.email, emailVerified: true, at: tx.now });
    const user = await tx.trx
      .insertInto('user')
      .values({ ...row, forename: 'Demo', checklistClosedAt: row.created })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    // Another process was faster.
    if (!user) return false;
    await tx.trx
      .insertInto('user_password')
      .values({ userId: user.id, hash, updated: user.created })
      .execute();
    const description = 'A small sample to look around in. Everything here may be changed or deleted.';
    await createWorkspace(tx, user.id, { id: workspaceId, name: 'Demo', slug: DEMO.slug, description });
    await seedContent(context, tx, { userId: user.id, workspaceId });
    return true;
  });
  return value;
}

interface Place {
  userId: Id<'user'>;
  workspaceId: Id<'workspace'>;
}

async function seedContent(context: Context, tx: ServerTx, place: Place): Promise<void> {
  const spaceIds = new Map(SAMPLE_SPACES.map(({ key }) => [key, newId('space')]));
  for (const { key, ...sample } of SAMPLE_SPACES) {
    await tx.insert('space', {
      ...space.defaults,
      ...sample,
      ...authoredBy(place.userId, place.workspaceId, ageing(tx, 130)),
      id: spaceIds.get(key) ?? newId('space'),
      origin: 'unknown',
    });
  }
  for (const sample of SAMPLE_MEMORIES) await seedMemory(tx, place, { sample, spaceIds });
  for (const sample of SAMPLE_THREADS) await seedThread(context, tx, place, sample);
}

async function seedMemory(
  tx: ServerTx,
  place: Place,
  { sample, spaceIds }: { sample: SampleMemory; spaceIds: ReadonlyMap<string, Id<'space'>> },
): Promise<void> {
  const { age, title, url = null, notes = null, tags, archived = false } = sample;
  const homes = sample.spaces.flatMap((key) => spaceIds.get(key) ?? []);
  const isPrivate = sample.spaces.includes('journal');
  const row: MemoryHead = {
    ...NEW_MEMORY,
    ...authoredBy(place.userId, place.workspaceId, ageing(tx, age)),
    ...bodyFields(notes),
    id: newId('memory'),
    spaceId: isPrivate ? (homes[0] ?? null) : null,
    type: url === null ? 'note' : 'link',
    origin: 'system',
    contentStatus: 'completed',
    title,
    url,
    tags,
    archived,
    description: sample.description ?? null,
    summary: sample.summary ?? null,
  };
  await tx.insert('memory', row);
  await storeUrlKey(tx, row.id, url);
  for (const spaceId of homes) {
    const link = { workspaceId: place.workspaceId, spaceId, memoryId: row.id, createdBy: place.userId };
    await tx.insert('space_memory', { ...link, created: row.created });
  }
}

async function seedThread(
  { jobs }: Pick<Context, 'jobs'>,
  tx: ServerTx,
  place: Place,
  { name, question }: (typeof SAMPLE_THREADS)[number],
): Promise<void> {
  const { workspaceId, userId } = place;
  const threadId = newId('thread');
  await tx.insert('thread', {
    ...thread.defaults,
    ...authoredBy(userId, workspaceId, ageing(tx, 0)),
    id: threadId,
    name,
    summary: null,
    origin: 'unknown',
  });
  const messageId = newId('message');
  await tx.insert('message', {
    ...message.defaults,
    id: messageId,
    workspaceId,
    threadId,
    role: 'user',
    content: question,
    createdBy: userId,
    createdAt: tx.now.toISOString(),
  });
  await enqueueAnswer(jobs, tx, { workspaceId, messageId });
}

/** So many days ago, at a different minute for every row. */
function ageing(tx: ServerTx, age: number): string {
  return new Date(tx.now.getTime() - age * DAY_MS - age * 7 * MINUTE_MS).toISOString();
}
