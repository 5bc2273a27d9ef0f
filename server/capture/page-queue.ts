// Which links and files wait for their text, and the jobs that extract it.
import { sql, type Kysely } from 'kysely';
import { CAPTURE } from '#shared/capture/limits.ts';
import type { Id } from '#shared/ids.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { Tables } from '../db/tables.ts';
import type { EnqueueOptions, JobQueue } from '../jobs/queue.ts';

type Enqueue = Pick<JobQueue, 'enqueue'>;

export interface PageAddress {
  workspaceId: Id<'workspace'>;
  memoryId: Id<'memory'>;
}

/** Links that were added without a mutation (imports, copies) and those of an older version are found once an hour. */
const SWEEP_MAX = 2_000;
const FORGOTTEN_MS = 3_600_000;

/** Queues the text of a link or file that was just saved, changed or requested again; does nothing for notes. */
export async function queuePage(jobs: Enqueue, tx: ServerTx, id: string): Promise<void> {
  const row = await tx.get('memory', id);
  if (row === undefined || row.type === 'note' || row.contentStatus !== 'pending') return;
  const address = { workspaceId: row.workspaceId, memoryId: row.id };
  await sql`
    insert into "memory_page" ("workspaceId", "memoryId", "queued")
    values (${address.workspaceId}, ${address.memoryId}, ${tx.now.toISOString()})
    on conflict ("workspaceId", "memoryId") do update set "queued" = excluded."queued", "tries" = 0`.execute(
    tx.trx,
  );
  await enqueuePage(jobs, tx.trx, address);
}

/** Queues the pages of imported links, after all others. */
export async function queuePages(
  jobs: Enqueue,
  tx: ServerTx,
  memoryIds: readonly Id<'memory'>[],
): Promise<void> {
  if (memoryIds.length === 0) return;
  await sql`
    insert into "memory_page" ("workspaceId", "memoryId", "queued")
    select ${tx.realmId}, "id", ${tx.now.toISOString()}::timestamptz
    from unnest(${memoryIds}::text[]) as link("id")
    on conflict ("workspaceId", "memoryId") do update set "queued" = excluded."queued", "tries" = 0`.execute(
    tx.trx,
  );
  for (const memoryId of memoryIds) {
    const address = { workspaceId: tx.realmId as Id<'workspace'>, memoryId };
    await enqueuePage(jobs, tx.trx, address, { inBackground: true });
  }
}

/** Adds a job for one page; in each workspace a few run at a time, so that no workspace holds up the others. */
export function enqueuePage(
  jobs: Enqueue,
  db: Kysely<Tables>,
  address: PageAddress,
  when: Pick<EnqueueOptions, 'afterSeconds' | 'inBackground'> = {},
): Promise<void> {
  const lane = (address.memoryId.codePointAt(address.memoryId.length - 1) ?? 0) % CAPTURE.lanes;
  return jobs.enqueue(db, 'page.capture', address, { group: `${address.workspaceId}/${lane}`, ...when });
}

/** Queues links and files that wait without a job. */
export async function queueForgottenPages(db: Database, jobs: Enqueue, now: Date): Promise<void> {
  const before = new Date(now.getTime() - FORGOTTEN_MS).toISOString();
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<PageAddress>`
      insert into "memory_page" as p ("workspaceId", "memoryId", "queued")
      select m."workspaceId", m."id", ${now.toISOString()}::timestamptz from "memory" m
      left join "memory_page" known on known."workspaceId" = m."workspaceId" and known."memoryId" = m."id"
      where m."type" in ('link', 'file') and m."contentStatus" = 'pending' and m."deletedAt" is null
        and (known."queued" is null or known."queued" < ${before})
      limit ${SWEEP_MAX}
      on conflict ("workspaceId", "memoryId") do update set "queued" = excluded."queued"
      returning p."workspaceId", p."memoryId" ${across('upkeep')}`.execute(trx);
    for (const address of rows) await enqueuePage(jobs, trx, address, { inBackground: true });
  });
}
