/**
 * The table of endpoints as an OpenAPI 3.1 document; nothing in it is written by hand a second time.
 * It knows rows, schemas and the table of errors, and no single call.
 */
import { z } from 'zod';
import { listMeta, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { failureSchema } from '#shared/define/failure-schema.ts';
import { ERRORS, type ErrorCode } from '#shared/errors.ts';

type Json = Record<string, unknown>;

/** Head of the document. */
export interface ApiInfo {
  title: string;
  description: string;
  version: string;
  /** Address of the server, without a path. */
  origin: string;
}

/** Describes the endpoints; schemas with an id become components. */
export function describeApi(endpoints: Readonly<Record<string, AnyEndpoint>>, info: ApiInfo): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = describeOperation(name, endpoint, schemas);
  }
  schemas.Failure = toSchema(failureSchema, {});
  return {
    openapi: '3.1.0',
    info: { title: info.title, description: info.description, version: info.version },
    servers: [{ url: info.origin }],
    paths,
    components: { schemas, responses: failureResponses(), securitySchemes: SECURITY },
  };
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session, never in an address.' },
};

function describeOperation(name: string, endpoint: AnyEndpoint, schemas: Json): Json {
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary: endpoint.summary,
    ...(endpoint.auth === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(endpoint.scope === undefined ? {} : { 'x-scope': endpoint.scope }),
    parameters: [
      ...parametersOf(endpoint.params, 'path', schemas),
      ...parametersOf(endpoint.query, 'query', schemas),
    ],
    ...(endpoint.body ? { requestBody: requestBodyOf(endpoint, endpoint.body, schemas) } : {}),
    responses: { [endpoint.status ?? 200]: successOf(endpoint, schemas), ...failuresOf(endpoint) },
  };
}

function parametersOf(object: z.ZodObject | undefined, place: 'path' | 'query', schemas: Json): Json[] {
  return Object.entries(object?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: schema instanceof z.ZodType ? toSchema(schema, schemas) : {},
  }));
}

function requestBodyOf(endpoint: AnyEndpoint, body: z.ZodType, schemas: Json): Json {
  const schema = toSchema(body, schemas);
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const form = { type: 'object', properties: { payload: schema, file }, required: ['file'] };
  const content = {
    ...(endpoint.multipart && { 'multipart/form-data': { schema: form } }),
    ...((!endpoint.multipart || endpoint.multipart.json) && { 'application/json': { schema } }),
  };
  return { required: true, content };
}

function successOf(endpoint: AnyEndpoint, schemas: Json): Json {
  const result = toSchema(endpoint.result, schemas);
  if (endpoint.answer === 'file') {
    const type = (endpoint.mediaType ?? 'application/octet-stream').split(';', 1)[0] ?? '';
    return { description: 'The file', content: { [type]: { schema: { type: 'string' } } } };
  }
  if (endpoint.answer === 'stream') {
    return { description: 'The events', content: { 'text/event-stream': { schema: { type: 'string' } } } };
  }
  const plain = endpoint.answer === 'plain';
  return {
    description: plain ? 'The document' : 'Success',
    content: { 'application/json': { schema: plain ? result : envelope(endpoint, result, schemas) } },
  };
}

function envelope(endpoint: AnyEndpoint, result: unknown, schemas: Json): Json {
  const meta = endpoint.list ? toSchema(listMeta.loose(), schemas) : { type: 'object' };
  return {
    type: 'object',
    properties: { success: { const: true }, result, meta },
    required: ['success', 'result', ...(endpoint.list ? ['meta'] : [])],
  };
}

/** The failures that a call can answer, by what it takes and who may call it. */
function failuresOf(endpoint: AnyEndpoint): Json {
  const writes = endpoint.method !== 'GET';
  const codes: ErrorCode[] = ['rate_limited', 'internal', 'bad_gateway', 'unavailable'];
  if (endpoint.query || endpoint.body) codes.push('bad_request');
  if (endpoint.auth !== 'public') codes.push('unauthorized', 'forbidden');
  if (endpoint.params || endpoint.body) codes.push('not_found');
  if (writes) codes.push('conflict');
  if (endpoint.body) codes.push('too_large', 'unsupported_media');
  if (endpoint.method === 'PATCH' || endpoint.method === 'PUT') codes.push('precondition_failed');
  if (endpoint.method === 'POST' && endpoint.auth !== 'public') codes.push('idempotency_mismatch');
  if (endpoint.search) codes.push('teapot');
  return Object.fromEntries(
    codes.map((code) => [ERRORS[code].status, { $ref: `#/components/responses/${code}` }]),
  );
}

function failureResponses(): Json {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([code, { message }]) => [
      code,
      {
        description: message,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    ]),
  );
}

/** JSON Schema of what travels; named parts move to the components and are pointed at. */
function toSchema(schema: z.ZodType, components: Json): Json {
  const {
    $schema: _dialect,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A type that was given in words is the whole story of a union behind it.
      if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
    },
  });
  const { id: _id, ...own }: Json = rest;
  for (const [name, definition] of Object.entries($defs ?? {})) {
    components[name] = pointToComponents(withoutId(definition));
  }
  const named = typeof rest.id === 'string' ? rest.id : undefined;
  if (named === undefined) return pointToComponents(own);
  components[named] = pointToComponents(own);
  return { $ref: `#/components/schemas/${named}` };
}

function withoutId(definition: object): Json {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id'));
}

function pointToComponents(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  const moved: Json = JSON.parse(text);
  return moved;
}
