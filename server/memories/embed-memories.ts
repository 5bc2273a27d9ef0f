// Makes the vectors of a workspace's memories that have none, or those of another model or text. One job at a time works on a
// workspace; each stored memory is complete, so the next job continues after a killed one without duplicates. Faults of the
// model are handled here: the work is queued again, later with each failure in a row.
import { createHash } from 'node:crypto';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import type { Id } from '#shared/ids.ts';
import { plainChunksOf, type Chunk, type MemoryTexts } from '#shared/threads/chunks.ts';
import type { Context } from '../context.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../limits.ts';
import { EmbeddingError, type EmbeddingModel } from '../providers/embedding-model.ts';
import { countEmbedding } from './embedding-usage.ts';
import { enqueueWork, listDue } from './embedding-queue.ts';
import {
  claimWork,
  keepClaim,
  readTexts,
  releaseWork,
  storedDimensions,
  storedVectors,
  storeVectors,
  type StoredPassage,
} from './vector-store.ts';

type Host = Pick<Context, 'db' | 'jobs' | 'clock' | 'log' | 'embeddings'>;

const CHUNKS = new URL('./chunk-worker.ts', import.meta.url);

/**
 * @param jobId adopts the claim of an earlier attempt of the same job, whose server has died
 * @throws when another job holds the claim, so that this one is retried
 */
export async function embedMemories(host: Host, workspaceId: Id<'workspace'>, jobId?: string): Promise<void> {
  const { embeddings, db, clock, log } = host;
  if (embeddings === undefined) return;
  const claim = { workspaceId, jobId: jobId ?? 'none', now: () => clock.now() };
  const failures = await claimWork(db, claim);
  if (failures === undefined) throw new Error('Another job embeds the memories of this workspace');
  let waitSeconds = 0;
  let failed = 0;
  try {
    if (!(await embedDue({ ...host, model: embeddings.model }, workspaceId, () => keepClaim(db, claim)))) {
      return await db.transaction().execute((trx) => releaseWork(trx, claim, 0));
    }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    const { first, max } = EMBEDDINGS.retrySeconds;
    waitSeconds = Math.min(first * 2 ** failures, max);
    failed = failures + 1;
    log.warn(
      { fault: error.fault, workspaceId, waitSeconds },
      'the embedding model failed; new vectors wait',
    );
  }
  await db.transaction().execute(async (trx) => {
    await releaseWork(trx, claim, failed);
    await enqueueWork(host, trx, workspaceId, waitSeconds);
  });
}

type Worker = Host & { model: EmbeddingModel };

/** Works for one turn; true when there is more. */
async function embedDue(
  host: Worker,
  workspaceId: Id<'workspace'>,
  keep: () => Promise<void>,
): Promise<boolean> {
  const { db, model } = host;
  const end = performance.now() + EMBEDDINGS.turnMs;
  const dimensions = { known: await storedDimensions(db, workspaceId, model.fingerprint) };
  for (;;) {
    const ids = await listDue(db, workspaceId, model.fingerprint, EMBEDDINGS.readAtOnce);
    if (ids.length === 0) return false;
    await embedSome(host, workspaceId, ids, dimensions, keep);
    if (performance.now() > end) return true;
  }
}

/** A passage whose vector is known, requested, or refused by the model. */
interface Pending {
  chunk: Chunk;
  hash: string;
  vector: Float32Array | undefined;
}

async function embedSome(
  host: Worker,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'memory'>[],
  dimensions: { known: number | undefined },
  keep: () => Promise<void>,
): Promise<void> {
  const { db, model } = host;
  const memories = await readTexts(db, workspaceId, ids);
  // Those that were deleted since they were listed are not due any more.
  const chunks = await splitAll(memories);
  const known = await storedVectors(db, workspaceId, ids, model.fingerprint);
  const asked: Pending[] = [];
  const jobs = memories.map((memory, at) => {
    const pending = (chunks[at] ?? []).map((chunk): Pending => {
      const hash = createHash('sha256').update(chunk.input).digest('hex').slice(0, 32);
      return { chunk, hash, vector: known.get(`${memory.id} ${hash}`) };
    });
    asked.push(...pending.filter(({ vector }) => vector === undefined));
    return { memory, pending, needed: asked.length };
  });
  let done = 0;
  for (const job of jobs) {
    // A request is filled up with passages of the next memories.
    while (done < job.needed) {
      const part = asked.slice(done, done + EMBEDDINGS.perRequest);
      await askFor(host, workspaceId, part, dimensions);
      done += part.length;
      await keep();
    }
    const passages = job.pending.flatMap(({ chunk: { field, text }, hash, vector }): StoredPassage[] =>
      vector === undefined ? [] : [{ field, text, hash, vector }],
    );
    await storeVectors(db, { workspaceId, fingerprint: model.fingerprint, memory: job.memory, passages });
  }
}

/** Of memories that cannot be split in time, each alone is tried, and its beginning used where that fails as well. */
async function splitAll(memories: readonly MemoryTexts[]): Promise<Chunk[][]> {
  const limits = { memoryMb: EMBEDDINGS.readerMemoryMb, limitMs: TIMEOUTS.chunks };
  const together = await runInThread<Chunk[][]>(CHUNKS, memories, limits);
  if (together !== undefined) return together;
  const chunks: Chunk[][] = [];
  for (const memory of memories) {
    const alone = await runInThread<Chunk[][]>(CHUNKS, [memory], limits);
    chunks.push(alone?.[0] ?? plainChunksOf(memory));
  }
  return chunks;
}

/** Fills in the vectors; a passage that the model refuses alone is left without. @throws EmbeddingError */
async function askFor(
  host: Worker,
  workspaceId: Id<'workspace'>,
  part: readonly Pending[],
  dimensions: { known: number | undefined },
): Promise<void> {
  const { model, log } = host;
  const embed = async (items: readonly Pending[]) => {
    const { vectors, tokens } = await model.embed(
      items.map(({ chunk }) => chunk.input),
      TIMEOUTS.embedding,
    );
    await countEmbedding(host, workspaceId, tokens);
    items.forEach((item, at) => {
      const vector = vectors[at];
      // A model that changes its dimensions cannot be compared with its own earlier vectors.
      if (vector === undefined || vector.length !== (dimensions.known ??= vector.length))
        throw new EmbeddingError('shape');
      item.vector = vector;
    });
  };
  try {
    return await embed(part);
  } catch (error) {
    if (!(error instanceof EmbeddingError) || error.fault !== 'input') throw error;
  }
  for (const item of part) {
    try {
      await embed([item]);
    } catch (error) {
      if (!(error instanceof EmbeddingError) || error.fault !== 'input') throw error;
      // Throws where the model accepts no text at all: then no single text is at fault.
      await model.embed(['Is this text accepted?'], TIMEOUTS.embedding);
      log.warn('the embedding model refused a passage, which is found by its words alone');
    }
  }
}
