/**
 * The model that turns texts into vectors, behind the interface of OpenAI. Its errors are mapped to a few faults, so that
 * neither the key nor the input can be in a log.
 */
import { createHash } from 'node:crypto';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import type { Config } from '../config.ts';
import { createServiceFetch, isTokenCount, serviceFault } from './service-fetch.ts';

/**
 * Why there are no vectors. refused = the key or the name of the model was not accepted; input = a text was not
 * accepted; busy = too many requests; timeout; network; broken = a response that is none; shape = other than one finite
 * vector of equal length for each text; too_large; blocked = a redirect, or an address that must not be reached.
 */
export type EmbeddingFault =
  | 'refused'
  | 'input'
  | 'busy'
  | 'timeout'
  | 'network'
  | 'broken'
  | 'shape'
  | 'too_large'
  | 'blocked';

export class EmbeddingError extends Error {
  readonly fault: EmbeddingFault;

  /** Without a cause: errors of the SDK hold the request. */
  constructor(fault: EmbeddingFault) {
    super(`The embedding model returned no vectors (${fault})`);
    this.name = 'EmbeddingError';
    this.fault = fault;
  }
}

/** Vectors in the order of their texts, and the tokens that the service counted, if it did. */
interface Embedded {
  /** Each of length 1. */
  vectors: Float32Array[];
  tokens: number | undefined;
}

export interface EmbeddingModel {
  /** Its name, and the host that it runs on. */
  name: string;
  host: string;
  /** The same for models whose vectors can be compared. */
  fingerprint: string;
  /** Minimum cosine similarity of matches by meaning alone, 0 to 1. */
  minSimilarity: number;
  /** Loads the SDK, which is large, so that the first person who searches does not wait for it. */
  prepare(): Promise<void>;
  /** One request, which is not tried again. @throws EmbeddingError */
  embed(texts: readonly string[], limitMs: number): Promise<Embedded>;
}

/** Bytes of a response beside its numbers, and of one number as text. */
const RESPONSE_BYTES = { base: 64 * 1024, number: 32 } as const;

/** The configured model; undefined where none is. Opens no connection before its first use. */
export function createEmbeddingModel(settings: Config['embeddings']): EmbeddingModel | undefined {
  if (settings === undefined) return undefined;
  const { url, model, dimensions, minSimilarity } = settings;
  const named = JSON.stringify([url.replace(/\/+$/, ''), model, dimensions ?? null]);
  return {
    name: model,
    host: new URL(url).host,
    fingerprint: createHash('sha256').update(named).digest('hex').slice(0, 16),
    minSimilarity,
    async prepare() {
      await loadSdk();
    },
    async embed(texts, limitMs) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), limitMs);
      try {
        return await request(settings, texts, late.signal);
      } catch (error) {
        throw late.signal.aborted ? new EmbeddingError('timeout') : await asFault(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Most servers search without a model, so it is not loaded with this file. */
async function loadSdk() {
  const [{ embedMany }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  return { embedMany, createOpenAICompatible };
}

async function request(
  { url, model, apiKey, dimensions }: NonNullable<Config['embeddings']>,
  texts: readonly string[],
  abortSignal: AbortSignal,
): Promise<Embedded> {
  const { embedMany, createOpenAICompatible } = await loadSdk();
  const maxBytes =
    RESPONSE_BYTES.base + texts.length * (dimensions ?? EMBEDDINGS.dimensionsMax) * RESPONSE_BYTES.number;
  const provider = createOpenAICompatible({
    name: 'embeddings',
    baseURL: url.replace(/\/+$/, ''),
    fetch: createServiceFetch(url, maxBytes),
    ...(apiKey !== undefined && { apiKey }),
  });
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const { embeddings, usage } = await embedMany({
    model: provider.embeddingModel(model),
    values: [...texts],
    maxRetries: 0,
    abortSignal,
    ...(dimensions !== undefined && { providerOptions: { embeddings: { dimensions } } }),
  });
  const { tokens } = usage;
  return {
    vectors: unitVectors(embeddings, texts.length, dimensions),
    tokens: tokens > 0 && isTokenCount(tokens) ? tokens : undefined,
  };
}

function unitVectors(
  rows: readonly (readonly number[])[],
  count: number,
  dimensions: number | undefined,
): Float32Array[] {
  const length = dimensions ?? rows[0]?.length ?? 0;
  if (rows.length !== count || length < 1 || length > EMBEDDINGS.dimensionsMax)
    throw new EmbeddingError('shape');
  return rows.map((row) => {
    const size = Math.hypot(...row);
    if (row.length !== length || !Number.isFinite(size) || size === 0) throw new EmbeddingError('shape');
    return Float32Array.from(row, (value) => value / size);
  });
}

const EGRESS_FAULTS = { too_large: 'too_large', blocked: 'blocked', redirects: 'blocked' } as const;
/** Statuses with which services refuse a text: bad request, too large, unprocessable. */
const INPUT: ReadonlySet<number> = new Set([400, 413, 422]);

async function asFault(error: unknown): Promise<EmbeddingError> {
  if (error instanceof EmbeddingError) return error;
  const { APICallError } = await import('ai');
  const fault = await serviceFault(error, EGRESS_FAULTS);
  const isInput = fault === 'refused' && APICallError.isInstance(error) && INPUT.has(error.statusCode ?? 0);
  return new EmbeddingError(isInput ? 'input' : fault);
}
