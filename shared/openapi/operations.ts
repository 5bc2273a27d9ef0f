/** Operations of the OpenAPI document, read from the document alone, with the request that its examples make up. */

/** The parts of the document that are read here, as describe-api.ts writes them. */
interface Described {
  operationId: string;
  tags: readonly string[];
  summary: string;
  security?: readonly Readonly<Record<string, unknown>>[];
  'x-scope'?: string | readonly string[];
  parameters: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}
type Parameter =
  | { $ref: string }
  | { name: string; in: 'path' | 'query' | 'header'; example?: string | number };
type Content = Readonly<Record<string, { example?: unknown }>>;
interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/**
 * Credential of a call: an API key or an OAuth token, a session token, id and secret of an OAuth client, an OAuth token
 * alone, or none.
 */
export type Proof = 'key' | 'session' | 'client' | 'token' | 'none';

/** A body in its encoded form; a form with a file has its JSON in `value`. */
interface RequestBody {
  type: 'json' | 'form' | 'file';
  value: unknown;
}

export interface ApiOperation {
  name: string;
  summary: string;
  method: string;
  path: string;
  proof: Proof;
  /** Scopes that a key or an OAuth token needs. */
  scopes: readonly string[];
  /** A call of a standard, which the typed client does not cover. */
  isProtocol: boolean;
  params: Readonly<Record<string, string>>;
  /** Only what a request needs; all others are in `queryNames`. */
  query: Readonly<Record<string, string>>;
  queryNames: readonly string[];
  body: RequestBody | undefined;
  /** The form of a success: JSON, another text, bytes of a file, events, a redirect, or no body. */
  answer: 'json' | 'text' | 'file' | 'events' | 'redirect' | 'none';
}

/**
 * Every operation of a document that this product wrote, in its order. Trusted, because the page that reads it in a browser
 * comes from the same server, and a parser would be larger than all other code of the page.
 */
export function operationsOf(document: object): ApiOperation[] {
  const { paths } = document as ApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => read(path, method.toUpperCase(), described)),
  );
}

function read(path: string, method: string, described: Described): ApiOperation {
  const parameters = described.parameters.flatMap((each) => ('$ref' in each ? [] : [each]));
  const valuesIn = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters.flatMap(({ name, in: where, example }) =>
        where === place && example !== undefined ? [[name, String(example)]] : [],
      ),
    );
  return {
    name: described.operationId,
    summary: described.summary,
    method,
    path,
    proof: proofOf(described),
    scopes: [described['x-scope'] ?? []].flat(),
    isProtocol: described.tags.includes('protocol'),
    params: valuesIn('path'),
    query: valuesIn('query'),
    queryNames: parameters.flatMap(({ name, in: where }) => (where === 'query' ? [name] : [])),
    body: bodyOf(described),
    answer: answerOf(described),
  };
}

const PROOFS: Readonly<Record<string, Proof>> = {
  client: 'client',
  session: 'session',
  bearer: 'key',
  oauth: 'token',
};

/** The first way of several. */
function proofOf({ security: [required = {}] = [] }: Described): Proof {
  return PROOFS[Object.keys(required)[0] ?? ''] ?? 'none';
}

function bodyOf({ requestBody }: Described): RequestBody | undefined {
  const { content = {} } = requestBody ?? {};
  const json = content['application/json'];
  if (json) return { type: 'json', value: json.example };
  const form = content['application/x-www-form-urlencoded'];
  if (form) return { type: 'form', value: form.example };
  const file = content['multipart/form-data'];
  return file && { type: 'file', value: Object(file.example).payload };
}

function answerOf({ responses }: Described): ApiOperation['answer'] {
  const [status = '', success] = Object.entries(responses).find(([each]) => /^[23]/.test(each)) ?? [];
  if (status.startsWith('3')) return 'redirect';
  const [type] = Object.keys(success?.content ?? {});
  if (type === undefined) return 'none';
  if (type === 'text/event-stream') return 'events';
  if (type === 'application/octet-stream') return 'file';
  return type === 'application/json' ? 'json' : 'text';
}
