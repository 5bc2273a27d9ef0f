/** The way to an embedding model, against a server that speaks its protocol well and badly. */
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import { ConfigError, parseConfig } from '#server/config.ts';
import { createEmbeddingModel, EmbeddingError } from '#server/providers/embedding-model.ts';
import {
  DIMENSIONS,
  EMBEDDING_KEY,
  embeddingEnv,
  sendJson,
  sendVectors,
  startEmbeddingService,
  type EmbeddingService,
} from '#tests/support/embedding-service.ts';

let service: EmbeddingService;
beforeAll(async () => {
  service = await startEmbeddingService();
});
afterAll(() => service.close());
afterEach(() => {
  service.requests.length = 0;
  service.behave();
});

function model(env: Record<string, string> = {}) {
  const made = createEmbeddingModel(parseConfig({ ...embeddingEnv(service), ...env }).embeddings);
  if (made === undefined) throw new Error('No model');
  return made;
}

const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

async function faultOf(texts = ['a boat'], limitMs = 5_000): Promise<string> {
  const failure = await model()
    .embed(texts, limitMs)
    .catch((error: unknown) => error);
  if (!(failure instanceof EmbeddingError)) throw new Error(`No fault: ${inspect(failure)}`);
  expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(EMBEDDING_KEY);
  return failure.fault;
}

describe('an embedding model', () => {
  it('is sent the texts with the key, and returns vectors of length 1', async () => {
    const { vectors, tokens } = await model().embed(['an old boat', 'old ships', 'tax forms'], 5_000);
    expect(service.requests).toHaveLength(1);
    const [request] = service.requests;
    expect(request?.path).toBe('/v1/embeddings');
    expect(request?.headers['authorization']).toBe(`Bearer ${EMBEDDING_KEY}`);
    expect(request?.body).toMatchObject({ model: 'toy-1', input: ['an old boat', 'old ships', 'tax forms'] });
    expect(request?.body.dimensions).toBeUndefined();
    const [boat, ships, tax] = vectors;
    if (!boat || !ships || !tax) throw new Error('A vector is missing');
    expect(boat).toHaveLength(DIMENSIONS);
    expect(dot(boat, boat)).toBeCloseTo(1);
    expect(dot(boat, ships)).toBeGreaterThan(dot(boat, tax) + 0.5);
    expect(tokens).toBe(7);
  });

  it('is asked for as many dimensions as are configured, and must return them', async () => {
    const { vectors } = await model({ EMBEDDINGS_DIMENSIONS: '24' }).embed(['a boat'], 5_000);
    expect(vectors[0]).toHaveLength(24);
    expect(service.requests[0]?.body.dimensions).toBe(24);
    service.behave((res) => sendVectors(res, [[1, 2, 3]]));
    await expect(model({ EMBEDDINGS_DIMENSIONS: '24' }).embed(['a boat'], 5_000)).rejects.toThrow('shape');
  });

  it('has another fingerprint when its vectors cannot be compared, and the same with another key', () => {
    const { fingerprint } = model();
    expect(model({ EMBEDDINGS_API_KEY: 'another' }).fingerprint).toBe(fingerprint);
    expect(model({ EMBEDDINGS_URL: `${service.url}/` }).fingerprint).toBe(fingerprint);
    expect(model({ EMBEDDINGS_MODEL: 'toy-2' }).fingerprint).not.toBe(fingerprint);
    expect(model({ EMBEDDINGS_DIMENSIONS: '24' }).fingerprint).not.toBe(fingerprint);
  });

  it.each([
    ['does not know the key', 401, 'refused'],
    ['does not know the model', 404, 'refused'],
    ['does not like a text', 400, 'input'],
    ['is asked too often', 429, 'busy'],
    ['has failed', 503, 'network'],
  ])('that %s is asked once, and its words go nowhere', async (_what, status, fault) => {
    service.behave((res) => sendJson(res, status, { error: { message: EMBEDDING_KEY } }));
    expect(await faultOf()).toBe(fault);
    expect(service.requests).toHaveLength(1);
  });

  it('that is silent, or gone, is waited for no longer than the limit', async () => {
    service.behave(() => undefined);
    expect(await faultOf(['a boat'], 50)).toBe('timeout');
    service.behave((res) => void res.destroy());
    expect(await faultOf()).toBe('network');
  });

  it.each<[string, unknown[][]]>([
    ['too few vectors', [[1, 2]]],
    ['too many vectors', [[1], [1], [1]]],
    ['vectors of different lengths', [[1, 2], [1]]],
    ['empty vectors', [[], []]],
    [
      'nothing but zeros',
      [
        [0, 0],
        [0, 1],
      ],
    ],
    [
      'numbers beyond measure',
      [
        [1.7e308, 1.7e308],
        [1, 1],
      ],
    ],
    [
      'more dimensions than any model has',
      [Array.from({ length: EMBEDDINGS.dimensionsMax + 1 }, () => 1), [1]],
    ],
  ])('that sends %s is not believed', async (_what, vectors) => {
    service.behave((res) => sendVectors(res, vectors));
    expect(await faultOf(['a boat', 'a car'])).toBe('shape');
  });

  it.each<[string, unknown[][]]>([
    ['words', [['one', 'two']]],
    ['nulls', [[null, 1]]],
  ])('that sends %s for numbers is broken', async (_what, vectors) => {
    service.behave((res) => sendVectors(res, vectors));
    expect(await faultOf()).toBe('broken');
  });

  it('that sends no JSON is broken', async () => {
    service.behave((res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'));
    expect(await faultOf()).toBe('broken');
  });

  it('that sends without end is cut off, and one that redirects is not followed', async () => {
    service.behave((res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (res.write('1'.repeat(64 * 1024)));
        res.once('drain', more);
      };
      res.on('error', () => undefined);
      more();
    });
    expect(await faultOf()).toBe('too_large');
    service.requests.length = 0;
    service.behave((res) => void res.writeHead(302, { location: `${service.url}/elsewhere` }).end());
    expect(await faultOf()).toBe('blocked');
    expect(service.requests).toHaveLength(1);
  });
});

describe('the configuration', () => {
  it.each([
    [{ EMBEDDINGS_MODEL: 'm' }, 'EMBEDDINGS_MODEL: must be set together with EMBEDDINGS_URL'],
    [{ EMBEDDINGS_API_KEY: 'k' }, 'EMBEDDINGS_API_KEY: must be set together'],
    [{ EMBEDDINGS_DIMENSIONS: '8' }, 'EMBEDDINGS_DIMENSIONS: must be set together'],
    [{ EMBEDDINGS_URL: 'http://localhost:1/v1' }, 'EMBEDDINGS_MODEL: must be set with EMBEDDINGS_URL'],
    [{ EMBEDDINGS_URL: 'ftp://localhost', EMBEDDINGS_MODEL: 'm' }, 'EMBEDDINGS_URL: must be a URL'],
    [
      { EMBEDDINGS_URL: 'https://me:pass@example.com/v1', EMBEDDINGS_MODEL: 'm' },
      'EMBEDDINGS_URL: must not hold a user or a password; set EMBEDDINGS_API_KEY',
    ],
    [
      {
        LOCI_ENV: 'production',
        EMBEDDINGS_URL: 'http://example.com/v1',
        EMBEDDINGS_MODEL: 'm',
        EMBEDDINGS_API_KEY: 'k',
      },
      'EMBEDDINGS_URL: must begin with https://',
    ],
    [{ EMBEDDINGS_DIMENSIONS: '5000' }, 'EMBEDDINGS_DIMENSIONS: must be a whole number from 1 to 4096'],
  ])('%j is refused', (env, problem) => {
    expect(() => parseConfig(env)).toThrow(ConfigError);
    expect(() => parseConfig(env)).toThrow(problem);
  });

  it('names no model by default', () => {
    expect(createEmbeddingModel(parseConfig({}).embeddings)).toBeUndefined();
  });
});
