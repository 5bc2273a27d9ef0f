/**
 * Turns the changes of a workspace into deliveries of its webhooks. Each webhook has its own cursor and sees the content that
 * its owner sees, by the same rules as a client that reads changes, so none is missed and nothing private is sent.
 */
import { sql } from 'kysely';
import { eventOf } from '#shared/webhooks/event-of.ts';
import type { WebhookEvent } from '#shared/webhooks/webhook.ts';
import { CHANGES } from '#shared/sync/limits.ts';
import { WEBHOOKS } from '#shared/webhooks/limits.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { isId, newId, type Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import type { Member } from '../http/call.ts';
import { listChanges, presentCursor, type ChangePage } from '../changes/service.ts';
import { threadsFor } from '../threads/service.ts';
import { disableWebhook } from './deliver.ts';

/** Notifies the queue of commits in workspaces that have webhooks; the result stops it. */
export function watchForWebhooks(context: Context): () => Promise<void> {
  const waiting = new Map<string, NodeJS.Timeout>();
  const stop = context.pokes.listen(({ realmId }) => {
    if (!isId('workspace', realmId) || waiting.has(realmId)) return;
    const timer = setTimeout(() => {
      waiting.delete(realmId);
      queueCollection(context, realmId).catch((error: unknown) =>
        context.log.warn(
          { error, realmId },
          'changes for webhooks wait for the next commit or the hourly sweep',
        ),
      );
    }, WEBHOOKS.gatherMs);
    waiting.set(realmId, timer);
  });
  return async () => {
    stop();
    for (const timer of waiting.values()) clearTimeout(timer);
    await Promise.resolve();
  };
}

async function queueCollection({ db, jobs }: Context, workspaceId: Id<'workspace'>): Promise<void> {
  const { rows } = await sql`
    select 1 from "webhook" where "workspaceId" = ${workspaceId} and "enabled" limit 1`.execute(db);
  if (rows.length > 0) await jobs.enqueue(db, 'webhook.collect', { workspaceId }, { group: workspaceId });
}

/** Queues every workspace with webhooks, for commits whose process died, and forgets old deliveries. */
export async function sweepWebhooks({ db, jobs }: Pick<Context, 'db' | 'jobs'>, now: Date): Promise<void> {
  const { rows } = await sql<{ workspaceId: Id<'workspace'> }>`
    select distinct "workspaceId" from "webhook" where "enabled" ${across('upkeep')}`.execute(db);
  for (const { workspaceId } of rows)
    await jobs.enqueue(db, 'webhook.collect', { workspaceId }, { group: workspaceId });
  const before = new Date(now.getTime() - WEBHOOKS.logDays * 86_400_000).toISOString();
  await sql`delete from "webhook_delivery" where "created" < ${before} ${across('purge')}`.execute(db);
}

/** Creates deliveries for all changes since the last run. */
export async function collectForWebhooks(context: Context, workspaceId: Id<'workspace'>): Promise<void> {
  const { rows } = await sql<{ id: Id<'webhook'> }>`
    select "id" from "webhook" where "workspaceId" = ${workspaceId} and "enabled" order by "id"`.execute(
    context.db,
  );
  for (const { id } of rows) while (await collectOne(context, workspaceId, id));
}

interface Collected {
  id: Id<'webhook'>;
  ownerId: Id<'user'>;
  url: string;
  events: WebhookEvent[];
  cursor: string;
}

/** One page of changes for one webhook; true when there is more. */
async function collectOne(
  context: Context,
  workspaceId: Id<'workspace'>,
  webhookId: Id<'webhook'>,
): Promise<boolean> {
  const left = await context.db.transaction().execute(async (trx) => {
    // Two nodes may have noticed the same change: the second waits, and then finds the cursor of the first.
    const { rows } = await sql<Collected>`
      select "id", "ownerId", "url", "events", "cursor" from "webhook"
      where "workspaceId" = ${workspaceId} and "id" = ${webhookId} and "enabled" for update`.execute(trx);
    const [found] = rows;
    if (!found) return undefined;
    const actor = await actorOf(trx, workspaceId, found.ownerId);
    if (actor === undefined) return found;
    const { events, cursor, hasMore } = await eventsSince(context, actor, found.cursor);
    for (const event of events) {
      if (found.events.length > 0 && !found.events.includes(event.type)) continue;
      await insertDelivery(context, trx, { workspaceId, webhookId, ownerId: found.ownerId, ...event });
    }
    await sql`
      update "webhook" set "cursor" = ${cursor}
      where "workspaceId" = ${workspaceId} and "id" = ${webhookId}`.execute(trx);
    return hasMore;
  });
  if (typeof left !== 'object') return left ?? false;
  await disableWebhook(context, { workspaceId, webhookId, ...left }, 'Its owner is not a member any more');
  return false;
}

/** Makes deliveries of an answer that was written or written again. Messages are no part of the feed of changes. */
export async function collectAnswer(
  context: Context,
  { workspaceId, messageId }: { workspaceId: Id<'workspace'>; messageId: Id<'message'> },
): Promise<void> {
  const type = 'message.answered';
  await context.db.transaction().execute(async (trx) => {
    const { rows: answers } = await sql<Row<'message'>>`
      select * from "message" where "workspaceId" = ${workspaceId} and "id" = ${messageId}`.execute(trx);
    const [row] = answers;
    if (!row) return;
    const { rows: webhooks } = await sql<Pick<Collected, 'id' | 'ownerId'>>`
      select "id", "ownerId" from "webhook" where "workspaceId" = ${workspaceId} and "enabled"
        and ("events" = '{}' or ${type} = any("events"))`.execute(trx);
    for (const { id: webhookId, ownerId } of webhooks) {
      const actor = await actorOf(trx, workspaceId, ownerId);
      if (actor === undefined) continue;
      const thread = await threadsFor(trx, actor).where('thread.id', '=', row.threadId).executeTakeFirst();
      if (thread === undefined) continue;
      const data = { workspaceId, id: messageId, row };
      await insertDelivery(context, trx, { workspaceId, webhookId, ownerId, type, data });
    }
  });
}

interface Event {
  type: WebhookEvent;
  data: Record<string, unknown>;
}

async function eventsSince(
  context: Context,
  actor: Member,
  cursor: string,
): Promise<Omit<ChangePage, 'changes'> & { events: Event[] }> {
  try {
    const { changes, ...page } = await listChanges(context, actor, {
      cursor,
      limit: CHANGES.limit,
    });
    const { workspaceId } = actor;
    const events = changes.map((change): Event => {
      const data = { workspaceId, id: change.id };
      return {
        type: eventOf(change),
        data: change.action === 'put' ? { ...data, row: change.row } : data,
      };
    });
    return { ...page, events };
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'gone' && error.code !== 'bad_request')) throw error;
    const data = { workspaceId: actor.workspaceId };
    return {
      events: [{ type: 'changes.lost', data }],
      cursor: await presentCursor(context, actor),
      hasMore: false,
    };
  }
}

/** The owner of a webhook as the member who reads for it; undefined when they may not have webhooks any more. */
async function actorOf(
  db: Database,
  workspaceId: Id<'workspace'>,
  userId: Id<'user'>,
): Promise<Member | undefined> {
  const { rows } = await sql<Row<'user'> & { position: Position }>`
    select u.*, m."position" from "user" u
    join "workspace_member" m on m."userId" = u."id" and m."workspaceId" = ${workspaceId}
    join "workspace" w on w."id" = m."workspaceId" and w."deletedAt" is null
    where u."id" = ${userId} and m."position" in ('owner', 'admin')`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { position, ...user } = found;
  return {
    userId,
    user,
    workspaceId,
    position,
    credential: { kind: 'session', id: 'webhook', impersonator: null },
    spaceIds: null,
  };
}

interface NewDelivery extends Event {
  workspaceId: Id<'workspace'>;
  webhookId: Id<'webhook'>;
  ownerId: Id<'user'>;
}

/** Adds a delivery and the job that sends it. */
export async function insertDelivery(
  { jobs, clock }: Pick<Context, 'jobs' | 'clock'>,
  db: Database,
  { workspaceId, webhookId, ownerId, type, data }: NewDelivery,
): Promise<Id<'webhook_delivery'>> {
  const id = newId('webhook_delivery');
  const now = clock.now().toISOString();
  const payload = JSON.stringify({ type, timestamp: now, data });
  await sql`
    insert into "webhook_delivery"
      ("workspaceId", "id", "webhookId", "ownerId", "event", "payload", "status", "created", "updated")
    values (${workspaceId}, ${id}, ${webhookId}, ${ownerId}, ${type}, ${payload}, 'pending', ${now}, ${now})`.execute(
    db,
  );
  await jobs.enqueue(db, 'webhook.deliver', { workspaceId, deliveryId: id }, { group: webhookId });
  return id;
}
