/**
 * The vectors of queries: those requested before are cached, and after a failure the model is not called for a while, so that
 * people do not wait for one that is slow or down.
 */
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import type { Clock } from '../clock.ts';
import { TIMEOUTS } from '../limits.ts';
import type { Logger } from '../log.ts';
import { EmbeddingError, type EmbeddingModel } from '../providers/embedding-model.ts';

/** Called with the tokens of each request to the model; must not reject. */
type UsageListener = (tokens: number | undefined) => Promise<void>;

export interface Embeddings {
  model: EmbeddingModel;
  /** The vector of a query; undefined where the model fails, or is left alone after a failure. */
  queryVector(text: string, onUsage: UsageListener): Promise<Float32Array | undefined>;
}

/** Undefined without a model. */
export function createEmbeddings(
  model: EmbeddingModel | undefined,
  { clock, log }: { clock: Clock; log: Pick<Logger, 'warn'> },
): Embeddings | undefined {
  return model && embeddingsOf(model, clock, log);
}

function embeddingsOf(model: EmbeddingModel, clock: Clock, log: Pick<Logger, 'warn'>): Embeddings {
  /** In the order of their last use. */
  const known = new Map<string, Promise<Float32Array | undefined>>();
  let failures = 0;
  let restUntil = 0;

  async function ask(text: string, onUsage: UsageListener): Promise<Float32Array | undefined> {
    try {
      const { vectors, tokens } = await model.embed([text], TIMEOUTS.queryEmbedding);
      failures = 0;
      await onUsage(tokens);
      return vectors[0];
    } catch (error) {
      known.delete(text);
      if (!(error instanceof EmbeddingError)) throw error;
      // A query that was rejected for its text says nothing about the next query.
      if (error.fault === 'input') return undefined;
      const restMs = Math.min(EMBEDDINGS.restMs.first * 2 ** failures, EMBEDDINGS.restMs.max);
      const now = clock.now().getTime();
      // Requests that were under way together fail together.
      if (now < restUntil) return undefined;
      failures += 1;
      restUntil = now + restMs;
      log.warn({ fault: error.fault, restMs }, 'the embedding model failed, so search goes by words alone');
      return undefined;
    }
  }

  return {
    model,
    queryVector(text, onUsage) {
      const query = text.slice(0, EMBEDDINGS.queryCharacters).toWellFormed();
      const before = known.get(query);
      if (before === undefined && clock.now().getTime() < restUntil) return Promise.resolve(undefined);
      const vector = before ?? ask(query, onUsage);
      known.delete(query);
      known.set(query, vector);
      const [oldest] = known.keys();
      if (known.size > EMBEDDINGS.queriesKept && oldest !== undefined) known.delete(oldest);
      return vector;
    },
  };
}
