/**
 * Which memories have no vectors yet, or those of another model or text, and the jobs that make them. If owners and admins have
 * disabled language models in a workspace, its texts are sent to none, so it has no vectors.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

type Host = Pick<Context, 'db' | 'jobs' | 'clock' | 'embeddings'>;

/** A queued job that is overdue by so much is believed lost. */
const LOST_MS = 10 * 60_000;

/** Queues the work of each workspace after its commits, and of all of them once at the start; the result stops it. */
export function watchForEmbeddings(context: Context): () => Promise<void> {
  if (context.embeddings === undefined) return () => Promise.resolve();
  const waiting = new Map<string, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const run = (work: Promise<void>) => {
    const settled = work
      .catch((error: unknown) => {
        if (!context.stopping.aborted)
          context.log.warn({ error }, 'new vectors wait for the next commit or the hourly sweep');
      })
      .finally(() => running.delete(settled));
    running.add(settled);
  };
  const stop = context.pokes.listen(({ realmId }) => {
    if (!isId('workspace', realmId) || waiting.has(realmId)) return;
    const timer = setTimeout(() => {
      waiting.delete(realmId);
      run(queueEmbedding(context, realmId));
    }, EMBEDDINGS.gatherMs);
    waiting.set(realmId, timer);
  });
  run(context.embeddings.model.prepare());
  run(queueEmbeddings(context));
  return async () => {
    stop();
    for (const timer of waiting.values()) clearTimeout(timer);
    await Promise.all(running);
  };
}

/** Queues every workspace with memories that are due: another model, imports, commits whose process died. */
export async function queueEmbeddings(host: Host): Promise<void> {
  const { embeddings, db } = host;
  if (embeddings === undefined) return;
  await sql`
    with gone as (
      delete from "memory_embedding" where "workspaceId" in (
        select "workspaceId" from "answering_setting" where "provider" = 'none'))
    delete from "memory_vector" where "workspaceId" in (
      select "workspaceId" from "answering_setting" where "provider" = 'none') ${across('purge')}`.execute(
    db,
  );
  const { rows } = await sql<{ workspaceId: Id<'workspace'> }>`
    select distinct s."workspaceId" from "memory_search" s
    left join "memory_embedding" e on e."workspaceId" = s."workspaceId" and e."memoryId" = s."memoryId"
      and e."fingerprint" = ${embeddings.model.fingerprint}
    where not s."deleted" and e."memoryId" is null ${across('upkeep')}`.execute(db);
  for (const { workspaceId } of rows) await queueEmbedding(host, workspaceId);
}

/** Queues the work of a workspace, unless it has none or a job waits already. */
export async function queueEmbedding(host: Host, workspaceId: Id<'workspace'>): Promise<void> {
  const { embeddings, db, jobs } = host;
  if (
    embeddings === undefined ||
    (await listDue(db, workspaceId, embeddings.model.fingerprint, 1)).length === 0
  )
    return;
  await db.transaction().execute((trx) => enqueueWork({ ...host, jobs }, trx, workspaceId, 0));
}

/** Adds a job that is due in this many seconds, unless one waits. */
export async function enqueueWork(
  { jobs, clock }: Pick<Host, 'jobs' | 'clock'>,
  trx: Kysely<Tables>,
  workspaceId: Id<'workspace'>,
  afterSeconds: number,
): Promise<void> {
  const now = clock.now().getTime();
  const { rows } = await sql`
    insert into "embedding_work" as w ("workspaceId", "dueAt")
    select "id", ${new Date(now + afterSeconds * 1_000).toISOString()}::timestamptz from "workspace"
    where "id" = ${workspaceId}
    on conflict ("workspaceId") do update set "dueAt" = excluded."dueAt"
      where w."dueAt" is null or w."dueAt" < ${new Date(now - LOST_MS).toISOString()}
    returning 1`.execute(trx);
  if (rows.length === 0) return;
  await jobs.enqueue(
    trx,
    'memory.embed',
    { workspaceId },
    {
      group: workspaceId,
      inBackground: true,
      ...(afterSeconds > 0 && { afterSeconds }),
    },
  );
}

/** Condition for a workspace whose texts a model may be sent. */
export function mayEmbed(workspaceId: string): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from "workspace" open
      where open."id" = ${workspaceId} and open."deletedAt" is null)
    and not exists (select 1 from "answering_setting" chosen
      where chosen."workspaceId" = ${workspaceId} and chosen."provider" = 'none'))`;
}

/** Ids of memories that need vectors, newest first. */
export async function listDue(
  db: Database,
  workspaceId: string,
  fingerprint: string,
  most: number,
): Promise<Id<'memory'>[]> {
  const { rows } = await sql<{ memoryId: Id<'memory'> }>`
    select s."memoryId" from "memory_search" s
    left join "memory_embedding" e on e."workspaceId" = s."workspaceId" and e."memoryId" = s."memoryId"
      and e."fingerprint" = ${fingerprint}
    where s."workspaceId" = ${workspaceId} and not s."deleted" and e."memoryId" is null and ${mayEmbed(workspaceId)}
    order by s."created" desc, s."memoryId" limit ${most}`.execute(db);
  return rows.map(({ memoryId }) => memoryId);
}
