// The tables of search by meaning: vectors of passages, the state of each memory, and the work of each workspace.
import { sql, type Kysely } from 'kysely';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import type { Id } from '#shared/ids.ts';
import type { Chunk, MemoryTexts } from '#shared/threads/chunks.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { TIMEOUTS } from '../limits.ts';
import { mayEmbed } from './embedding-queue.ts';
import { vectorBytes, vectorOf } from '../search/vector-bytes.ts';

interface Claim {
  workspaceId: Id<'workspace'>;
  jobId: string;
  now: () => Date;
}

const leaseEnd = ({ now }: Claim) => new Date(now().getTime() + TIMEOUTS.embeddingLease).toISOString();

/** Claims the work; returns the failures of the model so far, or undefined when another job holds the claim. */
export async function claimWork(db: Database, claim: Claim): Promise<number | undefined> {
  const { rows } = await sql<{ failures: number }>`
    insert into "embedding_work" as w ("workspaceId", "leaseUntil", "leaseJob")
    select "id", ${leaseEnd(claim)}::timestamptz, ${claim.jobId} from "workspace" where "id" = ${claim.workspaceId}
    on conflict ("workspaceId") do update
      set "dueAt" = null, "leaseUntil" = excluded."leaseUntil", "leaseJob" = excluded."leaseJob"
      where w."leaseUntil" is null or w."leaseUntil" <= ${claim.now().toISOString()}
        or w."leaseJob" = excluded."leaseJob"
    returning "failures"`.execute(db);
  return rows[0]?.failures;
}

/** @throws when another job has claimed the work, or the workspace has disabled vectors */
export async function keepClaim(db: Database, claim: Claim): Promise<void> {
  const { rows } = await sql`
    update "embedding_work" set "leaseUntil" = ${leaseEnd(claim)}
    where "workspaceId" = ${claim.workspaceId} and "leaseJob" = ${claim.jobId}
      and ${mayEmbed(claim.workspaceId)} returning 1`.execute(db);
  if (rows.length === 0)
    throw new Error('The vectors of this workspace are not the work of this job any more');
}

export async function releaseWork(trx: Kysely<Tables>, claim: Claim, failures: number): Promise<void> {
  await sql`
    update "embedding_work" set "leaseUntil" = null, "leaseJob" = null, "failures" = ${failures}
    where "workspaceId" = ${claim.workspaceId} and "leaseJob" = ${claim.jobId}`.execute(trx);
}

export async function forgetVectors(trx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await sql`delete from "memory_embedding" where "workspaceId" = ${workspaceId}`.execute(trx);
  await sql`delete from "memory_vector" where "workspaceId" = ${workspaceId}`.execute(trx);
}

/** The texts of a memory, and a stamp that another text changes. */
export interface DueMemory extends MemoryTexts {
  id: Id<'memory'>;
  stamp: string;
}

const STAMP = sql<string>`md5(row(m."title", m."tags", m."description", m."summary", m."notes", p."text")::text)`;

export async function readTexts(
  db: Database,
  workspaceId: string,
  ids: readonly Id<'memory'>[],
): Promise<DueMemory[]> {
  const { rows } = await sql<DueMemory>`
    select m."id", m."title", m."tags", m."description", m."summary", left(m."notes", ${EMBEDDINGS.textMax}) as "notes",
      left(p."text", ${EMBEDDINGS.textMax}) as "page", ${STAMP} as "stamp"
    from unnest(${ids}::text[]) with ordinality as due("id", "place")
    join "memory" m on m."workspaceId" = ${workspaceId} and m."id" = due."id"
    left join "memory_page" p on p."workspaceId" = ${workspaceId} and p."memoryId" = m."id"
    where m."deletedAt" is null order by due."place"`.execute(db);
  return rows;
}

/** Numbers of the vectors that a model has in a workspace; undefined before its first. */
export async function storedDimensions(
  db: Database,
  workspaceId: string,
  fingerprint: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ dimensions: number }>`
    select octet_length(v."vector") / 4 as "dimensions" from "memory_embedding" e
    join "memory_vector" v on v."workspaceId" = e."workspaceId" and v."memoryId" = e."memoryId"
    where e."workspaceId" = ${workspaceId} and e."fingerprint" = ${fingerprint} limit 1`.execute(db);
  return rows[0]?.dimensions;
}

/** The vectors of memories that a model made before, by the id of the memory and the hash of the passage. */
export async function storedVectors(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
  fingerprint: string,
): Promise<ReadonlyMap<string, Float32Array>> {
  const { rows } = await sql<{ memoryId: string; contentHash: string; vector: Buffer }>`
    select "memoryId", "contentHash", "vector" from "memory_vector"
    where "workspaceId" = ${workspaceId} and "memoryId" = any(${ids}::text[])
      and "fingerprint" = ${fingerprint}`.execute(db);
  return new Map(rows.map((row) => [`${row.memoryId} ${row.contentHash}`, vectorOf(row.vector)]));
}

export interface StoredPassage extends Pick<Chunk, 'field' | 'text'> {
  hash: string;
  vector: Float32Array;
}

/** Replaces the vectors of a memory; does nothing when its text was changed or deleted meanwhile. */
export async function storeVectors(
  db: Database,
  given: {
    workspaceId: string;
    fingerprint: string;
    memory: DueMemory;
    passages: readonly StoredPassage[];
  },
): Promise<void> {
  const { workspaceId, fingerprint, memory, passages } = given;
  await db.transaction().execute(async (trx) => {
    // The lock blocks writers until the vectors are stored, so that they remove the outdated ones.
    await sql`select 1 from "memory" m where m."workspaceId" = ${workspaceId} and m."id" = ${memory.id}
      for share`.execute(trx);
    const { rows } = await sql<{ stamp: string }>`
      select ${STAMP} as "stamp" from "memory" m
      left join "memory_page" p on p."workspaceId" = m."workspaceId" and p."memoryId" = m."id"
      where m."workspaceId" = ${workspaceId} and m."id" = ${memory.id} and m."deletedAt" is null`.execute(
      trx,
    );
    if (rows[0]?.stamp !== memory.stamp) return;
    await sql`delete from "memory_vector"
      where "workspaceId" = ${workspaceId} and "memoryId" = ${memory.id}`.execute(trx);
    if (passages.length > 0) {
      await trx
        .insertInto('memory_vector')
        .values(
          passages.map(({ field, text, hash, vector }, position) => ({
            workspaceId,
            memoryId: memory.id,
            position,
            fingerprint,
            contentHash: hash,
            field,
            text,
            vector: vectorBytes(vector),
          })),
        )
        .execute();
    }
    await sql`
      insert into "memory_embedding" ("workspaceId", "memoryId", "fingerprint")
      values (${workspaceId}, ${memory.id}, ${fingerprint})
      on conflict ("workspaceId", "memoryId") do update
        set "fingerprint" = excluded."fingerprint", "revision" = excluded."revision"`.execute(trx);
  });
}
