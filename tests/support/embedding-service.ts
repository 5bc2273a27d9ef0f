/**
 * An embedding model as the network sees it: a local HTTP server that speaks the protocol of OpenAI's embeddings, and as
 * badly as a test wants. Its vectors are bags of hashed words, in which words of the same meaning are one word.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { stemOf } from '#shared/search/stem.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';

/** What it was asked. */
export interface EmbeddingRequest {
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: { model?: string; input?: string[]; dimensions?: number; encoding_format?: string };
}

/** Words that mean the same; the first stands for all of them. */
const SYNONYMS = [
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'medic'],
  ['kiln', 'oven', 'furnace'],
  ['hot', 'temperature', 'degree', 'heat'],
  ['boat', 'ship', 'ferry', 'vessel'],
  ['money', 'budget', 'expense', 'finance'],
  ['secret', 'confidential', 'classified'],
];
const MEANING = new Map(
  SYNONYMS.flatMap((group) => group.map((word) => [stemOf(word), group[0] ?? word] as const)),
);
/** Words that every text has. */
const EMPTY = new Set(['a', 'an', 'the', 'of', 'in', 'is', 'it', 'at', 'to', 'and', 'how', 'does', 'my']);

export const DIMENSIONS = 96;

/** The vector of a text: equal texts have equal ones, and those that share meanings are near. */
export function toyVector(text: string, dimensions = DIMENSIONS): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const term of termsOf(text)) {
    if (EMPTY.has(term)) continue;
    const word = MEANING.get(stemOf(term)) ?? stemOf(term);
    const hash = createHash('sha1').update(word).digest();
    for (const at of [0, 4, 8]) {
      const slot = hash.readUInt32BE(at) % dimensions;
      vector[slot] = (vector[slot] ?? 0) + ((hash[at + 12 - 8] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  // A text without words must have a direction too.
  vector[0] = (vector[0] ?? 0) + 0.01;
  return vector;
}

type Behaviour = (res: ServerResponse, request: EmbeddingRequest) => void | Promise<void>;

export interface EmbeddingService {
  /** For EMBEDDINGS_URL. */
  url: string;
  requests: EmbeddingRequest[];
  /** All texts that it was sent, in their order. */
  texts(): string[];
  /** What it does from now on; nothing given: what it should. */
  behave(behaviour?: Behaviour): void;
  close(): Promise<void>;
}

export const EMBEDDING_KEY = 'sk-embedding-key-of-the-operator';

/** The environment of a server that uses it. */
export const embeddingEnv = ({ url }: Pick<EmbeddingService, 'url'>, model = 'toy-1') => ({
  EMBEDDINGS_URL: url,
  EMBEDDINGS_MODEL: model,
  EMBEDDINGS_API_KEY: EMBEDDING_KEY,
});

/** Sends vectors as the protocol has them. */
export function sendVectors(res: ServerResponse, vectors: readonly (readonly unknown[])[]): void {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  sendJson(res, 200, { object: 'list', data, model: 'toy', usage: { prompt_tokens: 7, total_tokens: 7 } });
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

const behaveWell: Behaviour = (res, { body }) =>
  sendVectors(
    res,
    (body.input ?? []).map((text) => toyVector(text, body.dimensions)),
  );

/** Starts it. */
export async function startEmbeddingService(): Promise<EmbeddingService> {
  const requests: EmbeddingRequest[] = [];
  let behaviour = behaveWell;
  const server = createServer((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
      const request = { path: req.url ?? '', headers: req.headers, body };
      requests.push(request);
      await behaviour(res, request);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    texts: () => requests.flatMap(({ body }) => body.input ?? []),
    behave: (next = behaveWell) => {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
